import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LOG_SORTED_WITHIN_MS } from '../../server/contract/limits.ts';
import { ClientLog, ClientLogBatch } from '../../server/contract/logs.ts';
import { isUsual, isUsualBatch, isUsualLog } from '../../server/features/client-logs/entry.ts';
import { createPace, HOLD_MS } from '../../server/features/client-logs/pace.ts';
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
    { numRuns: 5_000 },
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
  const batches = (pace: ReturnType<typeof createPace>, count: number, tookMs: number) => {
    for (let n = 0; n < count; n += 1) pace.sorted(1_000, tookMs);
  };

  test('is what sorting manages in time, as fast as it was lately', () => {
    const pace = createPace();
    batches(pace, 100, 50);
    const room = (20_000 * LOG_SORTED_WITHIN_MS) / 1000;
    pace.saw(room - 10);
    expect(pace.isFull()).toBe(false);
    pace.stored(10);
    expect(pace.isFull()).toBe(true);
    pace.sorted(1_000, 50);
    expect(pace.isFull()).toBe(false);
  });

  test('is never less than 5,000 a second come to, however slow a batch was', () => {
    const pace = createPace();
    batches(pace, 100, 60_000);
    pace.saw((5_000 * LOG_SORTED_WITHIN_MS) / 1000 - 1);
    expect(pace.isFull()).toBe(false);
    pace.stored(1);
    expect(pace.isFull()).toBe(true);
  });

  test('a small batch says nothing about the pace', () => {
    const pace = createPace();
    for (let n = 0; n < 100; n += 1) pace.sorted(1, 1_000);
    pace.saw((10_000 * LOG_SORTED_WITHIN_MS) / 1000 - 1);
    expect(pace.isFull()).toBe(false);
  });

  test('in an endless flood of any size nothing waits for five seconds', () => {
    const coming = fc.integer({ min: 100, max: 60_000 });
    const sorting = fc.integer({ min: 5_000, max: 30_000 });
    fc.assert(
      fc.property(coming, sorting, (one, other) => {
        expect(longestWait(one, other)).toBeLessThanOrEqual(5_000);
      }),
      { examples: [[60_000, 5_000]] },
    );
  });
});

/** Half a minute of a service by a clock of its own: so many come a second, and so many can be sorted. Answers ms. */
function longestWait(coming: number, sorting: number): number {
  const pace = createPace();
  for (let n = 0; n < 50; n += 1) pace.sorted(1_000, 1_000_000 / sorting);
  const arrivals: number[] = [];
  let now = 0;
  let longest = 0;
  const pass = (ms: number) => {
    for (const end = now + ms; now < end; now += 10) {
      const count = pace.isFull() ? 0 : Math.round(coming / 100);
      for (let n = 0; n < count; n += 1) arrivals.push(now);
      pace.stored(count);
    }
  };
  for (let done = 0; now < 30_000; ) {
    pass(200);
    for (let held = 0; held < HOLD_MS && pace.mayHold(); held += 50) pass(50);
    for (let count = 1_000; count === 1_000; ) {
      count = Math.min(1_000, arrivals.length - done);
      const begun = now;
      pass((count * 1_000) / sorting);
      const tookMs = now - begun;
      longest = Math.max(longest, now - (arrivals[done] ?? now));
      done += count;
      pace.sorted(count, tookMs);
      if (count === 1_000 && pace.mayRest()) pass(tookMs);
      if (now > 30_000) break;
    }
  }
  return longest;
}
