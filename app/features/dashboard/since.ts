/** What has happened to a member since they were last here, from what the device has of it. Pure. */
import type { Dashboard } from '../../../server/contract/communities.ts';
import type { LedgerEntry } from '../../../server/contract/ledger.ts';
import type { Announcement } from '../../../server/contract/rooms.ts';
import type { TaskView } from '../../shared/tasks/task-view.ts';
import type { Visit } from './visit.ts';

export type Since = {
  at: number;
  /** The newest first. */
  lines: LedgerEntry[];
  points: number;
  counted: number;
  /** Sent back and turned down. */
  returned: TaskView[];
  rank: { from: number; to: number } | null;
  announcements: Announcement[];
};

/** Null where this is the first visit, or where nothing has happened. What this visit itself brought is told elsewhere. */
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
  // A rank that others have moved is told beside what happened, and is no news alone.
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
