import type { Config } from '../config.ts';

export type SessionKind = 'web' | 'mini_app';
export type CookieOptions = { maxAgeMs: number; sameSite: 'Lax' | 'None'; partitioned?: boolean };

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[!#-+\--:<-[\]-~]*$/;

/** Only an https origin may use Secure cookies and the `__Host-` prefix. */
export const isSecure = (config: Pick<Config, 'publicOrigin'>): boolean => config.publicOrigin.startsWith('https:');

/** Cookie that carries a session of this kind: `__Host-sid` and `__Host-sid-tma` on https, without the prefix on http. */
export function sessionCookie(config: Pick<Config, 'publicOrigin'>, kind: SessionKind): string {
  return `${isSecure(config) ? '__Host-' : ''}${kind === 'web' ? 'sid' : 'sid-tma'}`;
}

/** Cookies of a request by name; the first of a repeated name wins, as browsers send the most specific first. */
export function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const name = part.slice(0, at).trim();
    if (name !== '' && !cookies.has(name)) cookies.set(name, part.slice(at + 1).trim());
  }
  return cookies;
}

/**
 * One `Set-Cookie` value: always HttpOnly and Path=/, never a Domain; Secure on https.
 * A browser refuses `SameSite=None` and `Partitioned` without Secure, so plain http gets `Lax`.
 * Throws on a name or value that would need quoting.
 */
export function cookieLine(
  config: Pick<Config, 'publicOrigin'>,
  name: string,
  value: string,
  options: CookieOptions,
): string {
  if (!NAME.test(name) || !VALUE.test(value)) throw new Error(`cookie ${JSON.stringify(name)} cannot be written`);
  const secure = isSecure(config);
  return [
    `${name}=${value}`,
    'Path=/',
    `Max-Age=${Math.max(0, Math.floor(options.maxAgeMs / 1000))}`,
    'HttpOnly',
    ...(secure ? ['Secure'] : []),
    `SameSite=${secure ? options.sameSite : 'Lax'}`,
    ...(secure && options.partitioned ? ['Partitioned'] : []),
  ].join('; ');
}
