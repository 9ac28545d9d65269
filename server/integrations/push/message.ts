import { createHmac } from 'node:crypto';
import webPush from 'web-push';

/** What a browser's subscription gives a sender (RFC 8291): its public key, 65 bytes, and its secret, 16. */
export type Keys = { p256dh: Uint8Array; auth: Uint8Array };

export type Content = {
  /** What `padded` gave. */
  text: string;
  /** Seconds that a push service stores it for an offline browser. */
  ttl: number;
  urgency: 'normal' | 'high';
  /** A message replaces an older one with the same topic at the push service. */
  topic: string;
};

/** A push service must take a body of 4,096 bytes (RFC 8030, section 7.2); encryption adds 103 to the text. */
const TEXT_MAX = 4_096 - 103;
/** Messages are padded to multiples of this, so their length says little. */
const STEP = 256;
/** The sender calls the subscription's endpoint itself; web-push only insists on one, and prints warnings about some. */
const ENDPOINT = 'https://push.invalid/';

/**
 * A text of JSON with blanks behind it, which mean nothing there: web-push, which encrypts it, adds no padding of RFC 8188
 * but its one delimiting byte. Throws when it has more than `TEXT_MAX` bytes.
 */
export function padded(json: string): string {
  const bytes = Buffer.byteLength(json);
  if (bytes > TEXT_MAX) throw new Error(`a push message holds ${TEXT_MAX} bytes, not ${bytes}`);
  const length = Math.min(TEXT_MAX, Math.ceil((bytes + 1) / STEP) * STEP - 1);
  return json + ' '.repeat(length - bytes);
}

/**
 * One message as a push service takes it (RFC 8030), encrypted for one subscription (RFC 8291). `authorization` is what
 * `vapidHeader` gave. Throws when nothing can be encrypted for these keys.
 */
export function messageFor(
  keys: Keys,
  { text, ttl, urgency, topic }: Content,
  authorization: string,
): { headers: Record<string, string>; body: Buffer } {
  const subscription = { endpoint: ENDPOINT, keys: asText(keys) };
  // Without `vapidDetails`: signing each message would cost more than everything else.
  const { headers, body } = webPush.generateRequestDetails(subscription, text, {
    headers: { Authorization: authorization },
    TTL: ttl,
    urgency,
    topic: topicFor(topic, keys.auth),
  });
  return { headers, body };
}

/** Whether a message can be encrypted for these keys: a point of the curve and 16 bytes. */
export function areKeys(keys: Keys): boolean {
  if (keys.auth.length !== 16) return false;
  const { p256dh, auth } = asText(keys);
  try {
    webPush.encrypt(p256dh, auth, '{}', 'aes128gcm');
    return true;
  } catch {
    return false;
  }
}

const asText = ({ p256dh, auth }: Keys) => ({
  p256dh: Buffer.from(p256dh).toString('base64url'),
  auth: Buffer.from(auth).toString('base64url'),
});

/** The topic as sent: opaque, and different for each subscription, so topics cannot be compared. */
const topicFor = (topic: string, auth: Uint8Array): string =>
  createHmac('sha256', auth).update(topic).digest('base64url').slice(0, 32);
