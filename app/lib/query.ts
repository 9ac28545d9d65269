/** Rules of cached queries: specification, sections 7, 8 and 9. */
import {
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import {
  AUTH_USER_CACHE_MS,
  AUTH_USER_STALE_MS,
  MUTATION_CACHE_MS,
  QUERY_CACHE_MS,
  QUERY_RETRIES,
  QUERY_STALE_MS,
  RETRY_FIRST_DELAY_MS,
  RETRY_MAX_DELAY_MS,
  SEND_TIMEOUT_MS,
  USER_QUERY_FIRST_DELAY_MS,
  USER_QUERY_RETRIES_WHEN_AWAY,
} from '../../server/contract/limits.ts';
import type { OutputOf } from '../../server/contract/routes.ts';
import { MEMBER_HEADER } from '../../server/contract/sw-messages.ts';
import type { User } from '../../server/contract/user.ts';
import { isVisitor } from './hints.ts';
import {
  ageOf,
  cachedAtOf,
  cachedCopy,
  HttpError,
  isNetworkFailure,
  isShutOut,
  noteAge,
  request,
  statusOf,
} from './http.ts';
import { settleSignOut } from './owed-sign-out.ts';
import { isForVisitors, keyOf, type ReadArgs, type ReadKey, urlOf } from './query-keys.ts';

/**
 * Reads JSON from the key's URL. A 401 is an error, or null where `on401` is `null`. Where no session is possible, that
 * null is answered without a request.
 */
export function reader<T>(on401: 'throw'): (context: QueryCall) => Promise<T>;
export function reader<T>(on401: 'null'): (context: QueryCall) => Promise<T | null>;
export function reader<T>(on401: 'throw' | 'null') {
  return async ({ queryKey, signal, client }: QueryCall): Promise<T | null> => {
    if (isVisitor() && !isForVisitors(urlOf(queryKey))) {
      if (on401 === 'null') return null;
      throw new HttpError({ status: 401, reason: 'NOT_SIGNED_IN', message: '', requestId: null });
    }
    const answered = new AbortController();
    if (client?.getQueryData(queryKey) === undefined) void paintCopy(client, queryKey, answered.signal);
    try {
      const response = await answerWithin(SEND_TIMEOUT_MS, signal, (ended) =>
        request('GET', urlOf(queryKey), undefined, { signal: ended }),
      );
      const body = (await response.json()) as T;
      if (client && !mayShow(client, queryKey, response)) throw new Error('What came is of who has left.');
      return body;
    } catch (error) {
      if (on401 === 'null' && statusOf(error) === 401) return null;
      throw error;
    } finally {
      answered.abort();
    }
  };
}

/**
 * A network that accepts requests but answers none would block for ever, even after it recovers. After `ms` without an
 * answer it counts as away and is asked again. @throws TypeError then, as a browser does offline
 */
async function answerWithin<T>(
  ms: number,
  signal: AbortSignal | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const end = () => ended.abort(signal?.reason);
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => {
      refuse(new TypeError('No answer.'));
      ended.abort();
    }, ms);
  });
  try {
    return await Promise.race([ask(ended.signal), late]);
  } finally {
    // Aborting a read also aborts the rest of its body, so the signal stays connected.
    clearTimeout(timer);
  }
}
type QueryCall = { queryKey: QueryKey; signal?: AbortSignal; client?: QueryClient };

/** Clients that received a member's private answers. */
const ofMembers = new WeakSet<QueryClient>();
/** Whether private answers arrived since the last call. */
export const takeOwned = (client: QueryClient): boolean => ofMembers.delete(client);
/** Whether the viewer may see an answer: a private one is hidden once nobody is signed in. Records that one came. */
function mayShow(client: QueryClient, queryKey: QueryKey, answer: Response): boolean {
  if (urlOf(queryKey) === USER_KEY[0] || !answer.headers.has(MEMBER_HEADER)) return true;
  if (client.getQueryData(USER_KEY) === null) return false;
  ofMembers.add(client);
  return true;
}

/** Only the server knows who is signed in, so it gets this head start before the device's copy is trusted. */
const USER_COPY_AFTER_MS = 100;
/** A copy on screen shows its age once the server has taken this long. */
const DATED_AFTER_MS = 1_000;
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Paints the device's copy of a read that has nothing on screen, while the server is asked. */
async function paintCopy(client: QueryClient | undefined, queryKey: QueryKey, answered: AbortSignal): Promise<void> {
  const url = urlOf(queryKey);
  const isWanted = () => !answered.aborted && client?.getQueryData(queryKey) === undefined;
  try {
    if (url === USER_KEY[0]) await pause(USER_COPY_AFTER_MS);
    const copy = isWanted() ? await cachedCopy(url) : null;
    const body: unknown = await copy?.clone().json();
    if (!copy || !isWanted()) return;
    // The member signed out while it was read.
    if (client && !mayShow(client, queryKey, copy)) return;
    const options = { updatedAt: ageOf(copy) ?? 0 };
    client?.setQueryData(queryKey, body, options);
    await pause(DATED_AFTER_MS);
    if (answered.aborted || client?.getQueryData(queryKey) === undefined) return;
    noteAge(url, copy);
    client.setQueryData(queryKey, (shown: unknown) => shown, options);
  } catch {
    // Without a copy, the server's answer will do.
  }
}

