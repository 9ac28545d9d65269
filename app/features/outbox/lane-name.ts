import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/query.ts';
import { communityOf } from '../engagement/subjects.ts';

/** Name of the community whose lane it is, as far as the device knows it. */
export function useLaneName(lane: string): string | null {
  const mine = useQuery({ ...read('GET /api/user/communities'), enabled: false });
  const id = communityOf(lane);
  return mine.data?.find((community) => community.id === id)?.name ?? null;
}
