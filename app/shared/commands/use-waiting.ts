import { useQuery } from '@tanstack/react-query';
import { useOutbox } from '../../lib/device.ts';
import { read } from '../../lib/query.ts';
import { waitingStill } from './decided-here.ts';

/** How many of the claims that wait, as the server counted them, still do for who uses this device. */
export function useWaiting(communityId: string, waiting: number): number {
  const queue = read('GET /api/communities/:communityId/review', { communityId });
  const seen = useQuery({ ...queue, enabled: false }).data;
  return waitingStill(communityId, waiting, useOutbox(), seen);
}
