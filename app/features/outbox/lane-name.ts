import { useKnownName } from '../engagement/known-name.ts';
import { communityOf } from '../engagement/subjects.ts';

/** Name of the community whose lane it is, as far as the device knows it. */
export const useLaneName = (lane: string): string | null => useKnownName(communityOf(lane));
