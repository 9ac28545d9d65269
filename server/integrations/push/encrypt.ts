import { createCipheriv, createECDH, createHmac, randomBytes } from 'node:crypto';

/** What a browser's subscription gives a sender (RFC 8291): its public key, 65 bytes, and its secret, 16. */
export type Keys = { p256dh: Uint8Array; auth: Uint8Array };

const CURVE = 'prime256v1';
const RECORD = 4_096;
const INFO = Buffer.from('WebPush: info\0');
const CEK_INFO = Buffer.from('Content-Encoding: aes128gcm\0\x01');
const NONCE_INFO = Buffer.from('Content-Encoding: nonce\0\x01');
const ONE = Buffer.of(1);
const DELIMITER = 2;
/** Messages come in steps of so many bytes, so that their length says little. */
const STEP = 256;
/** Header and tag beside the text, in a body of at most 4,096 bytes. */
const TEXT_MAX = RECORD - 86 - 17;

const hmac = (key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer => {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
};

/** A text as it is encrypted: delimited and padded (RFC 8188). Throws when it is too long for one message. */
export function padded(text: Uint8Array): Buffer {
  if (text.length > TEXT_MAX) throw new Error(`a push message holds ${TEXT_MAX} bytes, not ${text.length}`);
  const record = Buffer.alloc(Math.min(TEXT_MAX + 1, Math.ceil((text.length + 1) / STEP) * STEP));
  record.set(text);
  record.writeUInt8(DELIMITER, text.length);
  return record;
}

/**
 * One message for one subscription, `aes128gcm` of RFC 8291. `record` is what `padded` gave, the same for everybody.
 * Throws when the public key is none. `salt` and `privateKey` are given by tests only.
 */
export function encrypt(
  record: Uint8Array,
  { p256dh, auth }: Keys,
  given: { salt?: Uint8Array; privateKey?: Uint8Array } = {},
): Buffer {
  const ecdh = createECDH(CURVE);
  if (given.privateKey) ecdh.setPrivateKey(given.privateKey);
  else ecdh.generateKeys();
  const own = ecdh.getPublicKey();
  const shared = ecdh.computeSecret(p256dh);
  const salt = given.salt ?? randomBytes(16);
  const key = hmac(hmac(auth, shared), INFO, p256dh, own, ONE);
  const secret = hmac(salt, key);
  const cipher = createCipheriv(
    'aes-128-gcm',
    hmac(secret, CEK_INFO).subarray(0, 16),
    hmac(secret, NONCE_INFO).subarray(0, 12),
  );
  const body = Buffer.allocUnsafe(86 + record.length + 16);
  body.set(salt, 0);
  body.writeUInt32BE(RECORD, 16);
  body.writeUInt8(65, 20);
  body.set(own, 21);
  body.set(cipher.update(record), 86);
  cipher.final();
  body.set(cipher.getAuthTag(), 86 + record.length);
  return body;
}

/** Whether these are keys that a message can be encrypted for: a point of the curve and 16 bytes. */
export function areKeys({ p256dh, auth }: Keys): boolean {
  if (p256dh.length !== 65 || auth.length !== 16) return false;
  try {
    const ecdh = createECDH(CURVE);
    ecdh.generateKeys();
    ecdh.computeSecret(p256dh);
    return true;
  } catch {
    return false;
  }
}
