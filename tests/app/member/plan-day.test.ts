/** The plan of a member's day: what stands where, what comes next, until when, and what keeps the streak. */

import { describe, expect, test } from 'vitest';
import { type DayPlan, momentOf, planDay, timeLeft } from '../../../app/features/dashboard/plan-day.ts';
import type { OutboxEntry } from '../../../app/lib/device.ts';
import { viewToday } from '../../../app/shared/tasks/task-view.ts';
import type { Dashboard } from '../../../server/contract/communities.ts';
import { levelOf } from '../../../server/contract/limits.ts';
import type { Gate, TaskWithClaim } from '../../../server/contract/tasks.ts';
import { dayAt, localDay } from '../../../server/rules/periods.ts';
import { fc } from '../../support/chance.ts';
import { claimOf, dashboardOf, entryOf, taskOf } from './support.ts';

/** A Thursday. */
const NOW = Date.parse('2026-11-26T14:40:00.000Z');
const HOUR_MS = 60 * 60_000;

function plan(tasks: TaskWithClaim[], over: Partial<Dashboard> = {}, outbox: OutboxEntry[] = [], now = NOW): DayPlan {
  const dashboard = dashboardOf(tasks, { timeZone: 'UTC', ...over });
  return planDay(dashboard, viewToday(dashboard, outbox, now), now, 'UTC');
}
const ids = (views: DayPlan['today']) => views.map(({ task }) => task.id);
const closes = (closesAt: string) => ({ schedule: { opensAt: null, closesAt, window: null } });
const shut = (reason: NonNullable<Gate['reason']>, opensAt: string | null = null) => ({
  gate: { open: false, reason, opensAt, path: [] },
});
const event = (startsAt: string, endsAt: string): Partial<TaskWithClaim> => ({
  kind: 'telegram_event',
  recurrence: 'once',
  ask: { kind: 'telegram_event', place: 'Kestrel car park', startsAt, endsAt, publicKey: 'k' },
});
const counted = (taskId: string, decidedAt: string) => ({
  claim: claimOf({ taskId, state: 'approved', points: 5, decidedAt }),
});

describe('where a task stands', () => {
  test('by how often it can be done, and by when it ends', () => {
    const day = plan([
      taskOf('daily'),
      taskOf('weekly', { recurrence: 'weekly' }),
      taskOf('once', { recurrence: 'once' }),
      taskOf('monthly', { recurrence: 'monthly' }),
      taskOf('ends today', { recurrence: 'once', ...closes('2026-11-26T20:00:00.000Z') }),
      taskOf('ends on Sunday', { recurrence: 'once', ...closes('2026-11-29T20:00:00.000Z') }),
      taskOf('ends on Monday', { recurrence: 'once', ...closes('2026-11-30T20:00:00.000Z') }),
      taskOf('event tonight', event('2026-11-26T18:00:00.000Z', '2026-11-26T20:00:00.000Z')),
    ]);
    expect(ids(day.today)).toEqual(['daily', 'ends today', 'event tonight']);
    expect(ids(day.thisWeek)).toEqual(['weekly', 'ends on Sunday']);
    expect(ids(day.anytime)).toEqual(['once', 'monthly', 'ends on Monday']);
  });

  test('what needs the member first, what is settled last, the present day apart from those before', () => {
    const day = plan([
      taskOf('back', { claim: claimOf({ taskId: 'back', state: 'changes_requested' }) }),
      taskOf('no', { claim: claimOf({ taskId: 'no', state: 'rejected' }) }),
      taskOf('today', counted('today', '2026-11-26T09:00:00.000Z')),
      taskOf('before', { recurrence: 'once', ...counted('before', '2026-11-20T09:00:00.000Z') }),
    ]);
    expect(ids(day.needsYou)).toEqual(['back', 'no']);
    expect([ids(day.done), ids(day.doneBefore)]).toEqual([['today'], ['before']]);
  });

  test('a door that opens by itself stands under the day on which it does; one that nobody knows of stands apart', () => {
    const day = plan([
      taskOf('evening', shut('window', '2026-11-26T18:00:00.000Z')),
      taskOf('Saturday', shut('not_open_yet', '2026-11-28T09:00:00.000Z')),
      taskOf('next week', shut('not_open_yet', '2026-12-03T09:00:00.000Z')),
      taskOf('first', shut('conditions')),
    ]);
    expect([ids(day.today), ids(day.thisWeek), ids(day.locked)]).toEqual([
      ['evening'],
      ['Saturday'],
      ['next week', 'first'],
    ]);
  });
});

