import { describe, expect, it } from 'vitest';
import { isAppeal, selectAfter, viewQueue } from '../../../app/features/leader/review/review-queue.ts';
import { entryOf, reviewItemOf } from './support.ts';

const late = reviewItemOf('late', '2026-11-21T12:00:00.000Z');
const early = reviewItemOf('early', '2026-11-21T09:00:00.000Z');
const middle = reviewItemOf('middle', '2026-11-21T10:00:00.000Z');

describe('the review queue', () => {
  it('stands oldest first', () => {
    const { open } = viewQueue('c1', [late, early, middle], []);
    expect(open.map((item) => item.claim.id)).toEqual(['early', 'middle', 'late']);
  });

  it('hears open appeals before all else, and those that are settled in their own time', () => {
    const appeal = { text: 'Please look again.', at: '2026-11-21T13:00:00.000Z', outcome: 'open' as const };
    const heard = { ...early, claim: { ...early.claim, id: 'heard', appeal } };
    const settled = {
      ...late,
      claim: { ...late.claim, id: 'settled', appeal: { ...appeal, outcome: 'refused' as const } },
    };
    const { open } = viewQueue('c1', [middle, settled, heard], []);
    expect(open.map((item) => item.claim.id)).toEqual(['heard', 'middle', 'settled']);
    expect(open.map(isAppeal)).toEqual([true, false, false]);
  });

  it('sets claims apart on which this device has a decision under way', () => {
    const { open, decided } = viewQueue('c1', [late, early], [entryOf('decision:early'), entryOf('claim:c1:late')]);
    expect(open.map((item) => item.claim.id)).toEqual(['late']);
    expect(decided.map((entry) => entry.subject)).toEqual(['decision:early']);
  });

  it('keeps telling of a decision that somebody else was first with, when the claim has left the queue', () => {
    const lost = entryOf('decision:gone', {
      state: 'refused',
      error: { status: 409, reason: 'ALREADY_DECIDED', message: 'Jon decided this already.', requestId: 'r1' },
    });
    expect(viewQueue('c1', [early], [lost]).decided).toEqual([lost]);
    expect(viewQueue('c2', [], [lost]).decided).toEqual([]);
  });

  it('goes on with the claim after the one that was decided', () => {
    const before = [early, middle, late];
    expect(selectAfter(before, [early, late], 'middle')).toBe('late');
    expect(selectAfter(before, [early, middle], 'late')).toBe('early');
    expect(selectAfter(before, before, 'middle')).toBe('middle');
    expect(selectAfter(before, [], 'late')).toBeNull();
  });
});
