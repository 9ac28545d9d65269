import { createHmac } from 'node:crypto';

/** `Muster-Signature`: HMAC-SHA-256 over the time (unix seconds), a dot and the body, so neither can be changed. */
export function signature(secret: Buffer, body: string, at: Date): string {
  const time = Math.floor(at.getTime() / 1_000);
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}
