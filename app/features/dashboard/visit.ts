/**
 * When this device last looked at a community, and what it saw then: from this "since you were last here" is told. Kept on the
 * device alone, and forgotten with the member (`lib/hints.ts`).
 */
import { useEffect, useState } from 'react';
import type { Dashboard } from '../../../server/contract/communities.ts';
import { local } from '../../lib/browser.ts';
import { timeNow } from '../../lib/clock.ts';

/** Who comes back after this long comes anew. */
const AWAY_MS = 30 * 60_000;

/** What was seen; `at` is when the server said it, epoch ms. */
export type Seen = { at: number; rank: number | null; points: number };
/** `from`: when this visit began, by the server's clock; `lookedAt`: when somebody last looked; `before`: the visit before it. */
export type Visit = { from: number; lookedAt: number; before: Seen | null; seen: Seen };

const seenOf = ({ asOf, rank, points }: Dashboard): Seen => ({ at: Date.parse(asOf), rank, points });

/** The visit that a look at `now` belongs to: the one that goes on, or another one. Pure. */
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

/** The visit to a community that goes on here; each look is noted. `now` changes when there is another one. */
export function useVisit(dashboard: Dashboard, now: number): Visit {
  const { id } = dashboard.community;
  const look = () => visitAt(readVisit(id), seenOf(dashboard), timeNow(now));
  const [visit, setVisit] = useState(look);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a look is of what is drawn, at its time
  useEffect(() => {
    if (document.visibilityState === 'hidden') return;
    const next = look();
    local.set(keyOf(id), JSON.stringify(next));
    setVisit((before) => (before.from === next.from ? before : next));
  }, [id, dashboard, now]);
  return visit;
}
