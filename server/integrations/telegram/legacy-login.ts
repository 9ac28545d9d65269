import { createHash, createHmac } from 'node:crypto';
import { LEGACY_LOGIN_MAX_AGE_MS } from '../../contract/limits.ts';
import { agingProblem, type Checked, checkString, isCleanField, isSameHash, TELEGRAM_ID } from './check-string.ts';
import { displayName } from './display-name.ts';
import type { TelegramIdentity } from './telegram.ts';

const FIELDS = ['id', 'first_name', 'last_name', 'username', 'photo_url', 'auth_date', 'hash'];

/**
 * Verifies the old login widget's data (core.telegram.org/widgets/login-legacy). The key is the SHA-256 of the bot's
 * token, so it never accepts a Mini App's hash, and vice versa. Data older than five minutes is stale. `signature` is
 * stored to accept the data once.
 */
export function verifyLegacyLogin(
  given: ReadonlyMap<string, string>,
  botToken: string,
  now: Date,
): Checked<TelegramIdentity & { signature: Buffer }> {
  for (const [key, value] of given) {
    if (!FIELDS.includes(key) || !isCleanField(key, value)) return { ok: false, problem: 'MALFORMED' };
  }
  const key = createHash('sha256').update(botToken).digest();
  const expected = createHmac('sha256', key)
    .update(checkString(given, ['hash']))
    .digest();
  if (!isSameHash(given.get('hash'), expected)) return { ok: false, problem: 'WRONG_SIGNATURE' };
  const aging = agingProblem(given.get('auth_date'), now, LEGACY_LOGIN_MAX_AGE_MS);
  if (aging) return { ok: false, problem: aging };
  const telegramUserId = given.get('id') ?? '';
  if (!TELEGRAM_ID.test(telegramUserId)) return { ok: false, problem: 'INCOMPLETE' };
  const username = given.get('username') ?? null;
  const name = [given.get('first_name'), given.get('last_name')].filter(Boolean).join(' ');
  return {
    ok: true,
    value: {
      telegramUserId,
      username,
      displayName: displayName(name, username, telegramUserId),
      signature: expected,
    },
  };
}
