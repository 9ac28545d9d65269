import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReviewItem, WaitingOfTask } from '../../../../server/contract/review.ts';
import type { OutputOf } from '../../../../server/contract/routes.ts';
import { read, useAsOf } from '../../../lib/query.ts';
import { useAcknowledged } from '../../../shared/commands/acknowledged.ts';
import { overlayQueue } from '../../../shared/commands/overlay.ts';
import { isNarrowed, type Narrowed, narrow } from './review-queue.ts';

type Page = OutputOf<'GET /api/communities/:communityId/review'>;
export type Queue = {
  /** The loaded waiting claims, filtered or not. */
  items: ReviewItem[];
  all: ReviewItem[];
  waiting: number;
  /** The first page as it was read, for counts. */
  seen: Pick<Page, 'items' | 'next'>;
  /** From the server when not all waiting claims are loaded. */
  byTask: WaitingOfTask[] | undefined;
  /** Loads the next page; null when complete. */
  onMore: (() => void) | null;
};

/**
 * Claims waiting for this reviewer, page by page. A complete queue is filtered here, at once and offline. For a longer
 * one the server is asked; until then the loaded part is filtered.
 */
export function useQueue(
  communityId: string,
  narrowed: Narrowed,
): { query: UseQueryResult<Page>; queueOf: (copy: Page) => Queue } {
  const reading = read('GET /api/communities/:communityId/review', { communityId });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const overlay = useAcknowledged();
  const isLong = typeof query.data?.next === 'string';
  const filters = isLong && isNarrowed(narrowed) ? narrowed : {};
  const name = JSON.stringify(filters);
  const [more, setMore] = useState<{ name: string; after: string[] }>({ name, after: [] });
  const after = more.name === name ? more.after : [];
  const cursors = isNarrowed(filters) ? [undefined, ...after] : after;
  const pages = useQueries({
    queries: cursors.map((cursor) =>
      read('GET /api/communities/:communityId/review', { communityId }, { ...filters, after: cursor }),
    ),
  });
  const queueOf = (copy: Page): Queue => {
    const first = overlayQueue(copy, overlay, asOf);
    const read = [first, ...pages.flatMap(({ data }) => (data ? [overlayQueue(data, overlay, asOf)] : []))];
    const all = [...new Map(read.flatMap(({ items }) => items).map((item) => [item.claim.id, item])).values()];
    const last = pages.length > 0 ? pages.at(-1)?.data : copy;
    const next = last?.next ?? null;
    return {
      items: narrow(all, narrowed),
      all,
      waiting: first.waiting,
      seen: first,
      byTask: copy.next === null ? undefined : copy.byTask,
      onMore: next === null ? null : () => setMore({ name, after: [...after, next] }),
    };
  };
  return { query, queueOf };
}
