/** The launch data that Telegram's client passes after `#` (core.telegram.org/api/bots/webapps, "Web apps"). */
import { session } from '../../lib/browser.ts';

export type ThemeParams = Readonly<Record<string, string>>;
export type Launch = {
  /** Signed sign-in data; null after a reload, when it has been used. */
  initData: string | null;
  /** The user that `initData` names, not verified by a server yet; null without one. */
  telegramUserId: string | null;
  /** The client's version of the Mini App interface, as `9.0`. */
  version: string;
  theme: ThemeParams;
};

const STORAGE_KEY = 'muster-mini';

/** Reads launch parameters; null without any, as in a browser that opened the address directly. Pure. */
export function readLaunch(hash: string): Launch | null {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const initData = given.get('tgWebAppData');
  const version = given.get('tgWebAppVersion');
  if (version === null || !/^\d+(\.\d+)*$/.test(version)) return null;
  return {
    initData: initData || null,
    telegramUserId: initData ? personIn(initData) : null,
    version,
    theme: readTheme(parsed(given.get('tgWebAppThemeParams') ?? '')),
  };
}

function personIn(initData: string): string | null {
  const user = parsed(new URLSearchParams(initData).get('user') ?? '') as { id?: unknown } | null;
  return typeof user?.id === 'number' ? String(user.id) : null;
}

/** Only documented colours. */
export function readTheme(given: unknown): ThemeParams {
  const colours = Object.entries((given ?? {}) as Record<string, unknown>).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string' && /^#[\da-f]{6}$/i.test(pair[1]),
  );
  return Object.fromEntries(colours);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * This document's launch, also after a reload, but then without the sign-in data: it is of no further use, and must not
 * stay where a script or a screenshot finds it. The caller removes `initData` from the address.
 */
export function takeLaunch(): Launch | null {
  const given = readLaunch(location.hash);
  if (given) {
    session.set(STORAGE_KEY, JSON.stringify({ ...given, initData: null }));
    return given;
  }
  return parsed(session.get(STORAGE_KEY) ?? '') as Launch | null;
}
