/**
 * When this device last opened a community, and what it showed: the basis of "since you were last here". Stored on the
 * device only, and deleted with the member (`lib/hints.ts`).
 */
import { useEffect, useState } from 'react';
import type { Dashboard } from '../../../server/contract/communities.ts';
import { local } from '../../lib/browser.ts';
import { timeNow } from '../../lib/clock.ts';

/** A longer absence starts a new visit. */
const AWAY_MS = 30 * 60_000;

/** The values seen; `at` is when the server gave them, epoch ms. */
export type Seen = { at: number; rank: number | null; points: number };
/** `from`: start of this visit by the server's clock; `lookedAt`: the last look; `before`: the previous visit. */
export type Visit = { from: number; lookedAt: number; before: Seen | null; seen: Seen };

const seenOf = ({ asOf, rank, points }: Dashboard): Seen => ({ at: Date.parse(asOf), rank, points });

/** The visit of a look at `now`: the current one, or a new one. Pure. */
export function visitAt(previous: Visit | null, seen: Seen, now: number): Visit {
  if (previous && Math.abs(now - previous.lookedAt) < AWAY_MS)
    return { ...previous, lookedAt: now, seen: seen.at > previous.seen.at ? seen : previous.seen };
  return { from: now, lookedAt: now, before: previous?.seen ?? null, seen };
}

const keyOf = (communityId: string) => `muster-visit:${communityId}`;
function readVisit(communityId: string): Visit | null {
  try {
    return JSON.parse(local.get(keyOf(communityId)) ?? 'null') as Visit | null;
  } catch {
    return null;
  }
}

/** The current visit to a community; records each look, at each change of `now`. */
export function useVisit(dashboard: Dashboard, now: number): Visit {
  const { id } = dashboard.community;
  const look = () => visitAt(readVisit(id), seenOf(dashboard), timeNow(now));
  const [visit, setVisit] = useState(look);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a look records the shown values at this time
  useEffect(() => {
    if (document.visibilityState === 'hidden') return;
    const next = look();
    local.set(keyOf(id), JSON.stringify(next));
    setVisit((before) => (before.from === next.from ? before : next));
  }, [id, dashboard, now]);
  return visit;
}
