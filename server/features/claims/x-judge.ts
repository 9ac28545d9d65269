import type { TransactionSql } from 'postgres';
import type { Check, Evidence } from '../../contract/claims.ts';
import type { TaskSetup } from '../../contract/tasks.ts';
import { isXKind, type XKind } from '../../contract/x-post.ts';
import type { Verdict } from './judge.ts';

export type XEvidence = Extract<Evidence, { kind: XKind }>;
export type XSetup = Extract<TaskSetup, { kind: XKind }>;

/** The check at X. */
export const xCheck = (now: Date, ok: boolean | null, note: string): Check => ({
  what: 'x',
  at: now.toISOString(),
  ok,
  note,
});

/** Whether X is to be asked about a claim. */
export const isCheckedAtX = ({ state, evidence }: Verdict): boolean =>
  state === 'checking' && evidence !== null && isXKind(evidence.kind);

/** Queues the question, in the transaction of the claim. */
export async function queueXCheck(
  tx: TransactionSql,
  { communityId, claimId }: { communityId: string; claimId: string },
  now: Date,
): Promise<void> {
  await tx`
    insert into x_checks (community_id, claim_id, created_at, next_try_at) values (${communityId}, ${claimId}, ${now}, ${now})
    on conflict (claim_id, community_id) do update set attempts = 0, created_at = excluded.created_at, next_try_at = excluded.next_try_at`.execute();
}
