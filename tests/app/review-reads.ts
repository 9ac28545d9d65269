import type { MemberRecord } from '../../server/contract/review.ts';
import { json } from './support.tsx';

export const recordOf = (over: Partial<MemberRecord> = {}): MemberRecord => ({
  id: 'm1',
  displayName: 'Tomás Kral',
  joinedAt: '2026-05-01T00:00:00.000Z',
  points: 120,
  approved: 4,
  rejected: 1,
  appeals: 0,
  last: [],
  trust: null,
  ...over,
});

/** What the review reads beside its queue: a record with nothing decided, nothing alike, the app's own replies. */
export function besideReview(url: string): Response | null {
  if (url.includes('/similar')) return json([]);
  if (url.includes('/record')) return json(recordOf());
  return url.includes('/saved-replies') ? json(null) : null;
}
