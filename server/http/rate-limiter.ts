import type { Bucket } from '../contract/route.ts';
import { probeCounter } from './call-counts.ts';
import { tokenBuckets } from './token-buckets.ts';

/** A rejection is delayed by this time while few wait, which slows clients that retry at once. */
const DELAY_MS = 500;
const DELAYED_MAX = 500;

/** What limits calls in this process's memory, where a flood, or storage that is away, must cost the database nothing. */
export type RateLimiter = {
  /** Counts a probe's call. Throws 429, see `checkCount`. */
  countProbe: ReturnType<typeof probeCounter>;
  /** Takes a token from each bucket and runs the feature's guard. Throws 429 after a delay. */
  admit(wanted: readonly { key: string; bucket: Bucket }[], nowMs: number, guard?: () => void): Promise<void>;
};

/** One per application. */
export function createRateLimiter(): RateLimiter {
  const buckets = tokenBuckets();
  let waiting = 0;
  return {
    countProbe: probeCounter(),
    async admit(wanted, nowMs, guard) {
      try {
        buckets.take(wanted, nowMs);
        guard?.();
      } catch (error) {
        if (waiting >= DELAYED_MAX) throw error;
        waiting += 1;
        await new Promise((next) => void setTimeout(next, DELAY_MS).unref());
        waiting -= 1;
        throw error;
      }
    },
  };
}
