import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LOG_SORTED_WITHIN_MS } from '../../server/contract/limits.ts';
import { ClientLog, ClientLogBatch } from '../../server/contract/logs.ts';
import { isUsual, isUsualBatch, isUsualLog } from '../../server/features/client-logs/entry.ts';
import { createPace } from '../../server/features/client-logs/pace.ts';
import { scrub } from '../../server/features/client-logs/scrub.ts';

test('what the quick look takes for a usual entry the schema takes, and as it is', () => {
  const value = fc.constantFrom<unknown>('text', 'more', 'other', 'words', '', 7, null, undefined, {}, [], true);
  const name = fc.constantFrom(
    ...['message', 'action', 'stack', 'source', 'timestamp', 'url', 'userAgent', 'additionalData', 'data', 'more'],
    '__proto__',
  );
  const data = fc.oneof(
    { weight: 9, arbitrary: fc.array(fc.tuple(name, value)).map((pairs) => fromPairs(pairs)) },
    { weight: 1, arbitrary: value },
  );
  let usual = 0;
  fc.assert(
    fc.property(fc.constantFrom('error', 'debug', 'other', 1), data, (type, sent) => {
      if (!isUsual({ type, data: sent })) return;
      usual += 1;
      const checked = ClientLog.safeParse({ type, data: sent });
      expect(checked.success).toBe(true);
      expect(JSON.parse(JSON.stringify(checked.data))).toEqual(JSON.parse(JSON.stringify({ type, data: sent })));
    }),
    // One of forty is usual.
    { numRuns: 15_000 },
  );
  expect(usual).toBeGreaterThan(100);
  expect(isUsual({ type: 'error', data: JSON.parse('{"message":"m","__proto__":{"a":1}}') })).toBe(false);
});

test('a body that the quick look lets through is what the schema makes of it', () => {
  const value = fc.constantFrom<unknown>('text', 'error', 'debug', '', 'x'.repeat(129), 7, null, undefined, {}, [], {
    message: 'm',
  });
  const some = (...names: string[]) =>
    fc.array(fc.tuple(fc.constantFrom(...names, 'more', '__proto__'), value), { maxLength: 4 }).map(fromPairs);
  const usualEntry = fc.record({ id: fc.constantFrom('a', 'x'.repeat(128)), type: value, data: value });
  const entry = fc.oneof({ weight: 5, arbitrary: usualEntry }, some('id', 'type', 'data'));
  const batch = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ sentAt: fc.constantFrom<unknown>('now', 7), entries: fc.array(entry, { maxLength: 27 }) }),
    },
    some('sentAt', 'entries', 'dropped'),
  );
  const log = fc.oneof(
    fc.record({ type: fc.constantFrom('error', 'debug', 'x'), data: some('message', 'action', 'stack') }),
    some('type', 'data'),
  );
  for (const { bodies, isUsualBody, schema } of [
    { bodies: batch, isUsualBody: isUsualBatch, schema: ClientLogBatch },
    { bodies: log, isUsualBody: isUsualLog, schema: ClientLog },
  ]) {
    let usual = 0;
    fc.assert(
      fc.property(bodies as fc.Arbitrary<unknown>, (body) => {
        if (!isUsualBody(body)) return;
        usual += 1;
        const checked = schema.safeParse(body);
        expect(checked.success).toBe(true);
        expect(JSON.parse(JSON.stringify(checked.data))).toEqual(JSON.parse(JSON.stringify(body)));
      }),
      { numRuns: 8_000 },
    );
    expect(usual).toBeGreaterThan(100);
  }
});

/** As JSON makes it: every name is an own one. */
const fromPairs = (pairs: readonly (readonly [string, unknown])[]): unknown => {
  const made = {};
  for (const [name, value] of pairs)
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  return made;
};

test('a name is read the same the second time', () => {
  const names = ['token', 'hash', 'plain', 'a?b=c', 'X'.repeat(200), '__proto__', 'constructor'];
  const value = fromPairs(names.map((name) => [name, 'words']));
  const first = JSON.stringify(scrub(value));
  expect(JSON.stringify(scrub(value))).toBe(first);
  expect(JSON.parse(first)).toMatchObject({
    token: '[removed]',
    hash: '[removed]',
    plain: 'words',
    constructor: 'words',
  });
});