describe('what comes next', () => {
  const text = taskOf('text', { kind: 'submit_text', ask: { kind: 'submit_text', minLength: 1 } });
  const back = taskOf('back', { claim: claimOf({ taskId: 'back', state: 'changes_requested' }) });
  const tonight = taskOf('tonight', event('2026-11-26T18:00:00.000Z', '2026-11-26T20:00:00.000Z'));

  test('what keeps the streak, soonest counted first, while the day has nothing', () => {
    const day = plan([text, back, tonight, taskOf('check in', { recurrence: 'weekly' })]);
    expect([day.next?.task.id, day.keepsStreak]).toEqual(['check in', true]);
    expect(plan([text, back, tonight]).next?.task.id).toBe('text');
  });

  test('while the day waits for a reviewer, what counts at once; another answer to review would be no surer', () => {
    const sent = taskOf('sent', { claim: claimOf({ taskId: 'sent', submittedAt: '2026-11-26T09:00:00.000Z' }) });
    expect(plan([sent, text, taskOf('check in')])).toMatchObject({
      next: { task: { id: 'check in' } },
      keepsStreak: true,
    });
    expect(plan([sent, text])).toMatchObject({ next: { task: { id: 'text' } }, keepsStreak: false });
  });

  test('an event keeps no streak before it begins', () => {
    expect(plan([tonight])).toMatchObject({ next: { task: { id: 'tonight' } }, keepsStreak: false });
    const during = Date.parse('2026-11-26T18:30:00.000Z');
    expect(plan([tonight], {}, [], during)).toMatchObject({ keepsStreak: true });
  });

  test('then what was sent back, then what begins or ends soonest, then the first of the list', () => {
    const over = { countedToday: true };
    const tasks = [text, taskOf('soon', { recurrence: 'once', ...closes('2026-11-26T16:00:00.000Z') }), tonight];
    expect(plan([...tasks, back], over)).toMatchObject({ next: { task: { id: 'back' } }, keepsStreak: false });
    expect(plan(tasks, over).next?.task.id).toBe('soon');
    expect(plan([text, taskOf('b')], over).next?.task.id).toBe('text');
  });

  test('nothing, where all is done, waits for others, or is on its way', () => {
    const waiting = taskOf('a', { claim: claimOf({ taskId: 'a' }) });
    expect(plan([waiting]).next).toBeNull();
    expect(plan([taskOf('a')], {}, [entryOf('claim:c1:a')]).next).toBeNull();
    expect(plan([]).next).toBeNull();
  });
});

describe('what keeps the streak', () => {
  test('nothing yet, pencil, a claim with a reviewer, or a counted one', () => {
    const sent = (submittedAt: string) => taskOf('a', { claim: claimOf({ taskId: 'a', submittedAt }) });
    expect(plan([taskOf('a')]).state).toBe('open');
    expect(plan([taskOf('a')], {}, [entryOf('claim:c1:a')]).state).toBe('pencil');
    expect(plan([sent('2026-11-26T09:00:00.000Z')]).state).toBe('review');
    // Yesterday's is for yesterday.
    expect(plan([sent('2026-11-25T09:00:00.000Z')]).state).toBe('open');
    expect(plan([taskOf('a')], { countedToday: true }).state).toBe('counted');
  });

  test('until the member’s own midnight, wherever the device is', () => {
    const day = (timeZone: string, at: string) => {
      const now = Date.parse(at);
      const { endsAt, hoursGone, weekEndsAt } = plan([], { timeZone }, [], now);
      return { left: timeLeft(endsAt, now), hoursGone, weekEndsAt: new Date(weekEndsAt).toISOString() };
    };
    expect(day('UTC', '2026-11-26T14:40:00.000Z')).toEqual({
      left: { hours: 9, minutes: 20 },
      hoursGone: 14,
      weekEndsAt: '2026-11-30T00:00:00.000Z',
    });
    expect(day('Asia/Tokyo', '2026-11-26T14:40:00.000Z')).toMatchObject({
      left: { hours: 0, minutes: 20 },
      hoursGone: 23,
      weekEndsAt: '2026-11-29T15:00:00.000Z',
    });
    // Sunday's week ends with its day.
    expect(day('UTC', '2026-11-29T23:00:00.000Z').weekEndsAt).toBe('2026-11-30T00:00:00.000Z');
    // Clocks go back on this day, which has 25 hours.
    expect(day('Europe/Lisbon', '2026-10-24T23:30:00.000Z').left).toEqual({ hours: 24, minutes: 30 });
  });

  test('a copy that names no zone is of the device’s', () => {
    const dashboard = dashboardOf([]);
    const { endsAt } = planDay(dashboard, viewToday(dashboard, [], NOW), NOW, 'Asia/Tokyo');
    expect(new Date(endsAt).toISOString()).toBe('2026-11-26T15:00:00.000Z');
  });
});

