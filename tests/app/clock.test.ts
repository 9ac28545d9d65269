import { describe, expect, test, vi } from 'vitest';
import { actedAt, noteAnswer, noteTime, timeNow } from '../../app/lib/clock.ts';
import { forgetHints } from '../../app/lib/hints.ts';
import { request } from '../../app/lib/http.ts';
import { claim } from '../../app/shared/commands/member-commands.ts';
import { taskOf } from './member/support.ts';
import { own } from './support.tsx';

const enqueued = vi.hoisted(() => vi.fn(async (_entry: { body: unknown }) => 'entry-1'));
vi.mock('../../app/lib/device.ts', () => ({ enqueue: enqueued, discardEntry: vi.fn(), holdsCommands: () => false }));

const HOUR = 3_600_000;
const NOON = Date.parse('2026-11-21T12:00:00Z');

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

describe('what is done under a clock that is hours off', () => {
  const said = (at: number, cache = 'no-store') =>
    own(new Response('{}', { headers: { date: new Date(at).toUTCString(), 'cache-control': cache } }));
  test.each([
    [-3 * HOUR, 'no-store'],
    [-60_000, 'no-store'],
    [60_000, 'private, no-cache'],
    [5 * HOUR, 'private, no-cache'],
  ])('carries the server’s time, off by %i ms, from an answer that is %s', async (off, cache) => {
    vi.useFakeTimers({ now: NOON + off });
    vi.stubGlobal('fetch', async () => said(NOON, cache));
    await request('GET', '/api/health');
    vi.unstubAllGlobals();
    vi.setSystemTime(NOON + off + 2 * HOUR);
    expect(timeNow()).toBe(NOON + 2 * HOUR);
    forgetHints();
    await claim('c1', taskOf('t1'));
    expect(enqueued.mock.lastCall?.[0].body).toEqual({ actedAt: '2026-11-21T14:00:00.000Z' });
  });
  test('a clock that is right stays as it is, however long an answer took, and so does one that was put right', () => {
    noteTime(said(NOON), NOON - 9_000, NOON + HOUR);
    expect(timeNow(NOON)).toBe(NOON);
    noteTime(said(NOON), NOON + HOUR, NOON + HOUR + 400);
    expect(timeNow(NOON + HOUR)).toBe(NOON);
    noteTime(said(NOON), NOON + 900, NOON + 1_300);
    expect(timeNow(NOON)).toBe(NOON);
  });
  test('an answer that may have been kept, or tells no time, says nothing of it', () => {
    noteTime(said(NOON, 'private, max-age=600'), NOON + HOUR, NOON + HOUR);
    noteTime(new Response('{}', { headers: { 'cache-control': 'no-store' } }), NOON, NOON);
    expect(timeNow(NOON)).toBe(NOON);
  });
});
