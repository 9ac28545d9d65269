import type { Query, QueryClient } from '@tanstack/react-query';
import { FRESH_HEADER } from '../../server/contract/sw-messages.ts';
import { request } from './http.ts';
import { isTakenBack, sameMember } from './query.ts';
import { COMMUNITY_READS, readsOf, urlOf } from './query-keys.ts';

/** What a command in a community changes: its reads, my communities, profile and ledger, the instance's leaderboard. */
const changed = readsOf([
  ...COMMUNITY_READS,
  'GET /api/user/profile',
  'GET /api/user/ledger',
  'GET /api/leaderboard',
  'GET /api/quiz',
] as const);

/** Commands answered in quick succession share one refetch, to spare the server. */
const QUIET_MS = 300;
const LATEST_MS = 1_000;
let quiet: ReturnType<typeof setTimeout> | undefined;
let first = 0;

/** Refetches after a quiet moment, or after a second of continuous acknowledgements. */
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
 * Refetches, from the server itself, what a command has just changed: an ordinary refetch would first get the device's
 * copy, which lacks the command. If the server is unreachable the screen stays; a refused read is removed.
 */
export const refetchChanged = (client: QueryClient): Promise<void> => refetchNow(client, changed);

/** As `refetchChanged`, for other reads. */
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
        // The screen has the command's result but the device's copy lacks it, so the next mount reads again.
        await client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
        // A read that was cancelled with nothing on screen starts again, or its screen would wait for ever. A refused
        // read shows its own error.
        if (isTakenBack(error) || client.getQueryState(queryKey)?.status === 'pending')
          void client.refetchQueries({ queryKey, exact: true, type: 'active' });
      }
    }),
  );
}

/** Placeholder queries that do not know their subject yet are skipped. */
const isObserved = (query: Query): boolean =>
  query.state.data !== undefined || query.state.fetchStatus !== 'idle' || !query.isDisabled();