test('each task stands in one place, the day ends at the next midnight, and what comes next can be done', () => {
  const states = ['submitted', 'approved', 'rejected', 'changes_requested', 'reversed'] as const;
  const anInstant = fc.integer({ min: -40, max: 400 }).map((hours) => new Date(NOW + hours * HOUR_MS).toISOString());
  const aTask = fc.record({
    recurrence: fc.constantFrom('once', 'daily', 'weekly', 'monthly'),
    closesAt: fc.option(anInstant),
    claim: fc.option(fc.constantFrom(...states)),
    opensAt: fc.option(anInstant),
    isShut: fc.boolean(),
    isKept: fc.boolean(),
  });
  const zones = ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati', 'Europe/Lisbon'];
  fc.assert(
    fc.property(
      fc.array(aTask, { maxLength: 8 }),
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 400 * 24 }),
      (made, timeZone, hour) => {
        const now = NOW + hour * HOUR_MS;
        const tasks = made.map(({ recurrence, closesAt, claim, opensAt, isShut }, at) =>
          taskOf(`t${at}`, {
            recurrence,
            schedule: { opensAt: null, closesAt, window: null },
            claim: claim && claimOf({ taskId: `t${at}`, state: claim }),
            ...(isShut && shut('window', opensAt)),
          }),
        );
        const outbox = made.flatMap(({ isKept }, at) => (isKept ? [entryOf(`claim:c1:t${at}`)] : []));
        const day = plan(tasks, { timeZone }, outbox, now);
        const all = [day.needsYou, day.today, day.thisWeek, day.anytime, day.locked, day.done, day.doneBefore].flat();
        expect(ids(all).sort()).toEqual(tasks.map(({ id }) => id).sort());
        expect(localDay(new Date(day.endsAt), timeZone)).toBe(dayAt(localDay(new Date(now), timeZone), 1));
        expect(localDay(new Date(day.endsAt - 1), timeZone)).toBe(localDay(new Date(now), timeZone));
        expect(day.weekEndsAt).toBeGreaterThanOrEqual(day.endsAt);
        if (day.next) expect(['open', 'changes']).toContain(day.next.state);
        else expect(all.filter(({ state }) => state === 'open' || state === 'changes')).toEqual([]);
      },
    ),
  );
});

describe('the moment at which something is counted', () => {
  const level = (points: number) => levelOf(points).level;
  const from = Date.parse('2026-11-26T14:30:00.000Z');
  const moment = (tasks: TaskWithClaim[], over: Partial<Dashboard>) => {
    const dashboard = dashboardOf(tasks, { timeZone: 'UTC', countedToday: true, ...over });
    return momentOf(dashboard, planDay(dashboard, viewToday(dashboard, [], NOW), NOW, 'UTC'), from, level);
  };
  const now = taskOf('now', counted('now', '2026-11-26T14:39:00.000Z'));
  const earlier = taskOf('earlier', counted('earlier', '2026-11-26T09:00:00.000Z'));

  test('the first of the day makes the streak grow, and may fill a gate', () => {
    expect(moment([now], { streakDays: 15 })).toMatchObject({ points: 5, streakDays: 15, gate: 3 });
    expect(moment([now], { streakDays: 14 })).toMatchObject({ streakDays: 14, gate: null });
    expect(moment([now, earlier], { streakDays: 15 })).toMatchObject({ points: 5, streakDays: null, gate: null });
  });

  test('a level that these points have reached', () => {
    expect(level(100)).toBe(1);
    expect(moment([now], { points: 102 })).toMatchObject({ level: 1 });
    expect(moment([now], { points: 106 })).toMatchObject({ level: null });
  });

  test('none, where nothing was counted in this visit', () => {
    expect(moment([earlier], { streakDays: 15 })).toBeNull();
    expect(moment([], {})).toBeNull();
  });
});
