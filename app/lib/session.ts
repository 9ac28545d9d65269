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
/** Answers of the server about anything but who is signed in. */
const answers = {
  predicate: (query: Pick<Query, 'queryKey'>) => fromServer.predicate(query) && urlOf(query.queryKey) !== USER,
};

const purging = new WeakMap<QueryClient, Promise<void>>();
/** Takes answers off the screen at once, then from this device; whoever asks meanwhile waits for the same purge. */
async function dropAnswers(client: QueryClient): Promise<void> {
  for (const query of client.getQueryCache().findAll(answers)) query.reset();
  const running = purging.get(client) ?? purge(client).finally(() => purging.delete(client));
  purging.set(client, running);
  return running;
}
async function purge(client: QueryClient): Promise<void> {
  await purgePrivate();
  // Read afresh only now, when there are no kept ones left to read. Reset rather than removed: a screen that shows one of
  // them hears of it.
  void client.resetQueries(answers);
}

/** Drops what this device keeps of the member and asks again who is signed in. What was not sent yet stays. */
export async function clearCachedData(client: QueryClient): Promise<void> {
  await dropAnswers(client);
  await client.resetQueries({ queryKey: userQuery.queryKey });
}

/** After a sign-out, here or in another tab: nobody is signed in and nothing of the member is shown any more. */
export async function forgetMember(client: QueryClient): Promise<void> {
  forgetHints();
  client.setQueryData(userQuery.queryKey, null);
  // An answer that is on its way still would bring them back.
  void client.cancelQueries({ queryKey: userQuery.queryKey });
  await dropAnswers(client);
}

/** Whatever was read for whoever was signed in is off the screen, and who that is now is asked again. */
async function refetchUser(client: QueryClient): Promise<void> {
  void client.resetQueries(answers);
  await client.resetQueries({ queryKey: userQuery.queryKey });
}

/** Another tab has signed in or out. What this one shows is another member's, unless it knows already. */
export async function followOther(client: QueryClient, userId: string | null): Promise<void> {
  const { data: shown, fetchStatus } = client.getQueryState<User | null>(userQuery.queryKey) ?? {};
  if (shown !== undefined && (shown?.id ?? null) === userId) return;
  // Still asking: the answer is the news itself. Who was shut out is not asking.
  if (shown === undefined && fetchStatus !== 'idle') return;
  if (userId === null) return forgetMember(client);
  if (shown) forgetHints();
  await refetchUser(client);
}

/**
 * What is shown is always of the member that the server names. A read of the user that was on its way when another member
 * signed in brings that one before the news of it does, also in a tab that was shut out meanwhile; and any read that is
 * refused may be the first to tell that nobody is signed in, or that who is has been shut out. Call once a page.
 */
export function bindToMember(client: QueryClient): void {
  let owner: string | null = null;
  let isOut = false;
  let wasShutOut = false;
  const look = () => {
    const { data: user, error, status } = client.getQueryState<User | null>(userQuery.queryKey) ?? {};
    const isNewlyOut = user === null && !isOut;
    isOut = user === null;
    // Also where this page never heard who it was: what it shows came for somebody.
    if (isNewlyOut && (takeOwned(client) || owner !== null)) void dropAnswers(client);
    // Asked again after an error it is pending, which is no other word yet.
    const isNewlyShutOut = isShutOut(error) && !wasShutOut;
    // Before anything is reset, which is heard of here again.
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

/** The server refuses the member's reads: none of them is shown any longer, and the gate hears why. */
export async function refetchAll(client: QueryClient): Promise<void> {
  const { data: shown, error } = client.getQueryState<User | null>(userQuery.queryKey) ?? {};
  if (shown === null || isShutOut(error)) return;
  if (shown === undefined) return refetchUser(client);
  void client.resetQueries(answers);
  await client.invalidateQueries({ queryKey: userQuery.queryKey });
}

/** What the service worker and other tabs tell. */
export function hear(client: QueryClient, news: News): void {
  if (news.type === 'READ_REFRESHED') void showCached(client, news.url);
  if (news.type === 'SIGNED_OUT') void forgetMember(client);
  if (news.type === 'MEMBER_CHANGED') void followOther(client, news.userId);
  if (news.type === 'MEMBERSHIP_REVOKED') void refetchAll(client);
}

/** What they told before this page listened may be older than what it shows, or newer: the server knows. */
export function catchUp(client: QueryClient, missed: readonly News[]): void {
  if (missed.some((news) => isOfAnother(client, news))) void refetchUser(client);
  for (const news of missed) if (news.type === 'READ_REFRESHED') hear(client, news);
}

/** Whether who is shown is not, or not wholly, whom the news leave. Nobody known yet: what is on its way may be of before. */
function isOfAnother(client: QueryClient, news: News): boolean {
  const { data: shown, error } = client.getQueryState<User | null>(userQuery.queryKey) ?? {};
  if (news.type === 'MEMBER_CHANGED') return shown === undefined || (shown?.id ?? null) !== news.userId;
  const isEnd = news.type === 'SIGNED_OUT' || news.type === 'MEMBERSHIP_REVOKED';
  return isEnd && shown !== null && !isShutOut(error);
}
