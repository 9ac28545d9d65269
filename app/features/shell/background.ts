/** Background work beside every screen: membership check and health poll. Specification, sections 4, 7 and 9. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  HEALTH_POLL_EVERY_MS,
  MEMBERSHIP_CHECK_EVERY_MS,
  MEMBERSHIP_CHECK_STALE_MS,
} from '../../../server/contract/limits.ts';
import { request } from '../../lib/http.ts';
import { userQuery } from '../../lib/query.ts';
import { COMMUNITY_READS, readsOf } from '../../lib/query-keys.ts';

/** Refetches the user, then the community lists. A failed check changes only the user query. */
export async function checkMembership(client: QueryClient): Promise<number> {
  await client.fetchQuery({ ...userQuery, staleTime: 0 });
  await client.invalidateQueries(readsOf(COMMUNITY_READS));
  return Date.now();
}

/** Every two minutes while signed in, also in a background tab. */
export function useMembershipCheck(signedIn: boolean): void {
  const client = useQueryClient();
  useQuery({
    queryKey: ['membership-check'],
    queryFn: () => checkMembership(client),
    enabled: signedIn,
    // The user has just been fetched, so the first check comes after the interval.
    initialData: Date.now,
    staleTime: MEMBERSHIP_CHECK_STALE_MS,
    refetchInterval: MEMBERSHIP_CHECK_EVERY_MS,
    refetchIntervalInBackground: true,
    retry: false,
  });
}

/** Every 30 seconds; the answer is not used. */
export function useHealthPoll(): void {
  useEffect(() => {
    const timer = setInterval(() => void request('GET', '/api/health').catch(() => undefined), HEALTH_POLL_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}
