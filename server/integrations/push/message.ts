import { createHmac } from 'node:crypto';
import { encrypt, type Keys } from './encrypt.ts';

export type Content = {
  /** What `padded` gave. */
  record: Uint8Array;
  /** Seconds that a push service keeps it for a browser that is away. */
  ttl: number;
  urgency: 'normal' | 'high';
  /** Messages of one topic take each other's place at the push service. */
  topic: string;
};

/** One message as a push service takes it (RFC 8030), for one subscription. Throws when its public key is none. */
export function messageFor(
  keys: Keys,
  { record, ttl, urgency, topic }: Content,
  authorization: string,
): { headers: Record<string, string | number>; body: Buffer } {
  const body = encrypt(record, keys);
  const headers = {
    authorization,
    'content-encoding': 'aes128gcm',
    'content-length': body.length,
    'content-type': 'application/octet-stream',
    ttl,
    urgency,
    topic: topicFor(topic, keys.auth),
  };
  return { headers, body };
}

/** The topic as one push service gets it: opaque, and another one for each subscription, so that none can be compared. */
const topicFor = (topic: string, auth: Uint8Array): string =>
  createHmac('sha256', auth).update(topic).digest('base64url').slice(0, 32);
