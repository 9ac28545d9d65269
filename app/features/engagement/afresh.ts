import type { QueryClient } from '@tanstack/react-query';
import { FRESH_HEADER } from '../../../server/contract/sw-messages.ts';
import { request } from '../../lib/http.ts';
import { isCommunityRead, urlOf } from '../../lib/query.ts';

/** What an act in a community changes: its reads, the list of mine, my profile and ledger, the instance's board. */
const changes = (queryKey: readonly unknown[]): boolean =>
  isCommunityRead(queryKey) || /^\/api\/(user\/(profile|ledger)|leaderboard)(\?|$)/.test(urlOf(queryKey));

/**
 * Reads again, from the server itself, what an act has just changed. A plain refetch would first be answered from the
 * device's copy, which does not know of the act yet. Where the server cannot be reached, what is shown stays.
 */
export async function readAfresh(client: QueryClient): Promise<void> {
  const stale = client.getQueryCache().findAll({ predicate: ({ queryKey }) => changes(queryKey) });
  await Promise.all(
    stale.map(async ({ queryKey }) => {
      await client.cancelQueries({ queryKey, exact: true });
      try {
        const answer = await request('GET', urlOf(queryKey), undefined, { headers: { [FRESH_HEADER]: '1' } });
        client.setQueryData(queryKey, await answer.json());
      } catch {
        // What is shown already knows of the act, the device's copy does not: it is read again at the next look.
        await client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
      }
    }),
  );
}
