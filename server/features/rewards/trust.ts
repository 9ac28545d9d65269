import type { ISql } from 'postgres';
import { type Trust, type TrustFacts, trustOf } from '../../domain/trust.ts';

type Facts = TrustFacts & { userId: string };

/** How far one member's account and conduct speak for trust. Advisory: it gates rewards, never access. */
export async function readTrust(sql: ISql, communityId: string, userId: string, now: Date): Promise<Trust> {
  const trust = (await readTrusts(sql, communityId, [userId], now)).get(userId);
  return trust ?? { score: 0, signals: [] };
}

/** The same for many members at once, by their id. */
export async function readTrusts(
  sql: ISql,
  communityId: string,
  userIds: readonly string[],
  now: Date,
): Promise<Map<string, Trust>> {
  const rows = await sql<Facts[]>`
    select u.id as "userId",
      (extract(epoch from ${now}::timestamptz - u.created_at) / 86400)::float8 as "accountDays",
      coalesce(extract(epoch from ${now}::timestamptz - m.joined_at) / 86400, 0)::float8 as "memberDays",
      u.x_user_id is not null as "xLinked", did.*, invited.beside as "invitedBeside"
    from users u
    left join community_members m on m.community_id = ${communityId} and m.user_id = u.id
    cross join lateral (
      select count(*) filter (where c.state = 'approved')::int as approved,
        count(*) filter (where c.state = 'rejected')::int as rejected,
        count(*) filter (where c.state = 'reversed')::int as reversed,
        coalesce(max(c.near), 0)::int as burst,
        count(*) filter (where c.answer_hash is not null and exists (
          select from claims o
          where o.task_id = c.task_id and o.answer_hash = c.answer_hash and o.user_id <> u.id
            and (o.submitted_at, o.id) < (c.submitted_at, c.id)))::int as alike
      from (
        select *, count(*) over (order by submitted_at range between interval '10 minutes' preceding and current row) as near
        from claims where community_id = ${communityId} and user_id = u.id
          -- What a check did not pass by itself, as a failed quiz, is a try: nobody refused it, and it moves nothing.
          and not (state = 'rejected' and decided_by is null)
      ) c
    ) did
    cross join lateral (
      select count(*)::int as beside from referrals r
      join referrals o on o.community_id = r.community_id and o.inviter_id = r.inviter_id and o.invitee_id <> u.id
        and o.joined_at between r.joined_at - interval '1 hour' and r.joined_at + interval '1 hour'
      where r.community_id = ${communityId} and r.invitee_id = u.id
    ) invited
    where u.id = any(${[...userIds]})`;
  return new Map(rows.map((facts) => [facts.userId, trustOf(facts)]));
}
