import type { Query, QueryClient } from '@tanstack/react-query';
import { FRESH_HEADER } from '../../server/contract/sw-messages.ts';
import { request } from './http.ts';
import { isRefused, sameMember } from './query.ts';
import { COMMUNITY_READS, type ReadKey, readsOf, updateReads, urlOf } from './query-keys.ts';

/** What a command in a community changes: its reads, my communities, profile and ledger, the instance's leaderboard. */
const changed: Which = {
  ...readsOf([
    ...COMMUNITY_READS,
    'GET /api/user/profile',
    'GET /api/user/ledger',
    'GET /api/leaderboard',
    'GET /api/quiz',
  ] as const),
  areMineChanged: true,
};

/** Reads that an answered decision leaves as they are: they wait until they are looked at. */
const BESIDE_DECISIONS = readsOf([
  'GET /api/communities/:communityId/claims/:claimId/similar',
  'GET /api/communities/:communityId/saved-replies',
]);
/** The queue, and the reads of which the screen shows only how much waits: the queue says that too. */
const QUEUE = readsOf(['GET /api/communities/:communityId/review']);
const WAITING = readsOf(['GET /api/communities/:communityId/admin', 'GET /api/user/communities']);

/** Commands answered in quick succession share one refetch, to spare the server. */
const QUIET_MS = 300;
const LATEST_MS = 1_000;
/** The queue already shows a decision. By this time the server's own news of it has arrived and shares the refetch. */
const DECISION_QUIET_MS = 1_500;
/** `areMineChanged`: my communities may be others, not only what waits in them. */
type Which = { predicate: (query: Query) => boolean; areMineChanged?: boolean };
let soon: { timer: ReturnType<typeof setTimeout>; first: number; which: Which } | null = null;

/** Refetches after a quiet moment, or after a while of continuous acknowledgements. */
export function refetchChangedSoon(client: QueryClient, areDecisions = false): void {
  const which = areDecisions
    ? { predicate: (query: Query) => !BESIDE_DECISIONS.predicate(query) && changed.predicate(query) }
    : changed;
  const first = soon?.first ?? Date.now();
  const [quiet, latest] = areDecisions ? [DECISION_QUIET_MS, 2 * DECISION_QUIET_MS] : [QUIET_MS, LATEST_MS];
  clearTimeout(soon?.timer);
  const read = () => {
    const due = soon?.which ?? which;
    soon = null;
    void refetchNow(client, due);
  };
  const timer = setTimeout(read, Math.max(0, Math.min(quiet, first + latest - Date.now())));
  soon = { timer, first, which: soon?.which === changed ? changed : which };
}

/**
 * Refetches, from the server itself, what a command has just changed: an ordinary refetch would first get the device's
 * copy, which lacks the command. If the server is unreachable the screen stays; a refused read is removed.
 */
export const refetchChanged = (client: QueryClient): Promise<void> => refetchNow(client, changed);

/** Refetches what the screen shows of what the server says has changed, and what commands were about to refetch. */
export async function refetchLive(client: QueryClient, keys: readonly ReadKey[]): Promise<void> {
  const told = readsOf(keys);
  const due = soon?.which;
  clearTimeout(soon?.timer);
  soon = null;
  if (due) await refetchNow(client, { ...due, predicate: (query) => told.predicate(query) || due.predicate(query) });
  else await refetchShown(client, told);
}

/** What is shown is read now, the rest when it is looked at. */
async function refetchNow(client: QueryClient, which: Which): Promise<void> {
  const rest = client.getQueryCache().findAll({ predicate: which.predicate, type: 'inactive' });
  const later = rest.map(async (query) => {
    // A read on its way may lack the command.
    await client.cancelQueries({ queryKey: query.queryKey, exact: true });
    query.invalidate();
  });
  await Promise.all([refetchShown(client, which), ...later]);
}

async function refetchShown(client: QueryClient, which: Which): Promise<void> {
  const isSameMember = sameMember(client);
  const shown = client.getQueryCache().findAll({ predicate: which.predicate, type: 'active' });
  const isTold = !which.areMineChanged && shown.some(isWholeQueue);
  await Promise.all(
    shown.map(async (query) => {
      const { queryKey } = query;
      if (isTold && WAITING.predicate(query)) return;
      await client.cancelQueries({ queryKey, exact: true });
      try {
        const answer = await request('GET', urlOf(queryKey), undefined, { headers: { [FRESH_HEADER]: '1' } });
        const body: unknown = await answer.json();
        if (!isSameMember()) return;
        client.setQueryData(queryKey, body);
        if (isWholeQueue(query)) putWaiting(client, queryKey[1], (body as { waiting: number }).waiting);
      } catch (error) {
        // The screen has the command's result but the device's copy lacks it, so the next mount reads again.
        await client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
        // A read that was cancelled with nothing on screen starts again, or its screen would wait for ever. A refused
        // read shows its own error.
        if (isRefused(error) || client.getQueryState(queryKey)?.status === 'pending')
          void client.refetchQueries({ queryKey, exact: true, type: 'active' });
      }
    }),
  );
}

const isWholeQueue = (query: Query): boolean => QUEUE.predicate(query) && !urlOf(query.queryKey).includes('?');

function putWaiting(client: QueryClient, communityId: unknown, waiting: number): void {
  updateReads(client, 'GET /api/communities/:communityId/admin', {}, (admin) =>
    admin.community.id === communityId ? { ...admin, waiting } : admin,
  );
  updateReads(client, 'GET /api/user/communities', {}, (mine) =>
    mine.some(({ id, toReview }) => id === communityId && toReview !== waiting)
      ? mine.map((one) => (one.id === communityId ? { ...one, toReview: waiting } : one))
      : mine,
  );
}
