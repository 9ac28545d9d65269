// @ts-check
import { createCipheriv, createECDH, createHmac, randomBytes } from 'node:crypto';

/** What nobody can do without: a key, a secret, four derivations, a cipher. @param {{ p256dh: Buffer, auth: Buffer }} keys @param {Buffer} record */
export function raw({ p256dh, auth }, record) {
  const ecdh = createECDH('prime256v1');
  const own = ecdh.generateKeys();
  const shared = ecdh.computeSecret(p256dh);
  const salt = randomBytes(16);
  /** @param {Buffer} key @param {Buffer} data */
  const hmac = (key, data) => createHmac('sha256', key).update(data).digest();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, own, Buffer.of(1)]);
  const secret = hmac(salt, hmac(hmac(auth, shared), info));
  const key = hmac(secret, Buffer.from('Content-Encoding: aes128gcm\0\x01')).subarray(0, 16);
  const nonce = hmac(secret, Buffer.from('Content-Encoding: nonce\0\x01')).subarray(0, 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const head = Buffer.alloc(86);
  return Buffer.concat([head, cipher.update(record), cipher.final(), cipher.getAuthTag()]);
}
