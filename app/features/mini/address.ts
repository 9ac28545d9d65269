/** Addresses of the Mini App: `/mini?screen=/community/x/dashboard`, so that a reload stays in the one document that may be framed. Pure. */
import { readStartParam } from '../../../server/rules/start-param.ts';

const MINI = '/mini';

/** The screen that an address names: as it was left, else as the link that opened the Mini App says, else the beginning. */
export function screenAt(search: string, hash = ''): string {
  const query = new URLSearchParams(search);
  const named = query.get('screen');
  if (named?.startsWith('/') && !/^\/[/\\]/.test(named)) return `${named}${hash}`;
  return readStartParam(query.get('tgWebAppStartParam') ?? '') ?? '/';
}

/** The address of a screen. */
export function addressOf(screen: string): string {
  const [path = '/', hash] = screen.split('#');
  const named = encodeURIComponent(path).replaceAll('%2F', '/');
  return `${MINI}?screen=${named}${hash === undefined ? '' : `#${hash}`}`;
}