/** Shows the fresher copy that the service worker received. This never causes another request. */
export async function showCached(client: QueryClient, url: string): Promise<void> {
  const { pathname, search } = new URL(url);
  const query = client
    .getQueryCache()
    .getAll()
    .find(({ queryKey }) => urlOf(queryKey) === pathname + search);
  const isSameMember = sameMember(client);
  const copy = query ? await cachedCopy(pathname + search).catch(() => null) : null;
  const body: unknown = await copy?.clone().json();
  if (!query || !copy || !isSameMember() || !mayShow(client, query.queryKey, copy)) return;
  // The server has refused this read in the meantime.
  if (isRefused(query.state.error)) return;
  noteAge(pathname + search, copy);
  client.setQueryData(query.queryKey, body);
}

/** Whether the member is still the same: answers for one must not be shown to the next. */
export function sameMember(client: QueryClient): () => boolean {
  const member = () => {
    const user = client.getQueryData<{ id: string } | null>(USER_KEY);
    // Unknown is not the same as signed out.
    return user === null ? null : user?.id;
  };
  const owner = member();
  return () => member() === owner;
}

const isFinal = (error: unknown) => statusOf(error) === 401 || statusOf(error) === 403;
const doubling = (first: number) => (attempt: number) => Math.min(first * 2 ** attempt, RETRY_MAX_DELAY_MS);

/** 401 and 403 are final, by their typed status; other errors are retried twice. */
export const retryRead = (failures: number, error: unknown): boolean => !isFinal(error) && failures < QUERY_RETRIES;
export const retryReadDelay = doubling(RETRY_FIRST_DELAY_MS);
/** The user query waits longer when the server is away: 503, or no answer. */
export function retryUser(failures: number, error: unknown): boolean {
  const away = statusOf(error) === 503 || isNetworkFailure(error);
  return !isFinal(error) && failures < (away ? USER_QUERY_RETRIES_WHEN_AWAY : QUERY_RETRIES);
}
export const retryUserDelay = doubling(USER_QUERY_FIRST_DELAY_MS);

const USER_KEY = ['/api/auth/user'] as const;
const GONE = new Set([401, 403, 404, 410]);
/** Whether the server now refuses this read. */
export const isRefused = (error: unknown): boolean => GONE.has(statusOf(error) ?? 0);

/**
 * A 401 anywhere means signed out. After a revoked membership the user is read again, so the gate learns of it. A read
 * that the server now refuses leaves the screen.
 */
function noteError(client: QueryClient, error: unknown, query?: Query): void {
  if (query && urlOf(query.queryKey) === urlOf(USER_KEY)) return;
  if (query?.state.data !== undefined && isRefused(error)) query.setState({ data: undefined });
  // Once that is known, asking again after every refused read would never end.
  if (isShutOut(error) && isShutOut(client.getQueryState(USER_KEY)?.error)) return;
  if (isShutOut(error)) void client.invalidateQueries({ queryKey: USER_KEY });
  else if (statusOf(error) === 401) client.setQueryData(USER_KEY, null);
}

/** `networkMode: 'always'`: the service worker answers reads offline, so they are never held back. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => noteError(client, error, query as Query) }),
    mutationCache: new MutationCache({ onError: (error) => noteError(client, error) }),
    defaultOptions: {
      queries: {
        queryFn: reader('throw'),
        staleTime: QUERY_STALE_MS,
        gcTime: QUERY_CACHE_MS,
        retry: retryRead,
        retryDelay: retryReadDelay,
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: 'always',
        networkMode: 'always',
      },
      mutations: { retry: false, gcTime: MUTATION_CACHE_MS, networkMode: 'always' },
    },
  });
  return client;
}

/** A cached read of a route, typed by the contract. */
export const read = <K extends ReadKey>(key: K, ...args: ReadArgs<K>) =>
  queryOptions({ queryKey: keyOf(key, ...args), queryFn: reader<OutputOf<K>>('throw') });

/** The signed-in user, or null. A revoked membership stays an error. */
export const userQuery = queryOptions({
  queryKey: USER_KEY,
  // A missed sign-out goes first: until the server has it, nobody is signed in here.
  queryFn: async (context): Promise<User | null> => ((await settleSignOut()) ? reader<User>('null')(context) : null),
  staleTime: AUTH_USER_STALE_MS,
  gcTime: AUTH_USER_CACHE_MS,
  retry: retryUser,
  // A final answer is not requested again because another component reads it.
  retryOnMount: ({ state }) => !isFinal(state.error),
  retryDelay: retryUserDelay,
});

/** The signed-in person; null while unknown or signed out. Screens behind the gate can rely on it. */
export const useUser = (): User | null => useQuery(userQuery).data ?? null;

/** When the server gave the shown answer, epoch ms, if it is a copy; null when it came straight from the server. */
export const asOfOf = (queryKey: QueryKey): number | null => cachedAtOf(urlOf(queryKey));
/** As `asOfOf`, following the cache. */
export function useAsOf(queryKey: QueryKey): number | null {
  const cache = useQueryClient().getQueryCache();
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => asOfOf(queryKey),
  );
}
