import type { Gate } from '../../contract/tasks.ts';
import type { TaskRow } from './rows.ts';

/** What stands between a member and a task at `now`. */
export function gateOf(row: TaskRow, now: Date): Gate {
  const opensAt = row.opensAt === null ? null : new Date(row.opensAt);
  const closesAt = row.closesAt === null ? null : new Date(row.closesAt);
  if (opensAt && opensAt > now) {
    return { open: false, reason: 'not_open_yet', opensAt: opensAt.toISOString(), path: [] };
  }
  if (row.status !== 'live' || (closesAt && closesAt <= now)) {
    return { open: false, reason: 'closed', opensAt: null, path: [] };
  }
  return { open: true, reason: null, opensAt: null, path: [] };
}
