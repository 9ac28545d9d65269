/** When a visit begins and what it is told of: what came between the last one and this, once. */
import { describe, expect, test } from 'vitest';
import { sinceOf } from '../../../app/features/dashboard/since.ts';
import { type Seen, type Visit, visitAt } from '../../../app/features/dashboard/visit.ts';
import { viewToday } from '../../../app/shared/tasks/task-view.ts';
import type { LedgerEntry } from '../../../server/contract/ledger.ts';
import { claimOf, dashboardOf, taskOf } from './support.ts';

const MINUTE_MS = 60_000;
const NOW = Date.parse('2026-11-26T14:40:00.000Z');
const seen = (minutes: number, over: Partial<Seen> = {}): Seen => ({
  at: NOW + minutes * MINUTE_MS,
  rank: 23,
  points: 1_240,
  ...over,
});
const at = (minutes: number): number => NOW + minutes * MINUTE_MS;

describe('a visit', () => {
  const first = visitAt(null, seen(0), at(0));

  test('goes on while somebody looks, and remembers the newest that was seen', () => {
    expect(first).toEqual({ from: at(0), lookedAt: at(0), before: null, seen: seen(0) });
    const later = visitAt(first, seen(20, { points: 1_245 }), at(20));
    expect(later).toMatchObject({ from: at(0), before: null, seen: { points: 1_245 } });
    // A copy from before does not make what was seen older.
    expect(visitAt(later, seen(5), at(25))).toMatchObject({ from: at(0), seen: { points: 1_245 } });
  });

  test('begins anew after half an hour, with what the one before it saw', () => {
    expect(visitAt(first, seen(31), at(31))).toMatchObject({ from: at(31), before: seen(0) });
    expect(visitAt(first, seen(29), at(29))).toMatchObject({ from: at(0), before: null });
  });

  test('also where the device’s clock was put back', () => {
    expect(visitAt(first, seen(1), at(-120))).toMatchObject({ from: at(-120), before: seen(0) });
  });
});

describe('since the last visit', () => {
  const visit: Visit = { from: at(60), lookedAt: at(60), before: seen(0), seen: seen(60) };
  const line = (minutes: number, points: number, kind: LedgerEntry['kind'] = 'award'): LedgerEntry => ({
    id: `${minutes}`,
    at: new Date(at(minutes)).toISOString(),
    kind,
    points,
    community: 'Walkers',
    task: 'A task',
    reason: null,
    by: null,
  });
  const told = (lines: LedgerEntry[], over: Parameters<typeof dashboardOf>[1] = {}, of: Visit = visit) => {
    const claim = (minutes: number) =>
      claimOf({ state: 'changes_requested', decidedAt: new Date(at(minutes)).toISOString() });
    const dashboard = dashboardOf([taskOf('a', { claim: claim(30) }), taskOf('b', { claim: claim(-30) })], over);
    return sinceOf(of, dashboard, viewToday(dashboard, [], NOW).tasks, lines);
  };

  test('counts what came in between, what was taken back too, and not what this visit brings', () => {
    const since = told([line(61, 5), line(40, -10, 'reverse'), line(20, 25), line(10, 30), line(0, 7)], { rank: 20 });
    expect(since).toMatchObject({ at: at(0), points: 45, counted: 2, rank: { from: 23, to: 20 } });
    expect(since?.returned.map(({ task }) => task.id)).toEqual(['a']);
  });

  test('is nothing on the first visit, and where nothing happened but that others moved', () => {
    expect(told([line(20, 25)], {}, { ...visit, before: null })).toBeNull();
    const dashboard = dashboardOf([], { rank: 30 });
    expect(sinceOf(visit, dashboard, [], [line(-5, 25)])).toBeNull();
  });

  test('names what was announced meanwhile', () => {
    const said = { title: 'Closed', body: '', by: 'Inês', pinnedUntil: null };
    const announcements = [15, -15].map((minutes) => ({
      ...said,
      id: `${minutes}`,
      at: new Date(at(minutes)).toISOString(),
    }));
    expect(told([], { announcements })?.announcements.map(({ id }) => id)).toEqual(['15']);
  });
});
