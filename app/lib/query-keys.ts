/**
 * Cache keys derived from the contract's route keys: screens read, update and invalidate by route, checked by the
 * compiler. A key's segments, joined with '/', are the request URL (specification, section 7).
 */
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { ParamNames } from '../../server/contract/route.ts';
import type { Key, OutputOf, QueryOf, Routes } from '../../server/contract/routes.ts';
import { addressOf, type ParamsOf } from './http.ts';

/** Public reads that no screen uses: probes, documents, sign-in, pictures, and what other sites read. */
type NotOfScreens =
  | 'GET /livez'
  | 'GET /readyz'
  | `GET /.well-known/${string}`
  | `GET /api/${'public' | 'embed' | 'auth/telegram' | 'ledger'}/${string}`
  | `GET /api/${'health' | 'openapi.json'}`
  | `GET /api/communities/:communityId/card`;
/** What a screen may read. */
export type ReadKey = Exclude<Extract<Key, `GET ${string}`>, NotOfScreens>;
export type ReadArgs<K extends ReadKey> =
  undefined extends ParamsOf<K> ? [params?: undefined, query?: QueryOf<K>] : [params: ParamsOf<K>, query?: QueryOf<K>];

/** The URL of a query key: its segments joined with '/'. */
export const urlOf = (queryKey: QueryKey): string => queryKey.join('/');

type PublicRead = { [K in ReadKey]: Routes[K]['access'] extends 'public' ? K : never }[ReadKey];
/** Reads that visitors may send. The compiler checks the list against the contract, whose values bundle schemas. */
const FOR_VISITORS = Object.keys({
  'GET /api/communities': 0,
  'GET /api/communities/:communityId': 0,
  'GET /api/communities/:communityId/activity': 0,
  'GET /api/communities/:communityId/leaderboard': 0,
  'GET /api/communities/:communityId/rewards/:rewardId': 0,
  'GET /api/communities/:communityId/rewards/:rewardId/draw': 0,
  'GET /api/communities/:communityId/seasons': 0,
  'GET /api/communities/:communityId/seasons/:seasonId': 0,
  'GET /api/invites': 0,
  'GET /api/partnership-requests/:requestId': 0,
  'GET /api/prices': 0,
  'GET /api/vapid-public-key': 0,
  'GET /api/x/intents': 0,
} satisfies Record<PublicRead, 0>);
export const isForVisitors = (url: string): boolean => FOR_VISITORS.some((key) => matches(url, key, {}));

/** The cache key of a route: its fixed prefix as one segment, then one segment per part, with the query on the last. */
export function keyOf<K extends ReadKey>(key: K, ...[params, query]: ReadArgs<K>): readonly string[] {
  const pattern = key.slice('GET '.length);
  const fixed = pattern.split('/:')[0] ?? pattern;
  const { path } = addressOf(key, params, query as Record<string, string | undefined> | undefined);
  const rest = path.slice(fixed.length);
  if (rest === '' || rest.startsWith('?')) return [path];
  return [fixed, ...rest.slice(1).split('/')];
}

/** `GET /a/b` has the parents `GET /a` and `GET `. */
type Parents<Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? Head | `${Head}/${Parents<Rest>}`
  : never;
/** A route with any query, or with `/*` every route below an address, without that address itself. */
export type ReadScope = ReadKey | `${Parents<ReadKey>}/*`;
type ScopeParams<S extends ReadScope> = Partial<Record<ParamNames<S>, string>>;

/**
 * A query filter for every cached read of these routes, whatever its query. `params` narrows it to addresses with these
 * parameters, as given in the address (id or slug); omitted parameters match anything.
 */
export function readsOf<S extends ReadScope>(
  scopes: readonly S[],
  params: ScopeParams<S> = {},
): { predicate: (query: Pick<Query, 'queryKey'>) => boolean } {
  const given = params as Record<string, string | undefined>;
  return { predicate: ({ queryKey }) => scopes.some((scope) => matches(urlOf(queryKey), scope, given)) };
}

function matches(url: string, scope: string, params: Record<string, string | undefined>): boolean {
  const address = (url.split('?')[0] ?? '').split('/');
  const pattern = scope.slice('GET '.length).split('/');
  if (pattern.at(-1) === '*') {
    pattern.pop();
    if (address.length <= pattern.length) return false;
  } else if (address.length !== pattern.length) return false;
  return pattern.every((segment, at) => {
    if (!segment.startsWith(':')) return segment === address[at];
    const wanted = params[segment.slice(1)];
    return wanted === undefined || encodeURIComponent(wanted) === address[at];
  });
}

/**
 * Updates every cached read of a route without asking the server. `change` gets each answer and its URL, and returns
 * the same object when nothing changes.
 */
export function updateReads<K extends ReadKey>(
  client: QueryClient,
  key: K,
  params: ScopeParams<K>,
  change: (shown: OutputOf<K>, url: string) => OutputOf<K>,
): void {
  for (const { queryKey } of client.getQueryCache().findAll(readsOf([key], params))) {
    const shown = client.getQueryData<OutputOf<K>>(queryKey);
    const next = shown === undefined ? undefined : change(shown, urlOf(queryKey));
    // Unchanged reads keep their age.
    if (next !== shown) client.setQueryData(queryKey, next as never);
  }
}

/** Specification, section 7: what is invalidated after each membership check. */
export const COMMUNITY_READS = [
  'GET /api/user/communities',
  'GET /api/user/offers',
  'GET /api/communities',
  'GET /api/communities/*',
] as const satisfies readonly ReadScope[];
