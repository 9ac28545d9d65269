import type { ISql, TransactionSql } from 'postgres';
import { awardHosts, type Earner } from '../badges/award.ts';

/** How many people that a member invited count: they reached the community's threshold once. */
export async function qualifiedInvites(sql: ISql, communityId: string, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int from referrals
    where community_id = ${communityId} and inviter_id = ${userId} and qualified_at is not null`;
  return row?.count ?? 0;
}

/** Marks invited people who have reached their community's threshold; they go on counting when points go again. */
export async function qualifyGuests(tx: TransactionSql, now: Date, earners: readonly Earner[]): Promise<void> {
  const hosts = await tx<Earner[]>`
    update referrals r set qualified_at = ${now}
    from unnest((select ${earners.map((one) => one.communityId)}::uuid[]),
      (select ${earners.map((one) => one.userId)}::uuid[])) as earner (place, person)
    join communities c on c.id = earner.place
    join scores s on s.community_id = earner.place and s.user_id = earner.person
    where r.community_id = earner.place and r.invitee_id = earner.person and r.qualified_at is null
      and s.points >= c.invite_threshold
    returning r.community_id as "communityId", r.inviter_id as "userId"`;
  if (hosts.length > 0) await awardHosts(tx, now, hosts);
}

/** Marks members who are over their community's lowered threshold; none after raising it. */
export async function qualifyByThreshold(tx: TransactionSql, now: Date, communityId: string): Promise<void> {
  const hosts = await tx<Earner[]>`
    update referrals r set qualified_at = ${now} from communities c
    where c.id = ${communityId} and r.community_id = c.id and r.qualified_at is null and c.invite_threshold <= coalesce((
      select s.points from scores s where s.community_id = r.community_id and s.user_id = r.invitee_id), 0)
    returning r.community_id as "communityId", r.inviter_id as "userId"`;
  if (hosts.length > 0) await awardHosts(tx, now, hosts);
}
