import { beforeEach, describe, expect, it } from 'vitest';
import {
  keepDecided,
  keepTold,
  knowingDashboard,
  knowingQueue,
  knowingTask,
} from '../../../app/features/engagement/told.ts';
import { forgetHints } from '../../../app/lib/hints.ts';
import type { Claim } from '../../../server/contract/claims.ts';
import type { Recurrence } from '../../../server/contract/tasks.ts';
import { claimOf, dashboardOf, reviewItemOf, taskOf } from './support.ts';

const BEFORE = 1_000;
const AT = 2_000;
const AFTER = 3_000;
const open = dashboardOf([taskOf('a'), taskOf('b')]);
const statesOf = (asOf: number | null) => knowingDashboard(open, asOf).tasks.map(({ claim }) => claim?.state ?? 'open');

beforeEach(() => localStorage.clear());

describe('what the server has told of a claim, laid over a copy that does not know of it', () => {
  it('holds a card at received although all that is left to read is a copy from before', () => {
    keepTold([claimOf({ taskId: 'a' })], AT);
    expect(statesOf(BEFORE)).toEqual(['submitted', 'open']);
    expect(knowingTask(taskOf('a'), BEFORE).claim?.state).toBe('submitted');
  });

  it('gives way to a copy from after it, and to the server itself', () => {
    keepTold([claimOf({ taskId: 'a' })], AT);
    expect(statesOf(AFTER)).toEqual(['open', 'open']);
    expect(statesOf(null)).toEqual(['open', 'open']);
  });

  it('says the last word that was told of one claim', () => {
    keepTold([claimOf({ taskId: 'a' })], AT);
    keepTold([claimOf({ taskId: 'a', state: 'approved' })], AFTER);
    expect(statesOf(BEFORE)).toEqual(['approved', 'open']);
  });

  it('takes what was decided out of an old queue, and its count with it', () => {
    const items = [reviewItemOf('one', '2026-11-21T09:00:00.000Z'), reviewItemOf('two', '2026-11-21T10:00:00.000Z')];
    const copy = { items, next: null, waiting: 7 };
    keepDecided([claimOf({ id: 'one', state: 'rejected' })], AT);
    const left = knowingQueue(copy, BEFORE);
    expect([left.items.map(({ claim }) => claim.id), left.waiting]).toEqual([['two'], 6]);
    expect(knowingQueue(copy, AFTER).items).toHaveLength(2);
  });

  it("lays a decision on somebody else's claim over no task of my own", () => {
    keepDecided([claimOf({ id: 'theirs', taskId: 'a', state: 'approved' })], AT);
    expect(statesOf(BEFORE)).toEqual(['open', 'open']);
    expect(knowingTask(taskOf('a'), BEFORE).claim).toBeNull();
  });

  it('is forgotten with the member', () => {
    keepTold([claimOf({ taskId: 'a' })], AT);
    forgetHints();
    expect(statesOf(BEFORE)).toEqual(['open', 'open']);
  });

  it('is left out, and nothing breaks, where storage holds something else', () => {
    localStorage.setItem('muster-told', '{');
    expect(statesOf(BEFORE)).toEqual(['open', 'open']);
  });
});

describe('a copy that is older than the period of a claim', () => {
  const NOON = new Date(2026, 10, 22, 12).getTime();
  const yesterday = new Date(2026, 10, 21, 9).getTime();
  const counted = (over: Partial<Claim>) => claimOf({ taskId: 'a', state: 'approved', ...over });
  const shown = (recurrence: Recurrence, period: string, asOf: number | null = yesterday) =>
    knowingTask(taskOf('a', { recurrence, claim: counted({ period }) }), asOf, NOON).claim?.period ?? 'open';

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
      expect(knowingTask(task, yesterday, NOON).claim?.state).toBe(state);
    }
  });

  it('goes also for what was told of a claim since, and for the day of the streak', () => {
    keepTold([counted({ period: '2026-11-21' })], yesterday + 1);
    const copy = dashboardOf([taskOf('a')], { countedToday: true });
    const seen = knowingDashboard(copy, yesterday, NOON);
    expect([seen.tasks[0]?.claim ?? 'open', seen.countedToday]).toEqual(['open', false]);
    expect(knowingDashboard(copy, NOON - 1, NOON).countedToday).toBe(true);
    expect(knowingDashboard(copy, null, NOON).countedToday).toBe(true);
  });
});
