import { describe, expect, it } from 'vitest';
import { selectAfter, viewQueue } from '../../../app/features/leader/review-queue.ts';
import { entryOf, reviewItemOf } from './support.ts';

const late = reviewItemOf('late', '2026-11-21T12:00:00.000Z');
const early = reviewItemOf('early', '2026-11-21T09:00:00.000Z');
const middle = reviewItemOf('middle', '2026-11-21T10:00:00.000Z');

describe('the review queue', () => {
  it('stands oldest first', () => {
    expect(viewQueue([late, early, middle], []).open.map((item) => item.claim.id)).toEqual(['early', 'middle', 'late']);
  });

  it('sets claims apart on which this device has a decision under way', () => {
    const views = viewQueue([late, early], [entryOf('decision:early'), entryOf('claim:c1:early')]);
    expect(views.open.map((item) => item.claim.id)).toEqual(['late']);
    expect(views.decided.map((view) => [view.item.claim.id, view.entry?.state])).toEqual([['early', 'waiting']]);
  });

  it('goes on with the claim after the one that was decided', () => {
    const before = [early, middle, late];
    expect(selectAfter(before, [early, late], 'middle')).toBe('late');
    expect(selectAfter(before, [early, middle], 'late')).toBe('early');
    expect(selectAfter(before, before, 'middle')).toBe('middle');
    expect(selectAfter(before, [], 'late')).toBeNull();
  });
});
