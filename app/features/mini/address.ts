/** The Mini App's addresses: `/mini?screen=/community/x/dashboard`, the one document that may be framed. Pure. */
import { readStartParam } from '../../../server/rules/start-param.ts';

const MINI = '/mini';

/** The screen in an address: the last one, else the one in the link that opened the Mini App, else the first. */
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
