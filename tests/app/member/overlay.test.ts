import { describe, expect, it } from 'vitest';
import { type Overlay, overlayDashboard, overlayQueue, overlayTask } from '../../../app/shared/commands/overlay.ts';
import type { Claim } from '../../../server/contract/claims.ts';
import type { Recurrence } from '../../../server/contract/tasks.ts';
import { acknowledgedOf, claimOf, dashboardOf, reviewItemOf, taskOf } from './support.ts';

const BEFORE = 1_000;
const AT = 2_000;
const AFTER = 3_000;
const open = dashboardOf([taskOf('a'), taskOf('b')]);
const statesOf = (overlay: Overlay, asOf: number | null) =>
  overlayDashboard(open, overlay, asOf).tasks.map(({ claim }) => claim?.state ?? 'open');
const own = (over: Partial<Claim> = {}, at = AT) => acknowledgedOf(claimOf({ taskId: 'a', ...over }), { at });
const decided = (over: Partial<Claim>) => acknowledgedOf(claimOf(over), { at: AT, own: false });

describe('what the server has answered about a claim, laid over a copy that does not show it', () => {
  it('holds a card at received although all that is left to read is a copy from before', () => {
    expect(statesOf([own()], BEFORE)).toEqual(['submitted', 'open']);
    expect(overlayTask(taskOf('a'), [own()], BEFORE).claim?.state).toBe('submitted');
  });

  it('gives way to a copy from after it, and to the server itself', () => {
    expect(statesOf([own()], AFTER)).toEqual(['open', 'open']);
    expect(statesOf([own()], null)).toEqual(['open', 'open']);
  });

  it('says the last word on a task', () => {
    expect(statesOf([own(), own({ id: 'again', state: 'approved' }, AFTER)], BEFORE)).toEqual(['approved', 'open']);
  });

  it('takes what was decided out of an old queue, and its count with it', () => {
    const items = [reviewItemOf('one', '2026-11-21T09:00:00.000Z'), reviewItemOf('two', '2026-11-21T10:00:00.000Z')];
    const copy = { items, next: null, waiting: 7 };
    const overlay = [decided({ id: 'one', state: 'rejected' })];
    const left = overlayQueue(copy, overlay, BEFORE);
    expect([left.items.map(({ claim }) => claim.id), left.waiting]).toEqual([['two'], 6]);
    expect(overlayQueue(copy, overlay, AFTER).items).toHaveLength(2);
  });

  it("lays a decision on somebody else's claim over no task of my own", () => {
    const overlay = [decided({ id: 'theirs', taskId: 'a', state: 'approved' })];
    expect(statesOf(overlay, BEFORE)).toEqual(['open', 'open']);
    expect(overlayTask(taskOf('a'), overlay, BEFORE).claim).toBeNull();
  });
});

describe('a copy that is older than the period of a claim', () => {
  const NOON = new Date(2026, 10, 22, 12).getTime();
  const yesterday = new Date(2026, 10, 21, 9).getTime();
  const counted = (over: Partial<Claim>) => claimOf({ taskId: 'a', state: 'approved', ...over });
  const shown = (recurrence: Recurrence, period: string, asOf: number | null = yesterday) =>
    overlayTask(taskOf('a', { recurrence, claim: counted({ period }) }), [], asOf, NOON).claim?.period ?? 'open';

  it('lets what comes again be done again: on the next day, in the next week and month, by the clock of this device', () => {
    expect(shown('daily', '2026-11-21')).toBe('open');
    expect(shown('weekly', '2026-W46')).toBe('open');
    expect(shown('monthly', '2026-10')).toBe('open');
  });

  it('holds what counts in this period still, and what is done once', () => {
    expect(shown('daily', '2026-11-22')).toBe('2026-11-22');
    expect(shown('weekly', '2026-W47')).toBe('2026-W47');
    expect(shown('monthly', '2026-11')).toBe('2026-11');
    expect(shown('once', 'once')).toBe('once');
  });

  it('takes the word of the server, which knows where the member lives', () => {
    expect(shown('daily', '2026-11-21', null)).toBe('2026-11-21');
  });

  it('keeps what a member still has to answer', () => {
    for (const state of ['changes_requested', 'rejected'] as const) {
      const task = taskOf('a', { claim: counted({ period: '2026-11-21', state }) });
      expect(overlayTask(task, [], yesterday, NOON).claim?.state).toBe(state);
    }
  });

  it('goes also for what was answered about a claim since, and for the day of the streak', () => {
    const overlay = [own({ state: 'approved', period: '2026-11-21' }, yesterday + 1)];
    const copy = dashboardOf([taskOf('a')], { countedToday: true });
    const seen = overlayDashboard(copy, overlay, yesterday, NOON);
    expect([seen.tasks[0]?.claim ?? 'open', seen.countedToday]).toEqual(['open', false]);
    expect(overlayDashboard(copy, overlay, NOON - 1, NOON).countedToday).toBe(true);
    expect(overlayDashboard(copy, overlay, null, NOON).countedToday).toBe(true);
  });
});
