import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/query.ts';

/** A community's name, by its id or slug, where a list that is here holds it; nothing is asked for. */
export function useKnownName(community: string | null): string | null {
  const mine = useQuery({ ...read('GET /api/user/communities'), enabled: false });
  const directory = useQuery({ ...read('GET /api/communities'), enabled: false });
  const lists = [...(mine.data ?? []), ...(directory.data ?? [])];
  return lists.find(({ id, slug }) => id === community || slug === community)?.name ?? null;
}
