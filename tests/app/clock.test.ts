import { afterEach, describe, expect, test, vi } from 'vitest';
import { claim } from '../../app/features/engagement/acts.ts';
import { actedAt, noteAnswer } from '../../app/lib/clock.ts';
import { forgetHints } from '../../app/lib/hints.ts';
import { taskOf } from './member/support.ts';

const enqueued = vi.hoisted(() => vi.fn(async (_entry: { body: unknown }) => 'entry-1'));
vi.mock('../../app/lib/device.ts', () => ({ enqueue: enqueued, discardEntry: vi.fn() }));

const HOUR = 3_600_000;
const NOON = Date.parse('2026-11-21T12:00:00Z');
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

describe('what is done under a clock that was put back behind the server’s last answer', () => {
  test('names no time, so that it counts when it arrives', async () => {
    noteAnswer(NOON);
    expect(actedAt(NOON + HOUR)).toBe('2026-11-21T13:00:00.000Z');
    expect(actedAt(NOON - 24 * HOUR)).toBeUndefined();
    vi.useFakeTimers({ now: NOON - 24 * HOUR });
    await claim('c1', taskOf('t1'));
    expect(enqueued.mock.lastCall?.[0].body).toEqual({});
  });
  test('also after an answer under that clock, and another member’s sign-in', () => {
    noteAnswer(NOON);
    noteAnswer(NOON - 24 * HOUR);
    forgetHints();
    expect(actedAt(NOON - 23 * HOUR)).toBeUndefined();
  });
  test('a clock that is put right by minutes is believed, and so is one after years of a wrong one', () => {
    noteAnswer(NOON);
    expect(actedAt(NOON - 60_000)).toBe('2026-11-21T11:59:00.000Z');
    noteAnswer(NOON + 10_000 * HOUR);
    expect(actedAt(NOON)).toBe('2026-11-21T12:00:00.000Z');
    noteAnswer(NOON);
    expect(actedAt(NOON - 24 * HOUR)).toBeUndefined();
  });
});
