/**
 * This page's mirror of the acknowledgement overlay. The device's store is authoritative (`worker/acknowledged.ts`):
 * the drain writes to it, also while no page is open.
 */
import type { Query, QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { Acknowledgement, ClaimRead } from '../../../worker/schema.ts';
import { device } from '../../lib/device.ts';
import { shownFrom } from '../../lib/http.ts';
import { readsOf, urlOf } from '../../lib/query-keys.ts';
import type { Overlay } from './overlay.ts';

const none: Overlay = [];
let rows = none;
let owner: string | null = null;
const views = new Set<() => void>();
function show(next: Overlay): void {
  rows = next.length === 0 ? none : next;
  for (const view of views) view();
}
function subscribe(changed: () => void): () => void {
  views.add(changed);
  return () => void views.delete(changed);
}

/** The server's answers to the member's commands; apply them to cached reads with `overlay.ts`. */
export const useAcknowledged = (): Overlay =>
  useSyncExternalStore(
    subscribe,
    () => rows,
    () => none,
  );

/** Adds new answers; for each claim the last one stays. */
export function addAcknowledged(news: Overlay): void {
  const own = news.filter(({ userId }) => userId === owner);
  if (own.length > 0) show(merged(rows, own));
}
function merged(before: Overlay, news: Overlay): Overlay {
  const byKey = new Map(before.map((row) => [row.key, row]));
  for (const row of news) if (row.at >= (byKey.get(row.key)?.at ?? 0)) byKey.set(row.key, row);
  return [...byKey.values()].sort((a, b) => a.at - b.at);
}

/** Mirrors a member's acknowledgements, and reports reads that include them. Answers the function that ends it. */
export function followAcknowledged(client: QueryClient, userId: string | null): () => void {
  owner = userId;
  if (userId !== null)
    void device
      .acknowledged(userId)
      // Without a store, only this page's own answers are known.
      .catch(() => none)
      .then((stored) => owner === userId && show(merged(stored, rows)));
  const stop = client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') settle(event.query);
  });
  return () => {
    stop();
    owner = null;
    show(none);
  };
}

const DASHBOARDS = readsOf(['GET /api/communities/:communityId/dashboard']);
const TASKS = readsOf(['GET /api/communities/:communityId/tasks/:taskId']);

/** Which of its reads this query is, if it shows the claim. */
function readFor(query: Query, { communityId, claim, own }: Acknowledgement): ClaimRead | null {
  const { data } = query.state;
  if (own && DASHBOARDS.predicate(query)) {
    const { id, slug } = (data as Dashboard).community;
    return communityId === id || communityId === slug ? 'dashboard' : null;
  }
  if (own && TASKS.predicate(query)) return (data as { id: string }).id === claim.taskId ? 'task' : null;
  const queue = readsOf(['GET /api/communities/:communityId/review'], { communityId: communityId ?? '' });
  return !own && queue.predicate(query) && !urlOf(query.queryKey).includes('?') ? 'queue' : null;
}

/** A read newer than an acknowledgement includes it, which ends its overlay there. */
function settle(query: Query): void {
  const from = rows.length > 0 ? shownFrom(urlOf(query.queryKey)) : null;
  if (from === null) return;
  const keys = new Map<ClaimRead, string[]>();
  const next = rows.flatMap((row) => {
    const read = row.at <= from ? readFor(query, row) : null;
    if (read === null || !row.pendingIn.includes(read)) return [row];
    keys.set(read, [...(keys.get(read) ?? []), row.key]);
    const pendingIn = row.pendingIn.filter((one) => one !== read);
    return pendingIn.length > 0 ? [{ ...row, pendingIn }] : [];
  });
  if (keys.size === 0) return;
  show(next);
  for (const [read, of] of keys) void device.settleAcknowledged(read, of, from).catch(() => undefined);
}
