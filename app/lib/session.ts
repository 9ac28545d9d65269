import type { Query, QueryClient } from '@tanstack/react-query';
import type { User } from '../../server/contract/user.ts';
import { forgetHints } from './hints.ts';
import { isShutOut } from './http.ts';
import type { News } from './news.ts';
import { showCached, takeOwned, userQuery } from './query.ts';
import { readsOf, urlOf } from './query-keys.ts';
import { purgePrivate } from './service-worker.ts';

const USER = urlOf(userQuery.queryKey);
const fromServer = readsOf(['GET /api/*']);
/** All server answers except who is signed in. */
const answers = {
  predicate: (query: Pick<Query, 'queryKey'>) => fromServer.predicate(query) && urlOf(query.queryKey) !== USER,
};

const purging = new WeakMap<QueryClient, Promise<void>>();
/** Removes answers from the screen at once, then from this device. Concurrent callers share one purge. */
async function dropAnswers(client: QueryClient): Promise<void> {
  for (const query of client.getQueryCache().findAll(answers)) query.reset();
  const running = purging.get(client) ?? purge(client).finally(() => purging.delete(client));
  purging.set(client, running);
  return running;
}
async function purge(client: QueryClient): Promise<void> {
  await purgePrivate();
  // Refetch only now that the copies are gone. Queries are reset, not removed, so mounted screens notice.
  void client.resetQueries(answers);
}

/** Deletes the member's cached data on this device and asks again who is signed in. Unsent commands stay. */
export async function clearCachedData(client: QueryClient): Promise<void> {
  await dropAnswers(client);
  await client.resetQueries({ queryKey: userQuery.queryKey });
}

/** After a sign-out, here or in another tab: nobody is signed in, and no data of the member stays on screen. */
export async function forgetMember(client: QueryClient): Promise<void> {
  forgetHints();
  client.setQueryData(userQuery.queryKey, null);
  // A pending answer would bring the member back.
  void client.cancelQueries({ queryKey: userQuery.queryKey });
  await dropAnswers(client);
}

/** Removes the old member's answers from the screen and asks again who is signed in. */
async function refetchUser(client: QueryClient): Promise<void> {
  void client.resetQueries(answers);
  await client.resetQueries({ queryKey: userQuery.queryKey });
}

/** Another tab signed in or out. This tab's answers belong to another member, unless it already knows. */
export async function followOther(client: QueryClient, userId: string | null): Promise<void> {
  const { data: shown, fetchStatus } = client.getQueryState<User | null>(userQuery.queryKey) ?? {};
  if (shown !== undefined && (shown?.id ?? null) === userId) return;
  // The pending answer will tell. A tab that is shut out is not asking.
  if (shown === undefined && fetchStatus !== 'idle') return;
  if (userId === null) return forgetMember(client);
  if (shown) forgetHints();
  await refetchUser(client);
}

/**
 * Keeps the screen to the member that the server names. A pending read of the user may bring another member before the
 * broadcast does, also in a tab that was shut out. And any refused read may be the first sign of a sign-out or a
 * shut-out. Call once a page.
 */
export function bindToMember(client: QueryClient): void {
  let owner: string | null = null;
  let isOut = false;
  let wasShutOut = false;
  const look = () => {
    const { data: user, error, status } = client.getQueryState<User | null>(userQuery.queryKey) ?? {};
    const isNewlyOut = user === null && !isOut;
    isOut = user === null;
    // Also when this page never learnt who it was: its answers belonged to a member.
    if (isNewlyOut && (takeOwned(client) || owner !== null)) void dropAnswers(client);
    // A query that asks again after an error is pending, which is no new answer.
    const isNewlyShutOut = isShutOut(error) && !wasShutOut;
    // Set before the reset, which triggers this listener again.
    wasShutOut = isShutOut(error) || (wasShutOut && status === 'pending');
    if (isNewlyShutOut) void client.resetQueries(answers);
    const id = user?.id ?? null;
    if (id === null || id === owner) return;
    const before = owner;
    owner = id;
    if (before !== null) void client.resetQueries(answers);
  };
  client.getQueryCache().subscribe(look);
  look();
}

/** The server refuses the member's reads: they leave the screen, and the gate learns why. */
export async function refetchAll(client: QueryClient): Promise<void> {
  const { data: shown, error } = client.getQueryState<User | null>(userQuery.queryKey) ?? {};
  if (shown === null || isShutOut(error)) return;
  if (shown === undefined) return refetchUser(client);
  void client.resetQueries(answers);
  await client.invalidateQueries({ queryKey: userQuery.queryKey });
}

/** Handles one message from the service worker or another tab. */
export function handleNews(client: QueryClient, news: News): void {
  if (news.type === 'READ_REFRESHED') void showCached(client, news.url);
  if (news.type === 'SIGNED_OUT') void forgetMember(client);
  if (news.type === 'MEMBER_CHANGED') void followOther(client, news.userId);
  if (news.type === 'MEMBERSHIP_REVOKED') void refetchAll(client);
}

/** Messages from before this page listened may be older or newer than its answers, so the server is asked. */
export function catchUp(client: QueryClient, missed: readonly News[]): void {
  if (missed.some((news) => isOfAnother(client, news))) void refetchUser(client);
  for (const news of missed) if (news.type === 'READ_REFRESHED') handleNews(client, news);
}

/**
 * Whether the shown member differs, wholly or in part, from the one in the message. While unknown, a pending answer may
 * be older than it.
 */
function isOfAnother(client: QueryClient, news: News): boolean {
  const { data: shown, error } = client.getQueryState<User | null>(userQuery.queryKey) ?? {};
  if (news.type === 'MEMBER_CHANGED') return shown === undefined || (shown?.id ?? null) !== news.userId;
  const isEnd = news.type === 'SIGNED_OUT' || news.type === 'MEMBERSHIP_REVOKED';
  return isEnd && shown !== null && !isShutOut(error);
}
