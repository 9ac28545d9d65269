import { randomBytes } from 'node:crypto';
import type { ISql, TransactionSql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import type { CommunitySummary } from '../../contract/community.ts';
import { PEOPLE_PAGE } from '../../contract/limits.ts';
import type { Invite } from '../../contract/members.ts';
import { awardHosts } from '../badges/award.ts';
import { joinCommunity } from '../communities/membership.ts';
import { readSummary } from '../communities/rows.ts';
import { qualifiedInvites } from '../referral/referral.ts';

/** Letters and digits that are not confused when read aloud. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODE_LENGTH = 10;

function newCode(): string {
  return [...randomBytes(CODE_LENGTH)].map((byte) => SIGNS[byte % SIGNS.length]).join('');
}

/** A code as it was made, however it was typed. */
const asMade = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '');

/** A member's invite, created at first use, and the latest `PEOPLE_PAGE` people it brought. */
export async function readInvite(
  sql: ISql,
  { communityId, userId, origin, now }: { communityId: string; userId: string; origin: string; now: Date },
): Promise<Invite> {
  await sql`
    insert into invites (code, community_id, user_id, created_at)
    values (${newCode()}, ${communityId}, ${userId}, ${now}) on conflict (community_id, user_id) do nothing`;
  const [[made], qualified, invited] = await Promise.all([
    sql<{ code: string; threshold: number }[]>`
      select i.code, c.invite_threshold as threshold from invites i join communities c on c.id = i.community_id
      where i.community_id = ${communityId} and i.user_id = ${userId}`,
    qualifiedInvites(sql, communityId, userId),
    sql<{ displayName: string; joinedAt: Date; qualified: boolean }[]>`
      select shown_name(u) as "displayName", r.joined_at as "joinedAt", r.qualified_at is not null as qualified
      from referrals r join users u on u.id = r.invitee_id
      where r.community_id = ${communityId} and r.inviter_id = ${userId}
      order by r.joined_at desc, u.id limit ${PEOPLE_PAGE}`,
  ]);
  if (!made) throw new Error('an invite is gone that was just made');
  return {
    ...made,
    url: `${origin}/i/${made.code}`,
    qualified,
    invited: invited.map((one) => ({ ...one, joinedAt: one.joinedAt.toISOString() })),
  };
}

type Found = { communityId: string; inviterId: string; invitedBy: string };

/** An invite counts as long as who made it belongs to the community. Throws 404 `NOT_FOUND`. */
async function findInvite(sql: ISql, code: string): Promise<Found> {
  const [row] = await sql<Found[]>`
    select i.community_id as "communityId", i.user_id as "inviterId", shown_name(u) as "invitedBy"
    from invites i
    join users u on u.id = i.user_id
    join communities c on c.id = i.community_id and c.status = 'active'
    join community_members m on m.community_id = i.community_id and m.user_id = i.user_id
    where i.code = ${asMade(code)}`;
  if (!row) throw notFound('invite');
  return row;
}

/** Target of a code; its holder may see a private community too. Throws 404 `NOT_FOUND`. */
export async function readInvitation(
  sql: ISql,
  code: string,
  userId: string | null,
): Promise<{ community: CommunitySummary; invitedBy: string }> {
  const { communityId, invitedBy } = await findInvite(sql, code);
  return { community: await readSummary(sql, communityId, userId), invitedBy };
}

/**
 * Joins with an invite. Members keep their role, and a person who was active here before is not invited. Throws 404
 * `NOT_FOUND`.
 */
export async function joinByInvite(
  tx: TransactionSql,
  { code, userId, now }: { code: string; userId: string; now: Date },
): Promise<CommunitySummary> {
  const { communityId, inviterId } = await findInvite(tx, code);
  const [existing] = await tx`
    select from community_members where community_id = ${communityId} and user_id = ${userId}
    union all
    (select from point_events where community_id = ${communityId} and user_id = ${userId} limit 1)`;
  const summary = await joinCommunity(tx, { communityId, userId, now, invited: true });
  if (existing || inviterId === userId) return summary;
  const [guest] = await tx<{ counts: boolean }[]>`
    insert into referrals (community_id, invitee_id, inviter_id, joined_at, qualified_at)
    select id, ${userId}, ${inviterId}, ${now}::timestamptz, case when invite_threshold = 0 then ${now}::timestamptz end
    from communities where id = ${communityId}
    on conflict do nothing returning qualified_at is not null as counts`;
  if (guest?.counts) await awardHosts(tx, now, [{ communityId, userId: inviterId }]);
  return summary;
}
