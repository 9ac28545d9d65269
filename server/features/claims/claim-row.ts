import type { ISql } from 'postgres';
import type { Claim } from '../../contract/claims.ts';

export type ClaimRow = Omit<Claim, 'submittedAt' | 'decidedAt' | 'retryAt' | 'appeal'> & {
  submittedAt: Date;
  decidedAt: Date | null;
  retryAt: Date | null;
  appealText: string | null;
  appealAt: Date | null;
  appealOutcome: NonNullable<Claim['appeal']>['outcome'] | null;
};

/** Columns of a `ClaimRow` from `claims c` with the reviewer joined as `users reviewer`. */
export const claimColumns = (sql: ISql) => sql`
  c.id, c.version, c.task_id as "taskId", c.period, c.state, c.points, c.evidence, c.checks, c.submitted_at as "submittedAt",
  c.decided_at as "decidedAt", reviewer.display_name as "decidedBy", c.reason,
  c.retry_at as "retryAt", c.appeal_text as "appealText", c.appeal_at as "appealAt",
  c.appeal_outcome as "appealOutcome"`;

/** Times come as text inside JSON. */
export const fromJson = (row: ClaimRow): ClaimRow => ({
  ...row,
  submittedAt: new Date(row.submittedAt),
  decidedAt: row.decidedAt && new Date(row.decidedAt),
  retryAt: row.retryAt && new Date(row.retryAt),
  appealAt: row.appealAt && new Date(row.appealAt),
});

/** The claim as the contract shows it; `decidedBy` is the reviewer's name, null for what was counted at once. */
export const claimOf = (row: ClaimRow): Claim => ({
  id: row.id,
  version: row.version,
  taskId: row.taskId,
  period: row.period,
  state: row.state,
  points: row.points,
  evidence: row.evidence,
  checks: row.checks,
  submittedAt: row.submittedAt.toISOString(),
  decidedAt: row.decidedAt?.toISOString() ?? null,
  decidedBy: row.decidedBy,
  reason: row.reason,
  retryAt: row.retryAt?.toISOString() ?? null,
  appeal:
    row.appealText !== null && row.appealAt && row.appealOutcome
      ? { text: row.appealText, at: row.appealAt.toISOString(), outcome: row.appealOutcome }
      : null,
});
