import { describe, expect, it } from 'vitest';
import { selectAfter, viewQueue } from '../../../app/features/leader/review-queue.ts';
import { entryOf, reviewItemOf } from './support.ts';

const late = reviewItemOf('late', '2026-11-21T12:00:00.000Z');
const early = reviewItemOf('early', '2026-11-21T09:00:00.000Z');
const middle = reviewItemOf('middle', '2026-11-21T10:00:00.000Z');

describe('the review queue', () => {
  it('stands oldest first', () => {
    const { open } = viewQueue('c1', [late, early, middle], []);
    expect(open.map((item) => item.claim.id)).toEqual(['early', 'middle', 'late']);
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
