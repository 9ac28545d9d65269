import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { ASSISTANT_COMMUNITIES_MAX } from '../../../server/contract/limits.ts';
import { guidePassages, indexPassages, type PassageIndex } from '../../../server/rules/passages.ts';
import { lastCommunity } from '../../lib/hints.ts';
import { asOfOf, read } from '../../lib/query.ts';
import { useUnsent } from '../../lib/unsent.ts';
import { useNow } from '../../lib/use-now.ts';
import { useAcknowledged } from '../../shared/commands/acknowledged.ts';
import { overlayDashboard } from '../../shared/commands/overlay.ts';
import { type Held, ownPassages } from './own-passages.ts';
import type { StandingData } from './standing.ts';

export type Knowledge = {
  index: PassageIndex;
  standing: StandingData;
  /** When the server gave the oldest part, epoch ms. */
  asOf: number;
  /** Some of it is still loading. */
  isLoading: boolean;
};

/** Everything that this device may answer from: guides, and cached data of the member's communities. */
export function useKnowledge(device: string): Knowledge {
  const mine = useQuery(read('GET /api/user/communities'));
  const slugs = (mine.data ?? []).slice(0, ASSISTANT_COMMUNITIES_MAX).map(({ slug }) => slug);
  const dashboardReads = slugs.map((slug) =>
    read('GET /api/communities/:communityId/dashboard', { communityId: slug }),
  );
  const dashboards = useQueries({ queries: dashboardReads });
  const details = useQueries({
    queries: slugs.map((slug) => read('GET /api/communities/:communityId', { communityId: slug })),
  });
  const news = useQueries({
    queries: slugs.map((slug) => read('GET /api/communities/:communityId/announcements', { communityId: slug })),
  });
  const now = useNow();
  const overlay = useAcknowledged();
  const outbox = useUnsent();
  const isLoading = mine.isPending || [...dashboards, ...details, ...news].some(({ isPending }) => isPending);
  const held = dashboards.flatMap(({ data }, at): Held[] => {
    const key = dashboardReads[at]?.queryKey;
    if (!data || !key) return [];
    const dashboard = overlayDashboard(data, overlay, asOfOf(key), now);
    return [{ dashboard, detail: details[at]?.data ?? null, announcements: news[at]?.data?.items ?? [] }];
  });
  // The index is rebuilt when a server answer changes, not with the clock.
  const version = [...dashboards, ...details, ...news].map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `version` changes with all data read
  const index = useMemo(() => indexPassages([...guidePassages(device), ...ownPassages(held)]), [device, version]);
  useEffect(() => {
    if (isLoading) return;
    const soon = globalThis.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 1));
    soon(() => index.warm());
  }, [index, isLoading]);
  const asOf = Math.min(now, ...dashboards.flatMap(({ data }) => (data ? [Date.parse(data.asOf)] : [])));
  return {
    index,
    standing: { dashboards: held.map(({ dashboard }) => dashboard), outbox, focus: lastCommunity(), now },
    asOf,
    isLoading,
  };
}
