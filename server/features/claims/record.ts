import type { TransactionSql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { RECORD_SHOWN } from '../../contract/limits.ts';
import type { MemberRecord } from '../../contract/review.ts';
import { isId } from '../../domain/ids.ts';
import { readTrust } from '../rewards/trust.ts';

type Row = Omit<MemberRecord, 'joinedAt' | 'last' | 'trust'> & { joinedAt: Date | null };
type Line = Omit<MemberRecord['last'][number], 'at'> & { at: Date };

/**
 * What came of the claims of who is or was a member here. `sql` must be one snapshot. Throws 404 `NOT_FOUND` for who never
 * sent anything and is no member.
 */
export async function readRecord(
  sql: TransactionSql,
  scope: { communityId: string; userId: string; role: CommunityRole | null; now: Date },
): Promise<MemberRecord> {
  const { communityId, userId, role, now } = scope;
  const [row] = isId(userId)
    ? await sql<Row[]>`
        select u.id, u.display_name as "displayName", m.joined_at as "joinedAt", coalesce(s.points, 0) as points, past.*
        from users u
        left join community_members m on m.community_id = ${communityId} and m.user_id = u.id
        left join scores s on s.community_id = ${communityId} and s.user_id = u.id
        cross join lateral (
          select count(*) filter (where state = 'approved')::int as approved,
            count(*) filter (where state = 'rejected' and decided_by is not null)::int as rejected,
            count(*) filter (where appeal_at is not null)::int as appeals
          from claims c where c.community_id = ${communityId} and c.user_id = u.id
        ) past
        where u.id = ${userId}
          and (m.user_id is not null or exists (select from claims c where c.community_id = ${communityId} and c.user_id = u.id))`
    : [];
  if (!row) throw notFound('member');
  const last = await sql<Line[]>`
    select c.id as "claimId", t.title as task, c.state, c.decided_at as at, c.reason
    from claims c join tasks t on t.id = c.task_id
    where c.community_id = ${communityId} and c.user_id = ${userId} and c.decided_by is not null
      and c.state in ('approved', 'rejected', 'reversed') and c.appeal_outcome is distinct from 'open'
    order by c.decided_at desc, c.id limit ${RECORD_SHOWN}`;
  return {
    ...row,
    joinedAt: row.joinedAt?.toISOString() ?? null,
    last: last.map((one) => ({ ...one, at: one.at.toISOString() })).reverse(),
    trust: role === 'leader' ? await readTrust(sql, communityId, userId, now) : null,
  };
}
