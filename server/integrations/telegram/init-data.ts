import { createHmac, createPublicKey, verify } from 'node:crypto';
import { INIT_DATA_MAX_AGE_MS } from '../../contract/limits.ts';
import {
  agingProblem,
  type Checked,
  checkString,
  isCleanField,
  isSameHash,
  type SignedDataProblem,
  TELEGRAM_ID,
} from './check-string.ts';
import { displayName } from './display-name.ts';
import type { TelegramIdentity } from './telegram.ts';

/** What verifies the data: the bot's token, or Telegram's public key for a bot id (third parties). */
export type InitDataProof = { botToken: string } | { botId: string; environment: 'production' | 'test' };
export type InitData = TelegramIdentity & { authDate: Date; signature: Buffer };

/** Telegram's Ed25519 keys (core.telegram.org/bots/webapps, "Validating data for Third-Party Use"). */
const TELEGRAM_KEYS = {
  production: 'e7bf03a2fa4602af4580703d88dda5bb59f32ed8b02a56c187fe7d34caed242d',
  test: '40055058a4ee38156a06562e52eece92a771bcd8346a8c4615cb7376eddf72ec',
};
/** Telegram sends nine. */
const FIELDS_MAX = 32;
/** ASN.1 head of a raw Ed25519 public key (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Verifies a Mini App's `initData` (core.telegram.org/bots/webapps) and returns its user. `signature` is the verified
 * hash or Ed25519 signature; a caller stores it to accept the data once. Rejects repeated or malformed fields, control
 * characters, and data older than ten minutes or more than a minute ahead of `now`.
 */
export function verifyInitData(initData: string, proof: InitDataProof, now: Date): Checked<InitData> {
  const fields = readFields(initData);
  if (!fields) return refuse('MALFORMED');
  const signature = 'botToken' in proof ? checkHash(fields, proof.botToken) : checkSignature(fields, proof);
  if (!signature) return refuse('WRONG_SIGNATURE');
  const aging = agingProblem(fields.get('auth_date'), now, INIT_DATA_MAX_AGE_MS);
  if (aging) return refuse(aging);
  const person = readPerson(fields.get('user'));
  if (!person) return refuse('INCOMPLETE');
  return { ok: true, value: { ...person, authDate: new Date(Number(fields.get('auth_date')) * 1000), signature } };
}

const refuse = (problem: SignedDataProblem) => ({ ok: false, problem }) as const;

/** Unknown fields are accepted: the signature covers them, and Telegram adds some now and then. */
function readFields(initData: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  const pairs = initData.split('&');
  if (pairs.length > FIELDS_MAX) return null;
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) return null;
    const key = decode(pair.slice(0, at));
    const value = decode(pair.slice(at + 1));
    if (key === null || value === null || fields.has(key) || !isCleanField(key, value)) return null;
    fields.set(key, value);
  }
  return fields;
}

/** Form encoding, but a broken escape is an error instead of a replacement character. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** The hash covers every field but itself; `signature` stays in (verified against Telegram's own strings). */
function checkHash(fields: ReadonlyMap<string, string>, botToken: string): Buffer | null {
  const key = createHmac('sha256', 'WebAppData').update(botToken).digest();
  const expected = createHmac('sha256', key)
    .update(checkString(fields, ['hash']))
    .digest();
  return isSameHash(fields.get('hash'), expected) ? expected : null;
}

/** The Ed25519 signature covers the bot's id and every field but `hash` and itself. */
function checkSignature(
  fields: ReadonlyMap<string, string>,
  proof: { botId: string; environment: 'production' | 'test' },
): Buffer | null {
  const given = fields.get('signature') ?? '';
  const signature = Buffer.from(given, 'base64url');
  // One spelling only: base64 has spare bits at the end.
  if (signature.length !== 64 || signature.toString('base64url') !== given) return null;
  const key = createPublicKey({
    key: Buffer.concat([SPKI_HEAD, Buffer.from(TELEGRAM_KEYS[proof.environment], 'hex')]),
    format: 'der',
    type: 'spki',
  });
  const message = `${proof.botId}:WebAppData\n${checkString(fields, ['hash', 'signature'])}`;
  return verify(null, Buffer.from(message), key, signature) ? signature : null;
}

function readPerson(user: string | undefined): TelegramIdentity | null {
  let person: unknown;
  try {
    person = JSON.parse(user ?? '');
  } catch {
    return null;
  }
  if (typeof person !== 'object' || person === null) return null;
  const { id, first_name, last_name, username, is_bot } = person as Record<string, unknown>;
  const telegramUserId = typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : '';
  if (!TELEGRAM_ID.test(telegramUserId) || is_bot === true) return null;
  const name = [first_name, last_name].filter((part) => typeof part === 'string' && part !== '').join(' ');
  return {
    telegramUserId,
    username: typeof username === 'string' && /^\w{1,32}$/.test(username) ? username : null,
    displayName: displayName(name, username, telegramUserId),
  };
}
