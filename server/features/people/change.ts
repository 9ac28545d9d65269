import type { Sql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import { SUSPENSION_LEAST_MS } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { isId } from '../../domain/ids.ts';
import { prose } from '../../domain/text.ts';
import { webAddress } from '../../domain/web-address.ts';
import { audit } from '../audit/audit.ts';
import { cancelErasure, scheduleErasure } from '../person/erasure.ts';
import { storeFormerNames } from './former-names.ts';
import { linkX } from './x-identity.ts';

/** Who changes whose account, why, and when. */
export type Change = { userId: string; adminId: string; reason: string; now: Date };
type Role = 'member' | 'ops' | 'admin';
type Held = {
  id: string;
  name: string;
  role: Role;
  isSuspended: boolean;
  isVerified: boolean;
  hasX: boolean;
  isBeingErased: boolean;
  x: string | null;
};

/** Holds an account until the transaction ends. Throws 404 `NOT_FOUND`. */
async function hold(tx: TransactionSql, userId: string): Promise<Held> {
  const [held] = isId(userId)
    ? await tx<Held[]>`
        select id, display_name as name, role, suspended_at is not null as "isSuspended",
          is_verified as "isVerified", x_user_id is not null or twitter_username is not null as "hasX",
          twitter_username as x,
          exists (select from erasures e where e.user_id = users.id and e.cancelled_at is null) as "isBeingErased"
        from users where id = ${userId} and erased_at is null for update`
    : [];
  if (!held) throw notFound('account');
  return held;
}

/** Nobody shuts themselves out, or lets themselves in: another administrator decides about an administrator. */
function requireOther({ userId, adminId }: Change): void {
  if (userId === adminId)
    throw new HttpError(409, 'OWN_ACCOUNT', 'This is your own account: another administrator decides about it.');
}

/** Nothing else is decided about an account that is to be erased: what it was comes back if that is cancelled. */
function requireStaying({ isBeingErased }: Held): void {
  if (isBeingErased)
    throw new HttpError(409, 'ERASURE_WAITS', 'This account is to be erased. Cancel that first, or leave it as it is.');
}

const note = (tx: TransactionSql, { adminId, now, reason }: Change, action: string, { id, name }: Held) =>
  audit(tx, { communityId: null, actorId: adminId, action, subject: name, subjectId: id, reason, at: now });

/**
 * Suspends an account, or gives a suspension another reason and end. Its sessions are refused from the next request on, live views
 * end within seconds, nothing is pushed, and boards leave it out; nothing is deleted.
 * Throws 409 `OWN_ACCOUNT`, 422 `INVALID_TIME` for an end that has nearly passed.
 */
export async function suspend(tx: TransactionSql, scope: Change, until: Date | null): Promise<void> {
  requireOther(scope);
  if (until !== null && until.getTime() < scope.now.getTime() + SUSPENSION_LEAST_MS)
    throw new HttpError(422, 'INVALID_TIME', 'A suspension lasts a minute at least: choose a later end.', {
      details: { field: 'until' },
    });
  const reason = prose('reason', scope.reason);
  const held = await hold(tx, scope.userId);
  requireStaying(held);
  await tx`
    update users set suspended_at = coalesce(suspended_at, ${scope.now}), suspended_until = ${until},
      suspended_reason = ${reason}
    where id = ${held.id}`;
  await note(tx, { ...scope, reason }, held.isSuspended ? 'person.suspension_changed' : 'person.suspended', held);
}

/** Lifts a suspension. Throws 409 `NOT_SUSPENDED`. */
export async function restore(tx: TransactionSql, scope: Change): Promise<void> {
  requireOther(scope);
  const reason = prose('reason', scope.reason);
  const held = await hold(tx, scope.userId);
  requireStaying(held);
  if (!held.isSuspended) throw new HttpError(409, 'NOT_SUSPENDED', 'This account is not suspended.');
  await tx`
    update users set suspended_at = null, suspended_until = null, suspended_reason = null where id = ${held.id}`;
  await note(tx, { ...scope, reason }, 'person.restored', held);
}

/** Ends every session, and with them the notifications of their devices. Also one's own: a lost phone is. */
export async function signOutEverywhere(tx: TransactionSql, scope: Change): Promise<void> {
  const reason = prose('reason', scope.reason);
  const held = await hold(tx, scope.userId);
  await tx`delete from sessions where user_id = ${held.id}`;
  await note(tx, { ...scope, reason }, 'person.signed_out', held);
}

/** Ends one session, and with it the notifications of its device. Also one's own. Throws 404 `NO_SUCH_SESSION`. */
export async function endOneSession(tx: TransactionSql, scope: Change, sessionId: string): Promise<void> {
  const reason = prose('reason', scope.reason);
  const held = await hold(tx, scope.userId);
  const [ended] = await tx`
    delete from sessions where id = ${sessionId} and user_id = ${held.id} returning id`;
  if (!ended) throw new HttpError(404, 'NO_SUCH_SESSION', 'That session is over already.');
  await note(tx, { ...scope, reason }, 'person.session_ended', held);
}

/**
 * Verifies an account by hand, or takes its X account off it, which is then free for another.
 * Throws 409 `ALREADY_VERIFIED`, 409 `NO_X_ACCOUNT`, 409 `OWN_ACCOUNT`.
 */
export async function decideX(tx: TransactionSql, scope: Change, decision: 'verify' | 'unlink'): Promise<void> {
  requireOther(scope);
  const reason = prose('reason', scope.reason);
  const held = await hold(tx, scope.userId);
  if (decision === 'verify') {
    if (held.isVerified) throw new HttpError(409, 'ALREADY_VERIFIED', 'This account is verified already.');
    await tx`update users set is_verified = true where id = ${held.id}`;
  } else {
    if (!held.hasX) throw new HttpError(409, 'NO_X_ACCOUNT', 'No X account is linked to this one.');
    await tx`
      update users set x_user_id = null, twitter_username = null, x_linked_at = null, x_linked_by = null,
        is_verified = false
      where id = ${held.id}`;
    // X tokens are deleted and revoked at X.
    await tx`delete from x_tokens where user_id = ${held.id}`;
    await storeFormerNames(tx, { userId: held.id, before: { x: held.x }, after: { x: null }, now: scope.now });
  }
  await note(tx, { ...scope, reason }, decision === 'verify' ? 'person.verified' : 'person.x_unlinked', held);
}

/**
 * Links an X account that its owner cannot prove, on evidence that other administrators can check: its address is in
 * the audit. Throws 409 `OWN_ACCOUNT`, 422 `URL_NOT_ALLOWED` and what `linkX` throws.
 */
export async function linkByHand(
  tx: TransactionSql,
  scope: Change,
  { handle, evidence }: { handle: string; evidence: string },
): Promise<void> {
  requireOther(scope);
  const reason = prose('reason', scope.reason);
  const address = webAddress(evidence);
  if (address === null)
    throw new HttpError(422, 'URL_NOT_ALLOWED', 'Give the address of the evidence, with https://.', {
      details: { field: 'evidence', needs: 'web' } satisfies ErrorDetails['URL_NOT_ALLOWED'],
    });
  const held = await hold(tx, scope.userId);
  requireStaying(held);
  const proven = { xUserId: null, username: handle, by: 'admin' } as const;
  await linkX(tx, { userId: held.id, proven, telegramAt: null, now: scope.now });
  await note(tx, { ...scope, reason: `@${handle}: ${reason} (${address.href})` }, 'person.x_linked', held);
}

/**
 * Changes a person's role on the instance. Throws 409 `OWN_ACCOUNT`, so one administrator always remains, and 409
 * `SUSPENDED_ACCOUNT`.
 */
export async function giveRole(tx: TransactionSql, scope: Change, role: Role): Promise<void> {
  requireOther(scope);
  const reason = prose('reason', scope.reason);
  const held = await hold(tx, scope.userId);
  if (held.isSuspended && role !== 'member')
    throw new HttpError(409, 'SUSPENDED_ACCOUNT', 'This account is suspended. Restore it first.');
  if (held.role === role) return;
  await tx`update users set role = ${role} where id = ${held.id}`;
  await note(tx, { ...scope, reason }, `person.made_${role}`, held);
}

/**
 * Erases an account after the time that its person has to cancel it. Throws 409 `OWN_ACCOUNT`: one's own is erased at /your-data.
 */
export async function eraseLater(tx: TransactionSql, scope: Change): Promise<void> {
  requireOther(scope);
  const { userId, adminId, now } = scope;
  const reason = prose('reason', scope.reason);
  await scheduleErasure(tx, { userId, by: 'admin', actorId: adminId, reason, now, leavesCommunities: true });
}

/** Cancels a scheduled erasure. Throws 409 `NO_ERASURE` where there is none, or it has begun. */
export async function cancelPersonErasure(tx: TransactionSql, scope: Change): Promise<void> {
  requireOther(scope);
  const { userId, adminId, now } = scope;
  const reason = prose('reason', scope.reason);
  const cancelled = await cancelErasure(tx, { userId, by: 'admin', actorId: adminId, reason, now });
  if (!cancelled) throw new HttpError(409, 'NO_ERASURE', 'No erasure of this account can be cancelled.');
}

/** Audits an export of another person's data, with its reason. Throws 404 `NOT_FOUND`. Returns the person. */
export async function noteArchive(tx: TransactionSql, scope: Change): Promise<{ id: string; name: string }> {
  const reason = prose('reason', scope.reason);
  const held = await hold(tx, scope.userId);
  await note(tx, { ...scope, reason }, 'person.archived', held);
  return held;
}

/** Lifts the suspensions whose time has come, a thousand at once. */
export async function endSuspensions(sql: Sql, now: Date): Promise<void> {
  await sql.begin(async (tx) => {
    const due = await tx<{ id: string; name: string }[]>`
      select id, display_name as name from users where suspended_until <= ${now}
      order by suspended_until limit 1000 for update skip locked`;
    for (const { id, name } of due) {
      await tx`
        update users set suspended_at = null, suspended_until = null, suspended_reason = null where id = ${id}`;
      await audit(tx, {
        communityId: null,
        actorId: null,
        action: 'person.restored',
        subject: name,
        subjectId: id,
        reason: 'The time of the suspension was over.',
        at: now,
      });
    }
  });
}
