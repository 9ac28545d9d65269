import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a secret for the database (AES-256-GCM): random IV, tag, ciphertext. It opens only under the same key and
 * `owner`, so a row copied to another owner is useless.
 */
export function seal(key: Buffer, owner: string, secret: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** What was sealed; null where the key, the owner or the bytes are others. */
export function unseal(key: Buffer, owner: string, sealed: Buffer): string | null {
  if (sealed.length < IV_BYTES + TAG_BYTES) return null;
  const [iv, tag] = [sealed.subarray(0, IV_BYTES), sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  const cipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
  cipher.setAuthTag(tag);
  try {
    return Buffer.concat([cipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), cipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
