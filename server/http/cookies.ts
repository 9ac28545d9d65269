import { type Cookies, parseCookie, stringifySetCookie } from 'cookie';
import { isLoopbackHttp } from '../base/loopback.ts';
import type { Config } from '../config.ts';
import { MINI_APP_SESSION_ABSOLUTE_MS, SESSION_ABSOLUTE_MS } from '../contract/limits.ts';

export type { Cookies };
export type SessionKind = 'web' | 'mini_app';
/** `readable`: by the page's scripts, for what is no secret. */
export type CookieOptions = { maxAgeMs: number; sameSite: 'Lax' | 'None'; partitioned?: boolean; readable?: boolean };

/** Browsers treat http on the local host as secure. */
const isLoopback = ({ publicOrigin }: Pick<Config, 'publicOrigin'>): boolean => isLoopbackHttp(new URL(publicOrigin));

/** Only an https origin may use Secure cookies and the `__Host-` prefix. */
export const isSecure = (config: Pick<Config, 'publicOrigin'>): boolean => config.publicOrigin.startsWith('https:');

/** Cookie that carries a session of this kind: `__Host-sid` and `__Host-sid-tma` on https, without the prefix on http. */
export function sessionCookie(config: Pick<Config, 'publicOrigin'>, kind: SessionKind): string {
  return `${isSecure(config) ? '__Host-' : ''}${kind === 'web' ? 'sid' : 'sid-tma'}`;
}

/**
 * How the cookie of a session is set. Telegram's web clients show the Mini App in a frame of another site, so its cookie is
 * `SameSite=None` and partitioned; the ordinary one is never sent there.
 */
export const OF_SESSION: Readonly<Record<SessionKind, CookieOptions>> = {
  web: { maxAgeMs: SESSION_ABSOLUTE_MS, sameSite: 'Lax' },
  mini_app: { maxAgeMs: MINI_APP_SESSION_ABSOLUTE_MS, sameSite: 'None', partitioned: true },
};
/** Cookies of a request by name; the first of a repeated name wins, as browsers send the most specific first. */
export const readCookies = (header: string | undefined): Readonly<Cookies> => parseCookie(header ?? '');

/**
 * One `Set-Cookie` value: HttpOnly unless readable, always Path=/, never a Domain, Secure on https. Browsers require
 * Secure for `SameSite=None` and `Partitioned`, and accept it over https and over http on the local host; other http
 * origins get `Lax`. Throws on an invalid name; the value is percent-encoded.
 */
export function cookieLine(
  config: Pick<Config, 'publicOrigin'>,
  name: string,
  value: string,
  { maxAgeMs, sameSite, partitioned = false, readable = false }: CookieOptions,
): string {
  const isFramed = sameSite === 'None' || partitioned;
  const secure = isSecure(config) || (isFramed && isLoopback(config));
  return stringifySetCookie(name, value, {
    path: '/',
    maxAge: Math.max(0, Math.floor(maxAgeMs / 1000)),
    httpOnly: !readable,
    secure,
    sameSite: secure && sameSite === 'None' ? 'none' : 'lax',
    partitioned: secure && partitioned,
  });
}
