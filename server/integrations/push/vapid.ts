import { createPrivateKey } from 'node:crypto';
import webPush from 'web-push';
import { VAPID_HEADER_CACHE_MS } from '../../contract/limits.ts';

/** A key pair as web-push makes it, both base64url: a point of 65 bytes, with which a browser subscribes, and 32 bytes. */
export type VapidKey = { publicKey: string; privateKey: string };

/** RFC 8292 lets a token live for a day; push services' clocks may differ from ours. */
const TOKEN_LIVES_MS = 23 * 60 * 60_000;

export const makeVapidKey = (): VapidKey => webPush.generateVAPIDKeys();

/** A pair as it is stored. The private key of one that was made before web-push made them is PKCS 8, PEM. */
export function readVapidKey(publicKey: string, stored: string): VapidKey {
  if (!stored.startsWith('-----BEGIN')) return { publicKey, privateKey: stored };
  const { d = '' } = createPrivateKey(stored).export({ format: 'jwk' });
  return { publicKey, privateKey: d };
}

const cache = new Map<string, { header: string; until: number }>();

/**
 * The `Authorization` header for one push service (RFC 8292). It is cached for `VAPID_HEADER_CACHE_MS` by service, key
 * and subject, because signing costs more than the rest of a message. It uses the machine's clock, as web-push and the
 * services do. Throws where `subject` (`mailto:` or `https:`) or the origin is invalid.
 */
export function vapidHeader(key: VapidKey, origin: string, subject: string): string {
  const now = Date.now();
  const name = `${origin} ${key.publicKey} ${subject}`;
  const cached = cache.get(name);
  // After the clock was set back, a cached header must not live longer.
  if (cached && cached.until > now && cached.until - now <= VAPID_HEADER_CACHE_MS) return cached.header;
  for (const [other, { until }] of cache) if (until <= now) cache.delete(other);
  const expires = Math.floor((now + TOKEN_LIVES_MS) / 1_000);
  const { publicKey, privateKey } = key;
  const { Authorization } = webPush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm', expires);
  cache.set(name, { header: Authorization, until: now + VAPID_HEADER_CACHE_MS });
  return Authorization;
}
