/** Rules of cached queries: specification, sections 7, 8 and 9. */
import {
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import {
  AUTH_USER_KEPT_MS,
  AUTH_USER_STALE_MS,
  MUTATION_KEPT_MS,
  QUERY_KEPT_MS,
  QUERY_RETRIES,
  QUERY_STALE_MS,
  RETRY_FIRST_DELAY_MS,
  RETRY_MAX_DELAY_MS,
  USER_QUERY_FIRST_DELAY_MS,
  USER_QUERY_RETRIES_WHEN_AWAY,
} from '../../server/contract/limits.ts';
import type { Key, OutputOf, QueryOf } from '../../server/contract/routes.ts';
import type { User } from '../../server/contract/user.ts';
import {
  addressOf,
  cachedAtOf,
  isMembershipRevoked,
  isNetworkFailure,
  type ParamsOf,
  request,
  statusOf,
} from './http.ts';
import { settleSignOut } from './owed-sign-out.ts';

/** Where a query key points: its segments joined with '/'. */
export const urlOf = (queryKey: QueryKey): string => queryKey.join('/');

/**
 * Reads JSON from the key's URL. A 401 is an error, or an empty answer where `on401` says `null`.
 */
export function reader<T>(on401: 'throw'): (context: Asked) => Promise<T>;
export function reader<T>(on401: 'null'): (context: Asked) => Promise<T | null>;
export function reader<T>(on401: 'throw' | 'null') {
  return async ({ queryKey, signal }: Asked): Promise<T | null> => {
    try {
      const response = await request('GET', urlOf(queryKey), undefined, { signal });
      return (await response.json()) as T;
    } catch (error) {
      if (on401 === 'null' && statusOf(error) === 401) return null;
      throw error;
    }
  };
}
type Asked = { queryKey: QueryKey; signal?: AbortSignal };

const isFinal = (error: unknown) => statusOf(error) === 401 || statusOf(error) === 403;
const doubling = (first: number) => (attempt: number) => Math.min(first * 2 ** attempt, RETRY_MAX_DELAY_MS);

/** 401 and 403 are final, by their typed status; anything else is tried twice more. */
export const retryRead = (failures: number, error: unknown): boolean => !isFinal(error) && failures < QUERY_RETRIES;
export const retryReadDelay = doubling(RETRY_FIRST_DELAY_MS);
/** The user query waits longer for a server that is away: 503, or no answer at all. */
export function retryUser(failures: number, error: unknown): boolean {
  const away = statusOf(error) === 503 || isNetworkFailure(error);
  return !isFinal(error) && failures < (away ? USER_QUERY_RETRIES_WHEN_AWAY : QUERY_RETRIES);
}
export const retryUserDelay = doubling(USER_QUERY_FIRST_DELAY_MS);

const USER_KEY = ['/api/auth/user'] as const;

/** A 401 anywhere means signed out; a revoked membership is asked for again, so that the gate hears of it. */
function noteRefusal(client: QueryClient, error: unknown, queryKey?: QueryKey): void {
  if (queryKey && urlOf(queryKey) === urlOf(USER_KEY)) return;
  if (isMembershipRevoked(error)) void client.invalidateQueries({ queryKey: USER_KEY });
  else if (statusOf(error) === 401) client.setQueryData(USER_KEY, null);
}

/** `networkMode: 'always'`: without a connection the service worker answers reads, so they are never held back. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => noteRefusal(client, error, query.queryKey) }),
    mutationCache: new MutationCache({ onError: (error) => noteRefusal(client, error) }),
    defaultOptions: {
      queries: {
        queryFn: reader('throw'),
        staleTime: QUERY_STALE_MS,
        gcTime: QUERY_KEPT_MS,
        retry: retryRead,
        retryDelay: retryReadDelay,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: 'always',
        networkMode: 'always',
      },
      mutations: { retry: false, gcTime: MUTATION_KEPT_MS, networkMode: 'always' },
    },
  });
  return client;
}
export const queryClient = createQueryClient();

type ReadKey = Extract<Key, `GET ${string}`>;
type ReadArgs<K extends ReadKey> =
  undefined extends ParamsOf<K> ? [params?: undefined, query?: QueryOf<K>] : [params: ParamsOf<K>, query?: QueryOf<K>];

/** The cache key of a route: its fixed beginning as one segment, then a segment each, the query on the last one. */
export function keyOf<K extends ReadKey>(key: K, ...[params, query]: ReadArgs<K>): readonly string[] {
  const pattern = key.slice('GET '.length);
  const fixed = pattern.split('/:')[0] ?? pattern;
  const { path } = addressOf(key, params, query as Record<string, string | undefined> | undefined);
  const rest = path.slice(fixed.length);
  if (rest === '' || rest.startsWith('?')) return [path];
  return [fixed, ...rest.slice(1).split('/')];
}

/** A cached read of a route, typed by the contract. */
export const read = <K extends ReadKey>(key: K, ...args: ReadArgs<K>) =>
  queryOptions({ queryKey: keyOf(key, ...args), queryFn: reader<OutputOf<K>>('throw') });

/** Who is signed in, or null. A revoked membership stays an error. */
export const userQuery = queryOptions({
  queryKey: USER_KEY,
  // A sign-out that the server missed comes first: until it is told, nobody is signed in here.
  queryFn: async (context): Promise<User | null> => ((await settleSignOut()) ? reader<User>('null')(context) : null),
  staleTime: AUTH_USER_STALE_MS,
  gcTime: AUTH_USER_KEPT_MS,
  retry: retryUser,
  retryDelay: retryUserDelay,
});

/** The signed-in person, or null while unknown or signed out. Screens behind the gate can rely on it. */
export const useUser = (): User | null => useQuery(userQuery).data ?? null;

/** When the server gave what this query shows, in epoch ms, or null when it came straight from the server. */
export const asOfOf = (queryKey: QueryKey): number | null => cachedAtOf(urlOf(queryKey));
/** As `asOfOf`, following the cache. */
export function useAsOf(queryKey: QueryKey): number | null {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => asOfOf(queryKey),
  );
}

/** Specification, section 7: what is refreshed after each membership check. */
export const isCommunityRead = (queryKey: QueryKey): boolean => {
  const url = urlOf(queryKey);
  return url === '/api/user/communities' || url === '/api/communities' || url.startsWith('/api/communities/');
};
