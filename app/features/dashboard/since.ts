/** A member's changes since the last visit, from this device's data. Pure. */
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { LedgerEntry } from '../../../server/contract/ledger.ts';
import type { Announcement } from '../../../server/contract/rooms.ts';
import type { TaskView } from '../../shared/tasks/task-view.ts';
import type { Visit } from './visit.ts';

export type Since = {
  at: number;
  /** Newest first. */
  lines: LedgerEntry[];
  points: number;
  counted: number;
  /** Sent back or rejected. */
  returned: TaskView[];
  rank: { from: number; to: number } | null;
  announcements: Announcement[];
};

/** Null on the first visit, or without changes. This visit's own changes are shown elsewhere. */
export function sinceOf(
  { before, from }: Visit,
  dashboard: Dashboard,
  needsYou: readonly TaskView[],
  ledger: readonly LedgerEntry[],
): Since | null {
  if (before === null) return null;
  const isBetween = (at: string | null) => at !== null && Date.parse(at) > before.at && Date.parse(at) <= from;
  const lines = ledger.filter(({ at }) => isBetween(at));
  const returned = needsYou.filter(({ state, claim }) => state !== 'unsent' && isBetween(claim?.decidedAt ?? null));
  const announcements = dashboard.announcements.filter(({ at }) => isBetween(at));
  const { rank } = dashboard;
  const moved = before.rank !== null && rank !== null && rank !== before.rank ? { from: before.rank, to: rank } : null;
  // A rank changed by others is mentioned with other news, but is none alone.
  if (lines.length + returned.length + announcements.length === 0) return null;
  return {
    at: before.at,
    lines,
    points: lines.reduce((sum, line) => sum + line.points, 0),
    counted: lines.filter(({ kind }) => kind === 'award').length,
    returned,
    rank: moved,
    announcements,
  };
}
