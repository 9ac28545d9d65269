import { type Cookies, parseCookie, stringifySetCookie } from 'cookie';
import type { Config } from '../config.ts';

export type { Cookies };
export type SessionKind = 'web' | 'mini_app';
export type CookieOptions = { maxAgeMs: number; sameSite: 'Lax' | 'None'; partitioned?: boolean };

/** Only an https origin may use Secure cookies and the `__Host-` prefix. */
export const isSecure = (config: Pick<Config, 'publicOrigin'>): boolean => config.publicOrigin.startsWith('https:');

/** Cookie that carries a session of this kind: `__Host-sid` and `__Host-sid-tma` on https, without the prefix on http. */
export function sessionCookie(config: Pick<Config, 'publicOrigin'>, kind: SessionKind): string {
  return `${isSecure(config) ? '__Host-' : ''}${kind === 'web' ? 'sid' : 'sid-tma'}`;
}

/** Cookies of a request by name; the first of a repeated name wins, as browsers send the most specific first. */
export const readCookies = (header: string | undefined): Readonly<Cookies> => parseCookie(header ?? '');

/**
 * One `Set-Cookie` value: always HttpOnly and Path=/, never a Domain; Secure on https.
 * A browser refuses `SameSite=None` and `Partitioned` without Secure, so plain http gets `Lax`.
 * Throws on a name that cannot be written; a value is percent-encoded.
 */
export function cookieLine(
  config: Pick<Config, 'publicOrigin'>,
  name: string,
  value: string,
  { maxAgeMs, sameSite, partitioned = false }: CookieOptions,
): string {
  const secure = isSecure(config);
  return stringifySetCookie(name, value, {
    path: '/',
    maxAge: Math.max(0, Math.floor(maxAgeMs / 1000)),
    httpOnly: true,
    secure,
    sameSite: secure && sameSite === 'None' ? 'none' : 'lax',
    partitioned: secure && partitioned,
  });
}