describe('how much may wait to be sorted', () => {
  let time = 0;
  const paced = (perSecond: number) => {
    const pace = createPace(() => time);
    for (let n = 0; n < 100; n += 1) pace.sorted(1_000, 1_000_000 / perSecond);
    return pace;
  };
  /** A batch more than what waits is reckoned with: it is done when all of it is. */
  const room = (perSecond: number) => (perSecond * LOG_SORTED_WITHIN_MS) / 1000 - 1_000;

  test('is what sorting manages in time, as fast as it was lately', () => {
    const pace = paced(20_000);
    pace.saw(room(20_000) - 10);
    expect(pace.fullForMs()).toBe(0);
    pace.stored(410);
    expect(pace.fullForMs()).toBeGreaterThanOrEqual(20);
    pace.sorted(1_000, 50);
    expect(pace.fullForMs()).toBe(0);
  });

  test('follows a machine that became slow, and is cautious before anything was sorted', () => {
    for (const [pace, perSecond] of [
      [paced(2_000), 2_000],
      [createPace(() => time), 1_000],
    ] as const) {
      pace.saw(room(perSecond) - 1);
      expect(pace.fullForMs()).toBe(0);
      pace.saw(room(perSecond) + 1);
      expect(pace.fullForMs()).toBeGreaterThan(0);
    }
  });

  test('a batch beside intake says at least how fast it is alone, and at most a third of it', () => {
    const beside = (pace: ReturnType<typeof createPace>, perSecond: number) => {
      for (let n = 0; n < 100; n += 1) {
        pace.stored(1_000);
        pace.sorted(1_000, 1_000_000 / perSecond);
      }
      return pace;
    };
    const isRoomFor = (pace: ReturnType<typeof createPace>, perSecond: number) => {
      pace.saw(room(perSecond) * 0.99);
      const fits = pace.fullForMs() === 0;
      pace.saw(room(perSecond) * 1.01);
      return fits && pace.fullForMs() > 0;
    };
    expect(isRoomFor(beside(paced(18_000), 10_000), 18_000)).toBe(true);
    expect(isRoomFor(beside(paced(18_000), 5_000), 15_000)).toBe(true);
    expect(isRoomFor(beside(paced(4_000), 6_000), 6_000)).toBe(true);
  });

  test('a small batch says nothing about the pace', () => {
    const pace = paced(10_000);
    for (let n = 0; n < 100; n += 1) pace.sorted(1, 1_000);
    pace.saw(room(10_000) - 1);
    expect(pace.fullForMs()).toBe(0);
  });

  test('what waits already counts with the time that it has waited', () => {
    const pace = paced(10_000);
    pace.stored(20_000);
    expect(pace.mayHold()).toBe(true);
    time += 1_500;
    expect([pace.mayHold(), pace.fullForMs()]).toEqual([false, 0]);
    time += 1_000;
    // Until the last of them is sorted.
    expect(pace.fullForMs()).toBeCloseTo(2_100);
    pace.sorted(20_000, 2_000);
    expect(pace.fullForMs()).toBe(0);
  });

  test('what sorting cannot get at keeps nobody out for ever, but for its number', () => {
    const pace = paced(10_000);
    pace.stored(2_000);
    time += LOG_SORTED_WITHIN_MS;
    expect(pace.fullForMs()).toBeGreaterThan(0);
    time += LOG_SORTED_WITHIN_MS + 1;
    expect(pace.fullForMs()).toBe(0);
    pace.stored(room(10_000));
    expect(pace.fullForMs()).toBeGreaterThan(0);
  });

  test('in a flood of any size, on a machine of any pace, nothing waits for five seconds', () => {
    const coming = fc.integer({ min: 100, max: 60_000 });
    const sorting = fc.integer({ min: 1_000, max: 30_000 });
    const share = fc.double({ min: 0.3, max: 1, noNaN: true });
    fc.assert(
      fc.property(coming, sorting, share, (one, other, beside) => {
        expect(longestWait(one, other, beside)).toBeLessThanOrEqual(5_000);
      }),
      {
        examples: [
          [60_000, 5_000, 0.5],
          [25_000, 18_000, 0.5],
          [25_000, 1_000, 0.5],
        ],
      },
    );
  });
});

/**
 * A minute of a service by a clock of its own: so many come a second, so many can be sorted, and beside intake so much
 * of them. Nothing was sorted before. Answers ms.
 */
function longestWait(coming: number, sorting: number, beside: number): number {
  let now = 0;
  const pace = createPace(() => now);
  const arrivals: number[] = [];
  let longest = 0;
  const pass = (work: number) => {
    for (let done = 0; done < work; now += 10) {
      const count = pace.fullForMs() > 0 ? 0 : Math.round(coming / 100);
      for (let n = 0; n < count; n += 1) arrivals.push(now);
      pace.stored(count);
      done += count > 0 ? 10 * beside : 10;
    }
  };
  for (let done = 0; now < 60_000; ) {
    pass(200);
    let isHeld = true;
    const hold = () => {
      for (let held = 0; isHeld && held < 400; held += 50) {
        isHeld = pace.mayHold();
        if (isHeld) pass(50);
      }
    };
    hold();
    for (let count = 1_000; count === 1_000; ) {
      count = Math.min(1_000, arrivals.length - done);
      const begun = now;
      pass((count * 1_000) / sorting);
      longest = Math.max(longest, now - (arrivals[done] ?? now));
      done += count;
      const tookMs = now - begun;
      pace.sorted(count, tookMs);
      if (count === 1_000 && isHeld) hold();
      else if (count === 1_000 && pace.mayRest()) pass(tookMs);
      if (now > 60_000) break;
    }
  }
  return longest;
}
