import { communityOf } from '../../lib/subjects.ts';
import { useKnownName } from '../../shared/communities/known-name.ts';

/** The name of a lane's community, if the device knows it. */
export const useLaneName = (lane: string): string | null => useKnownName(communityOf(lane));
