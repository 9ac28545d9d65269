import { communityOf } from '../../lib/subjects.ts';
import { useKnownName } from '../../shared/communities/known-name.ts';

/** Name of the community whose lane it is, as far as the device knows it. */
export const useLaneName = (lane: string): string | null => useKnownName(communityOf(lane));
