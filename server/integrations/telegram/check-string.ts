import { timingSafeEqual } from 'node:crypto';
import { isStorable } from '../../base/text.ts';
import { SIGN_IN_CLOCK_AHEAD_MS } from '../../contract/limits.ts';

/** Why signed sign-in data was refused; stable, for programs. */
export type SignedDataProblem = 'MALFORMED' | 'INCOMPLETE' | 'STALE' | 'FROM_THE_FUTURE' | 'WRONG_SIGNATURE';
export type Checked<T> = { ok: true; value: T } | { ok: false; problem: SignedDataProblem };

/** Telegram's data check string: sorted `key=value` lines. Callers leave out what the scheme leaves out. */
export const checkString = (fields: ReadonlyMap<string, string>, without: readonly string[]): string =>
  [...fields]
    .filter(([key]) => !without.includes(key))
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join('\n');

/**
 * Values must be single, named and free of the control characters that end lines and fields: a line feed inside a value would
 * let two different sets of fields share one check string. Those of Latin-1 (U+007F to U+009F) end nothing, and people have
 * them in their names, which are cleaned where they are read.
 */
export const isCleanField = (key: string, value: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /^[a-z][a-z0-9_]{0,63}$/.test(key) && !/[\0-\x1f]/.test(value) && isStorable(value);

/** Lower-case hex of SHA-256 size compared in constant time; any other shape is simply wrong. */
export function isSameHash(given: string | undefined, expected: Buffer): boolean {
  if (given === undefined || !/^[0-9a-f]{64}$/.test(given)) return false;
  return timingSafeEqual(Buffer.from(given, 'hex'), expected);
}

/** `auth_date` in seconds against the clock; null when it is fresh. */
export function agingProblem(authDate: string | undefined, now: Date, maxAgeMs: number): SignedDataProblem | null {
  if (authDate === undefined || !/^[1-9]\d{0,11}$/.test(authDate)) return 'INCOMPLETE';
  const ageMs = now.getTime() - Number(authDate) * 1000;
  if (ageMs > maxAgeMs) return 'STALE';
  return ageMs < -SIGN_IN_CLOCK_AHEAD_MS ? 'FROM_THE_FUTURE' : null;
}

export const TELEGRAM_ID = /^[1-9]\d{0,15}$/;
