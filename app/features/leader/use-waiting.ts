import { useQuery } from '@tanstack/react-query';
import { useOutbox } from '../../lib/device.ts';
import { read } from '../../lib/query.ts';
import { waitingStill } from './review-queue.ts';

/** How many claims wait, without those that were decided here: as far as the queue has been seen. */
export function useWaiting(communityId: string, waiting: number): number {
  const queue = read('GET /api/communities/:communityId/review', { communityId });
  const seen = useQuery({ ...queue, enabled: false }).data;
  return Math.max(0, waitingStill({ items: seen?.items ?? [], waiting }, useOutbox()));
}
