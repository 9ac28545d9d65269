import type { ISql } from 'postgres';
import type { Claim } from '../../contract/communities.ts';

export type ClaimRow = Omit<Claim, 'submittedAt' | 'decidedAt'> & { submittedAt: Date; decidedAt: Date | null };

/** Columns of a `ClaimRow` from `claims c` with the reviewer joined as `users reviewer`. */
export const claimColumns = (sql: ISql) => sql`
  c.id, c.task_id as "taskId", c.period, c.state, c.points, c.text, c.submitted_at as "submittedAt",
  c.decided_at as "decidedAt", reviewer.display_name as "decidedBy", c.reason`;

/** The claim as the contract shows it; `decidedBy` is the reviewer's name, null for what was counted at once. */
export const claimOf = (row: ClaimRow): Claim => ({
  id: row.id,
  taskId: row.taskId,
  period: row.period,
  state: row.state,
  points: row.points,
  text: row.text,
  submittedAt: row.submittedAt.toISOString(),
  decidedAt: row.decidedAt?.toISOString() ?? null,
  decidedBy: row.decidedBy,
  reason: row.reason,
});
