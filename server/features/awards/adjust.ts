import type { TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { CommunityRole } from '../../contract/community.ts';
import type { CommunityLedgerEntry } from '../../contract/ledger.ts';
import { POINTS_BY_HAND_MAX } from '../../contract/limits.ts';
import { refuseLeader } from '../../domain/roles.ts';
import { prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { readEntry } from '../ledger/entries.ts';
import { lockCommunities } from '../ledger/lock.ts';
import { INSTANCE } from '../ledger/record.ts';
import { emit } from '../webhooks/emit.ts';
import { recordPoints } from './record.ts';

/** Gives or takes points by hand. Throws 404 `NOT_FOUND`, 403 `LEADERS_DO_NOT_COMPETE`, 409 `POINTS_LIMIT`. */
export async function adjust(
  tx: TransactionSql,
  { communityId, leaderId, now }: { communityId: string; leaderId: string; now: Date },
  input: { userId: string; points: number; reason: string },
): Promise<CommunityLedgerEntry> {
  const { userId, points } = input;
  const reason = prose('reason', input.reason);
  const [member] = await tx<{ role: CommunityRole; name: string }[]>`
    select m.role, u.display_name as name from community_members m join users u on u.id = m.user_id
    where m.community_id = ${communityId} and m.user_id = ${userId}`;
  if (!member) throw notFound('member');
  refuseLeader(member.role, 'They');
  // Also across communities: one community must not use up the room for points of another. Under the instance's lock,
  // so leaders of several communities cannot exceed this together.
  await lockCommunities(tx, [communityId, INSTANCE]);
  const [beyond] = await tx`
    select from (
      select points::bigint from scores where user_id = ${userId} and community_id = ${communityId}
      union all
      select sum(points) from scores where user_id = ${userId} and community_id <> ${INSTANCE}
    ) total where abs(points + ${points}) > greatest(${POINTS_BY_HAND_MAX}, abs(points)) limit 1`;
  if (beyond) throw new HttpError(409, 'POINTS_LIMIT', 'Nobody gets as many points by hand.');
  const data = { userId, points, reason };
  await emit(tx, { communityId, event: 'points.changed', at: now, data });
  await audit(tx, {
    communityId,
    actorId: leaderId,
    action: 'points.adjusted',
    subject: `${member.name}: ${points > 0 ? '+' : ''}${points}`,
    subjectId: userId,
    reason,
    at: now,
  });
  const [id] = await recordPoints(tx, now, [
    { communityId, userId, kind: 'adjust', points, reason, actorId: leaderId },
  ]);
  const entry = id === undefined ? null : await readEntry(tx, communityId, id);
  if (!entry) throw new Error('an adjustment is gone that was just written');
  return entry;
}
