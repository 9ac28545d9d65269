import { beforeEach, describe, expect, it } from 'vitest';
import { keepTold, knowingDashboard, knowingQueue, knowingTask } from '../../../app/features/engagement/told.ts';
import { forgetHints } from '../../../app/lib/hints.ts';
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
    keepTold([claimOf({ id: 'one', state: 'rejected' })], AT);
    const left = knowingQueue(copy, BEFORE);
    expect([left.items.map(({ claim }) => claim.id), left.waiting]).toEqual([['two'], 6]);
    expect(knowingQueue(copy, AFTER).items).toHaveLength(2);
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
