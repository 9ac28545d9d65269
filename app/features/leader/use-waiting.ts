import { useOutbox } from '../../lib/device.ts';
import { waitingStill } from '../engagement/decided-here.ts';

/** How many of the claims that wait, as the server counted them, still do for who uses this device. */
export const useWaiting = (communityId: string, waiting: number): number =>
  waitingStill(communityId, waiting, useOutbox());
