import { expect, test, vi } from 'vitest';
import { HttpError } from '../../server/base/http-error.ts';
import { createRateLimiter } from '../../server/http/rate-limiter.ts';
import { tokenBuckets } from '../../server/http/token-buckets.ts';

const small = { burst: 3, perSecond: 2 };
/** Seconds to wait when refused, 0 when let in. */
function enter(
  buckets: ReturnType<typeof tokenBuckets>,
  names: readonly string[],
  now: number,
  bucket = small,
): number {
  try {
    buckets.take(
      names.map((key) => ({ key, bucket: key === 'instance' ? { burst: 10, perSecond: 5 } : bucket })),
      now,
    );
    return 0;
  } catch (error) {
    expect(error).toBeInstanceOf(HttpError);
    return (error as HttpError).retryAfterSeconds ?? -1;
  }
}

test('lets a burst in, then as many as come back, and says when to come again', () => {
  const buckets = tokenBuckets();
  expect([0, 0, 0, 0].map((now) => enter(buckets, ['a'], now))).toEqual([0, 0, 0, 1]);
  expect([500, 500, 1_000].map((now) => enter(buckets, ['a'], now))).toEqual([0, 1, 0]);
  expect(enter(buckets, ['b'], 1_000)).toBe(0);
  const slow = { burst: 1, perSecond: 0.1 };
  expect([enter(buckets, ['c'], 0, slow), enter(buckets, ['c'], 0, slow), enter(buckets, ['c'], 4_000, slow)]).toEqual([
    0, 10, 6,
  ]);
});

test('many addresses together do not get more than the instance takes, and a refusal costs nobody a token', () => {
  const buckets = tokenBuckets();
  const answers = Array.from({ length: 100 }, (_, at) => enter(buckets, ['instance', `address ${at}`], 0));
  expect(answers.filter((seconds) => seconds === 0)).toHaveLength(10);
  // Address 50 was refused for the instance's sake: its own three are all there.
  expect([1, 2, 3, 4].map(() => enter(buckets, ['address 50'], 0))).toEqual([0, 0, 0, 1]);
});

test('a clock that goes back gives nothing and takes nothing', () => {
  const buckets = tokenBuckets();
  for (let times = 0; times < 3; times += 1) enter(buckets, ['a'], 10_000);
  expect(enter(buckets, ['a'], 0)).toBe(1);
});

test('of very many addresses the ones that rested longest are forgotten, which only lets them in', () => {
  const buckets = tokenBuckets();
  for (let times = 0; times < 3; times += 1) enter(buckets, ['a'], 0);
  for (let at = 0; at < 49_999; at += 1) enter(buckets, [`address ${at}`], 0);
  expect(enter(buckets, ['a'], 0)).toBe(1);
  enter(buckets, ['address 49999'], 0);
  expect(enter(buckets, ['a'], 0)).toBe(0);
});

test('who is sent away hears it half a second later, so that who comes back at once comes seldom; never too many wait', async () => {
  vi.useFakeTimers();
  try {
    const limiter = createRateLimiter();
    const one = { key: 'a', bucket: { burst: 10_000, perSecond: 1 } };
    let isFull = true;
    const guard = () => {
      if (isFull) throw new HttpError(429, 'TOO_MANY_REQUESTS', 'Full.');
    };
    await limiter.admit([one], 0);
    let told = 0;
    const asked = Array.from({ length: 600 }, () =>
      limiter.admit([one], 0, guard).catch((error: unknown) => {
        expect(error).toBeInstanceOf(HttpError);
        told += 1;
      }),
    );
    await vi.advanceTimersByTimeAsync(499);
    expect(told).toBe(100);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(asked);
    expect(told).toBe(600);
    // As many may wait again.
    const later = limiter.admit([one], 0, guard).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(500);
    await later;
    isFull = false;
    const none = { key: 'b', bucket: { burst: 0, perSecond: 1 } };
    const emptied = limiter.admit([none], 0, guard).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(499);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await emptied).toBeInstanceOf(HttpError);
    await limiter.admit([one], 0, guard);
  } finally {
    vi.useRealTimers();
  }
});
