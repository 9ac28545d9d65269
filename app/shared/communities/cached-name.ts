import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/query.ts';

/** A community's name by id or slug, from a cached list only; never sends a request. */
export function useCachedName(community: string | null): string | null {
  const mine = useQuery({ ...read('GET /api/user/communities'), enabled: false });
  const directory = useQuery({ ...read('GET /api/communities'), enabled: false });
  const lists = [...(mine.data ?? []), ...(directory.data ?? [])];
  return lists.find(({ id, slug }) => id === community || slug === community)?.name ?? null;
}
