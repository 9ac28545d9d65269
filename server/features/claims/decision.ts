import type { ISql } from 'postgres';
import type { Claim } from '../../contract/claims.ts';
import type { NewDecision } from '../../contract/review.ts';
import { isId } from '../../domain/ids.ts';
import { prose } from '../../domain/text.ts';
import { Refusal } from '../../http/refusal.ts';
import { thenAward } from './award.ts';
import { type ClaimRow, claimColumns, claimOf } from './claim-row.ts';

type Asked = { communityId: string; claimId: string; reviewerId: string; now: Date };

/**
 * Approves (and awards, in the same statement) or rejects a claim that waits. The first decision wins; whoever comes
 * second is told what was decided and by whom. An approval counts on the boards of its own day, not the claim's.
 * Must run in a transaction: it meets `joinCommunity` at the claim's row.
 * Throws 422 `REASON_REQUIRED`, 404 `NOT_FOUND`, 403 `OWN_CLAIM` and `NOT_ALLOWED`, 409 `ALREADY_DECIDED`
 * (details: `{ claim }`).
 */
export async function decideClaim(sql: ISql, asked: Asked, input: NewDecision): Promise<Claim> {
  const reason = input.reason === undefined ? null : prose('reason', input.reason);
  if (input.decision === 'reject' && reason === null) {
    throw new Refusal(422, 'REASON_REQUIRED', 'Say why: the member reads it and may try again.');
  }
  if (input.decision === 'request_changes') throw new Refusal(501, 'NOT_BUILT', 'This is not built yet.');
  const state = input.decision === 'approve' ? 'approved' : 'rejected';
  return (await writeDecision(sql, asked, state, reason)) ?? refuse(sql, asked);
}

async function writeDecision(
  sql: ISql,
  { communityId, claimId, reviewerId, now }: Asked,
  state: 'approved' | 'rejected',
  reason: string | null,
): Promise<Claim | null> {
  if (!isId(claimId)) return null;
  // Whoever is just coming back is seen by the next statement, or waits for its end: either way they compete again.
  await sql`select from claims where id = ${claimId} and community_id = ${communityId} for update`;
  const [row] = await sql<ClaimRow[]>`
    with changed as (
      update claims set state = ${state}, decided_at = ${now}, decided_by = ${reviewerId}, reason = ${reason}
      where id = ${claimId} and community_id = ${communityId} and state = 'submitted' and user_id <> ${reviewerId}
        and exists (
          select from community_members r
          where r.community_id = ${communityId} and r.user_id = ${reviewerId} and r.role in ('leader', 'moderator'))
      returning *, 'submitted' as from_state, decided_by as actor_id
    ), membership as materialized (
      select m.role from community_members m
      join changed c on c.community_id = m.community_id and c.user_id = m.user_id for share of m
    ), ${thenAward(sql, now)}
    select ${claimColumns(sql)} from changed c left join users reviewer on reviewer.id = c.decided_by`;
  return row ? claimOf(row) : null;
}

/** Says why the statement touched nothing. */
async function refuse(sql: ISql, { communityId, claimId, reviewerId }: Asked): Promise<never> {
  const [row] = isId(claimId)
    ? await sql<(ClaimRow & { userId: string })[]>`
        select ${claimColumns(sql)}, c.user_id as "userId"
        from claims c left join users reviewer on reviewer.id = c.decided_by
        where c.id = ${claimId} and c.community_id = ${communityId}`
    : [];
  if (!row) throw new Refusal(404, 'NOT_FOUND', 'There is no such claim here.');
  if (row.userId === reviewerId) {
    throw new Refusal(403, 'OWN_CLAIM', 'This claim is your own: somebody else reviews it.');
  }
  if (row.state === 'submitted') {
    throw new Refusal(403, 'NOT_ALLOWED', 'Only a moderator or leader of this community may decide.');
  }
  const claim = claimOf(row);
  throw new Refusal(
    409,
    'ALREADY_DECIDED',
    `${claim.decidedBy ?? 'The task itself'} decided this already: ${claim.state}.`,
    {
      details: { claim },
    },
  );
}
