/**
 * Downloads what the member may open later offline: their communities and the directory, not only screens they have
 * opened (design: offline). The service worker stores the answers in the member's partition; nothing is shown.
 */
import type { QueryClient } from '@tanstack/react-query';
import {
  WARM_UP_AFTER_MS,
  WARM_UP_BYTES,
  WARM_UP_COMMUNITIES,
  WARM_UP_EVERY_MS,
} from '../../server/contract/limits.ts';
import type { User } from '../../server/contract/user.ts';
import { connection, local, serviceWorkers } from './browser.ts';
import { ageOf, cachedCopy } from './http.ts';
import { read, sameMember, userQuery } from './query.ts';
import { urlOf } from './query-keys.ts';

declare const __BUILD__: string;

/** Build of the last run, and when this device first ran it: `<build> <epoch ms>`. */
const BUILD_SINCE = 'muster-warm-build';
const SLOW: ReadonlySet<string | undefined> = new Set(['slow-2g', '2g']);

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const idle = () =>
  'requestIdleCallback' in globalThis ? new Promise<unknown>((done) => requestIdleCallback(done)) : pause(200);

/** Whether spending the person's data and battery on a prefetch is acceptable now. */
function isGoodMoment(): boolean {
  const link = connection();
  return (
    document.visibilityState === 'visible' &&
    navigator.onLine &&
    link?.saveData !== true &&
    !SLOW.has(link?.effectiveType) &&
    serviceWorkers()?.controller != null
  );
}

/** Older copies are fetched again: they are stale or from an earlier build. Epoch ms. */
function freshFrom(now: number): number {
  const [build, since] = (local.get(BUILD_SINCE) ?? '').split(' ');
  const isValid = build === __BUILD__ && Number.isFinite(Number(since));
  if (!isValid) local.set(BUILD_SINCE, `${__BUILD__} ${now}`);
  return Math.max(isValid ? Number(since) : now, now - WARM_UP_EVERY_MS);
}

/** Addresses to fetch, the most used first: the same as the screens' own reads. */
async function addresses(client: QueryClient): Promise<string[]> {
  const lists = read('GET /api/user/communities');
  const mine = (await client.fetchQuery({ ...lists, retry: false })).slice(0, WARM_UP_COMMUNITIES);
  const [first = [], ...others] = mine.map(({ id, slug, role }) => [
    read('GET /api/communities/:communityId/dashboard', { communityId: slug }),
    // The second half of a leader's Today.
    ...(role === 'leader' ? [read('GET /api/communities/:communityId/morning', { communityId: id })] : []),
    read('GET /api/communities/:communityId/leaderboard', { communityId: id }, { period: 'all' }),
    read('GET /api/communities/:communityId', { communityId: slug }),
  ]);
  const all = [
    // Nothing opens without it. A page older than its first worker has asked for it past the worker.
    userQuery,
    lists,
    ...first,
    read('GET /api/communities'),
    read('GET /api/user/profile'),
    ...others.flat(),
    read('GET /api/leaderboard', undefined, { period: 'all' }),
    read('GET /api/user/notifications'),
    read('GET /api/user/ledger'),
  ];
  return all.map(({ queryKey }) => urlOf(queryKey));
}

/** Size of one answer in bytes; null where the server cannot be asked now. */
async function fetchInto(url: string): Promise<number | null> {
  const response = await fetch(url, { credentials: 'include', headers: { accept: 'application/json' } });
  // The worker answered with its own copy because the server was too slow.
  if (ageOf(response) !== null) return null;
  if (!response.ok && response.status !== 403 && response.status !== 404) return null;
  return (await response.arrayBuffer()).byteLength;
}

/** One request after another, each in an idle moment. Answers whether everything is stored or the budget spent. */
async function warmUp(client: QueryClient): Promise<boolean> {
  const isSameMember = sameMember(client);
  const mayContinue = () => isGoodMoment() && isSameMember();
  const from = freshFrom(Date.now());
  let left = WARM_UP_BYTES;
  for (const url of await addresses(client)) {
    await idle();
    if (!mayContinue()) return false;
    const copy = await cachedCopy(url);
    if (copy && (ageOf(copy) ?? 0) >= from) continue;
    if (!mayContinue()) return false;
    const bytes = await fetchInto(url);
    if (bytes === null) return false;
    left -= bytes;
    if (left <= 0) return true;
  }
  return true;
}

/** State that outlives the page: whom it was done for, and until when that suffices. */
type State = {
  timer?: ReturnType<typeof setTimeout> | undefined;
  isBusy: boolean;
  userId: string | null;
  until: number;
};
const states = new WeakMap<QueryClient, State>();

async function look(client: QueryClient, state: State): Promise<void> {
  const userId = client.getQueryData<User | null>(userQuery.queryKey)?.id ?? null;
  if (state.isBusy || userId === null || !isGoodMoment()) return;
  if (state.userId === userId && Date.now() < state.until) return;
  state.isBusy = true;
  const isDone = await warmUp(client).catch(() => false);
  state.isBusy = false;
  if (isDone) Object.assign(state, { userId, until: Date.now() + WARM_UP_EVERY_MS });
}

/** Warms up for the signed-in member, a moment from now, and again when the page becomes visible or online. */
export function warmUpSoon(client: QueryClient): void {
  const existing = states.get(client);
  const state: State = existing ?? { isBusy: false, userId: null, until: 0 };
  const soon = () => {
    clearTimeout(state.timer);
    state.timer = setTimeout(() => void look(client, state), WARM_UP_AFTER_MS);
  };
  soon();
  if (existing) return;
  states.set(client, state);
  document.addEventListener('visibilitychange', soon);
  addEventListener('online', soon);
  // A page could store nothing before the first worker took control.
  serviceWorkers()?.addEventListener('controllerchange', soon);
}
