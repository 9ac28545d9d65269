import type { Query, QueryClient } from '@tanstack/react-query';
import { FRESH_HEADER } from '../../server/contract/sw-messages.ts';
import { request } from './http.ts';
import { isTakenBack, sameMember } from './query.ts';
import { COMMUNITY_READS, readsOf, urlOf } from './query-keys.ts';

/** What a command in a community changes: its reads, the list of mine, my profile and ledger, the instance's board. */
const changed = readsOf([
  ...COMMUNITY_READS,
  'GET /api/user/profile',
  'GET /api/user/ledger',
  'GET /api/leaderboard',
  'GET /api/quiz',
] as const);

/** Commands that are answered one after another are followed by one refetch: the server has more to do than that. */
const QUIET_MS = 300;
const LATEST_MS = 1_000;
let quiet: ReturnType<typeof setTimeout> | undefined;
let first = 0;

/** Refetches once nothing more was acknowledged for a moment, or after a second of ever more. */
export function refetchChangedSoon(client: QueryClient): void {
  if (quiet === undefined) first = Date.now();
  clearTimeout(quiet);
  const read = () => {
    quiet = undefined;
    void refetchChanged(client);
  };
  quiet = setTimeout(read, Math.max(0, Math.min(QUIET_MS, first + LATEST_MS - Date.now())));
}

type Which = Pick<typeof changed, 'predicate'> & { type?: 'active' };

/**
 * Refetches, from the server itself, what a command has just changed. A plain refetch would first be answered from the
 * device's copy, which does not show the command yet. Where the server cannot be reached, what is shown stays; where it
 * says that this is not for the member any more, it goes.
 */
export const refetchChanged = (client: QueryClient): Promise<void> => refetchNow(client, changed);

/** The same of other reads. */
export async function refetchNow(client: QueryClient, which: Which): Promise<void> {
  const isSameMember = sameMember(client);
  const stale = client.getQueryCache().findAll(which).filter(isObserved);
  await Promise.all(
    stale.map(async ({ queryKey }) => {
      await client.cancelQueries({ queryKey, exact: true });
      try {
        const answer = await request('GET', urlOf(queryKey), undefined, { headers: { [FRESH_HEADER]: '1' } });
        const body: unknown = await answer.json();
        if (isSameMember()) client.setQueryData(queryKey, body);
      } catch (error) {
        // What is shown has the command's result, the device's copy has not: it is read again at the next look.
        await client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
        // Where nothing is shown, the read that was taken off its way begins again: its screen would wait for ever. One that
        // is refused says so itself.
        if (isTakenBack(error) || client.getQueryState(queryKey)?.status === 'pending')
          void client.refetchQueries({ queryKey, exact: true, type: 'active' });
      }
    }),
  );
}

/** Not what a screen only keeps a place for until it knows whom to ask about. */
const isObserved = (query: Query): boolean =>
  query.state.data !== undefined || query.state.fetchStatus !== 'idle' || !query.isDisabled();
