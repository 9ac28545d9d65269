import { HttpError } from '../base/http-error.ts';
import type { Bucket } from '../contract/route.ts';

/** Senders remembered at once; over it the fullest (longest unused) are forgotten first. */
const REMEMBERED = 50_000;

type Level = { tokens: number; at: number };

/** Token buckets in memory: `burst` at once, then `perSecond`. Nothing is written, so rejecting a flood is cheap. */
export function tokenBuckets(): {
  /** Takes a token from each named bucket, or from none: throws 429 with the seconds until one is free. */
  take(wanted: readonly { key: string; bucket: Bucket }[], nowMs: number): void;
} {
  const levels = new Map<string, Level>();
  const levelOf = (key: string, { burst, perSecond }: Bucket, now: number): number => {
    const stored = levels.get(key);
    if (!stored) return burst;
    return Math.min(burst, stored.tokens + (Math.max(0, now - stored.at) * perSecond) / 1000);
  };
  return {
    take(wanted, now) {
      const found = wanted.map(({ key, bucket }) => ({ key, bucket, tokens: levelOf(key, bucket, now) }));
      const wait = Math.max(...found.map(({ bucket, tokens }) => (1 - tokens) / bucket.perSecond));
      if (wait > 0) {
        const seconds = Math.ceil(wait);
        throw new HttpError(429, 'TOO_MANY_REQUESTS', `Too many requests. Try again in ${seconds} seconds.`, {
          details: { seconds },
          retryAfterSeconds: seconds,
        });
      }
      for (const { key, tokens } of found) {
        levels.delete(key);
        levels.set(key, { tokens: tokens - 1, at: now });
      }
      // Insertion order is order of use: the first ones rested longest.
      while (levels.size > REMEMBERED) levels.delete(levels.keys().next().value ?? '');
    },
  };
}
