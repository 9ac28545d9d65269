import type { ISql } from 'postgres';
import type { ClaimStep } from '../../contract/claims.ts';
import { ACTORS } from '../../domain/review-rules.ts';

type Row = Omit<ClaimStep, 'at' | 'actor'> & { claimId: string; at: Date };

/** All that happened to each of the claims, the oldest first; from the view `claim_steps`, as every reader of a history. */
export async function readHistories(
  sql: ISql,
  communityId: string,
  claimIds: readonly string[],
): Promise<Map<string, ClaimStep[]>> {
  const rows = await sql<Row[]>`
    select s.claim_id as "claimId", s.kind, s.at, u.display_name as by, s.from_state as "from", s.to_state as "to",
      s.reason, s.points, s.version, s.evidence
    from claim_steps s left join users u on u.id = s.actor_id
    where s.community_id = ${communityId} and s.claim_id = any(${[...claimIds]}) order by s.event_id, s.nth`;
  const histories = new Map<string, ClaimStep[]>();
  for (const { claimId, ...row } of rows) {
    const step = { ...row, actor: ACTORS[row.kind], at: row.at.toISOString() };
    histories.set(claimId, [...(histories.get(claimId) ?? []), step]);
  }
  return histories;
}
