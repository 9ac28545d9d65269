import { useQuery } from '@tanstack/react-query';
import { useOutbox } from '../../lib/device.ts';
import { read } from '../../lib/query.ts';
import { waitingStill } from './decided-here.ts';

/** How many of the server's count of waiting claims still wait for this member. */
export function useWaiting(communityId: string, waiting: number): number {
  const queue = read('GET /api/communities/:communityId/review', { communityId });
  const seen = useQuery({ ...queue, enabled: false }).data;
  return waitingStill(communityId, waiting, useOutbox(), seen);
}
