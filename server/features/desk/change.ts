import type { Sql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import { SUSPENSION_LEAST_MS } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { lockCommunity } from '../ledger/lock.ts';
import { emit } from '../webhooks/emit.ts';

/** Who changes which community, why, and when. */
export type Change = { placeId: string; adminId: string; reason: string; now: Date };
type Held = { id: string; name: string; isSuspended: boolean; isFeatured: boolean; isLarge: boolean };

/** Holds a community until the transaction ends. Throws 404 `NOT_FOUND`. */
async function hold(tx: TransactionSql, placeId: string): Promise<Held> {
  const [held] = await tx<Held[]>`
    select id, name, status = 'suspended' as "isSuspended", featured_at is not null as "isFeatured",
      large_imports_at is not null as "isLarge"
    from communities where id = ${placeId} for no key update`;
  if (!held) throw notFound('community');
  return held;
}

const note = (tx: TransactionSql, { adminId, now, reason }: Change, action: string, { id, name }: Held) =>
  audit(tx, { communityId: null, actorId: adminId, action, subject: name, subjectId: id, reason, at: now });

/**
 * Suspends a community, or changes a suspension's reason and end. From the next request on members and leaders see why,
 * strangers find nothing, writes and pushes stop, and seasons pause; nothing is deleted. Throws 422 `INVALID_TIME` for
 * an end that has nearly passed.
 */
export async function suspendCommunity(tx: TransactionSql, scope: Change, until: Date | null): Promise<void> {
  if (until !== null && until.getTime() < scope.now.getTime() + SUSPENSION_LEAST_MS)
    throw new HttpError(422, 'INVALID_TIME', 'A suspension lasts a minute at least: choose a later end.', {
      details: { field: 'until' },
    });
  const reason = prose('reason', scope.reason);
  const held = await hold(tx, scope.placeId);
  await tx`
    update communities set status = 'suspended', suspended_at = coalesce(suspended_at, ${scope.now}),
      suspended_until = ${until}, suspended_reason = ${reason}
    where id = ${held.id}`;
  await note(tx, { ...scope, reason }, held.isSuspended ? 'community.suspension_changed' : 'community.suspended', held);
}

const lift = (tx: TransactionSql, id: string) => tx`
  update communities set status = 'active', suspended_at = null, suspended_until = null, suspended_reason = null
  where id = ${id}`;

/** Lifts a suspension. Throws 409 `NOT_SUSPENDED`. */
export async function restoreCommunity(tx: TransactionSql, scope: Change): Promise<void> {
  const reason = prose('reason', scope.reason);
  const held = await hold(tx, scope.placeId);
  if (!held.isSuspended) throw new HttpError(409, 'NOT_SUSPENDED', 'This community is not suspended.');
  await lift(tx, held.id);
  await note(tx, { ...scope, reason }, 'community.restored', held);
}

/**
 * Features a community in the directory, or ends that. Throws 409 `SUSPENDED_COMMUNITY`: it would not be visible there.
 */
export async function featureCommunity(tx: TransactionSql, scope: Change, featured: boolean): Promise<void> {
  const reason = prose('reason', scope.reason);
  const held = await hold(tx, scope.placeId);
  if (held.isSuspended && featured)
    throw new HttpError(409, 'SUSPENDED_COMMUNITY', 'This community is suspended. Restore it first.');
  if (held.isFeatured === featured) return;
  await tx`update communities set featured_at = ${featured ? scope.now : null} where id = ${held.id}`;
  await note(tx, { ...scope, reason }, featured ? 'community.featured' : 'community.not_featured', held);
}

/** Lets a community move in as many people as fit, or few again; see `IMPORT_LINES_FIRST`. */
export async function allowLargeImports(tx: TransactionSql, scope: Change, allowed: boolean): Promise<void> {
  const reason = prose('reason', scope.reason);
  const held = await hold(tx, scope.placeId);
  if (held.isLarge === allowed) return;
  await tx`update communities set large_imports_at = ${allowed ? scope.now : null} where id = ${held.id}`;
  await note(tx, { ...scope, reason }, allowed ? 'community.imports_large' : 'community.imports_small', held);
}

/**
 * Makes a person leader of a community, who joins it if needed; its former leaders stay leaders or become members. Its
 * leaders see it in their own audit too. Throws 404 `NO_SUCH_PERSON`, 409 `SUSPENDED_ACCOUNT`, 409 `NOT_VERIFIED` for a
 * person who may not lead, and 409 `LEADS_ALREADY`.
 */
export async function handOver(
  tx: TransactionSql,
  scope: Change,
  { userId, others }: { userId: string; others: 'stay' | 'member' },
): Promise<void> {
  const reason = prose('reason', scope.reason);
  // The account before the community's lock, like suspending does, which prevents deadlocks.
  const [heir] = await tx<{ name: string; isSuspended: boolean; isVerified: boolean }[]>`
    select display_name as name, suspended_at is not null as "isSuspended", is_verified as "isVerified"
    from users where id = ${userId} for key share`;
  await lockCommunity(tx, scope.placeId);
  const held = await hold(tx, scope.placeId);
  if (!heir) throw new HttpError(404, 'NO_SUCH_PERSON', 'There is no such account.');
  if (heir.isSuspended) throw new HttpError(409, 'SUSPENDED_ACCOUNT', 'This account is suspended. Restore it first.');
  if (!heir.isVerified)
    throw new HttpError(409, 'NOT_VERIFIED', 'This account is not verified, so it cannot lead. Verify it first.', {
      details: { of: 'them' } satisfies ErrorDetails['NOT_VERIFIED'],
    });
  const [member] = await tx<{ role: string }[]>`
    select role from community_members where community_id = ${held.id} and user_id = ${userId}`;
  const former = await tx<{ userId: string; name: string }[]>`
    select m.user_id as "userId", u.display_name as name from community_members m join users u on u.id = m.user_id
    where m.community_id = ${held.id} and m.role = 'leader' and m.user_id <> ${userId}`;
  const ends = others === 'member' ? former : [];
  if (member?.role === 'leader' && ends.length === 0)
    throw new HttpError(409, 'LEADS_ALREADY', `${heir.name} leads this community already.`, {
      details: { name: heir.name },
    });
  await tx`
    insert into community_members as m (community_id, user_id, role, joined_at)
    values (${held.id}, ${userId}, 'leader', ${scope.now})
    on conflict (community_id, user_id) do update set role = 'leader' where m.role <> 'leader'`;
  if (!member) await emit(tx, { communityId: held.id, event: 'member.joined', at: scope.now, data: { userId } });
  if (ends.length > 0)
    await tx`
      update community_members set role = 'member'
      where community_id = ${held.id} and user_id = any(${ends.map((one) => one.userId)}::uuid[])`;
  const inside = (action: string, subject: string, subjectId: string) =>
    audit(tx, { communityId: held.id, actorId: scope.adminId, action, subject, subjectId, reason, at: scope.now });
  if (member?.role !== 'leader') await inside('member.made_leader', heir.name, userId);
  for (const one of ends) await inside('member.made_member', one.name, one.userId);
  await note(tx, { ...scope, reason: `${heir.name}: ${reason}` }, 'community.handed_over', held);
}

/** Lifts the suspensions of communities whose time has come, a thousand at once. */
export async function endCommunitySuspensions(sql: Sql, now: Date): Promise<void> {
  await sql.begin(async (tx) => {
    const due = await tx<{ id: string; name: string }[]>`
      select id, name from communities where suspended_until <= ${now}
      order by suspended_until limit 1000 for update skip locked`;
    for (const { id, name } of due) {
      await lift(tx, id);
      await audit(tx, {
        communityId: null,
        actorId: null,
        action: 'community.restored',
        subject: name,
        subjectId: id,
        reason: 'The time of the suspension was over.',
        at: now,
      });
    }
  });
}
