import type { ISql, Sql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import { SESSION_ABSOLUTE_MS } from '../../contract/limits.ts';
import type { Erasure, OwnData } from '../../contract/person-data.ts';
import { ERASURE_NOTICE_DAYS, ERASURE_WAIT_DAYS } from '../../contract/person-limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { isId } from '../../domain/ids.ts';
import { audit } from '../audit/audit.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Who requests it: the person, an administrator (`actorId`), or the command line. */
export type Wish = {
  userId: string;
  by: Erasure['by'];
  actorId: string | null;
  reason: string | null;
  now: Date;
  /** The last leader of a community, or the last administrator, must confirm to leave it. */
  leavesCommunities?: boolean;
};

type Held = {
  id: string;
  name: string;
  role: string;
  suspendedAt: Date | null;
  suspendedUntil: Date | null;
  suspendedReason: string | null;
};
type Waiting = { askedAt: Date; dueAt: Date; by: Erasure['by'] };

/** Locks an account for the transaction, so scheduling, cancelling and erasing are serialized. */
async function hold(tx: TransactionSql, userId: string): Promise<Held> {
  const [held] = isId(userId)
    ? await tx<Held[]>`
        select id, display_name as name, role, suspended_at as "suspendedAt", suspended_until as "suspendedUntil",
          suspended_reason as "suspendedReason"
        from users where id = ${userId} and erased_at is null for update`
    : [];
  if (!held) throw notFound('account');
  return held;
}

/** The erasure that waits for an account or is under way, or null. */
export async function findErasure(sql: ISql, userId: string): Promise<Erasure | null> {
  const [row] = await sql<Waiting[]>`
    select asked_at as "askedAt", due_at as "dueAt", asked_by as by from erasures
    where user_id = ${userId} and cancelled_at is null`;
  return row ? erasureOf(row) : null;
}
const erasureOf = ({ askedAt, dueAt, by }: Waiting): Erasure => ({
  askedAt: askedAt.toISOString(),
  dueAt: dueAt.toISOString(),
  by,
});

/** Communities with only this leader; suspended leaders do not count. */
export const onlyLeaderOf = (sql: ISql, userId: string): Promise<OwnData['onlyLeaderOf']> =>
  sql<OwnData['onlyLeaderOf']>`
    select c.id, c.slug, c.name, c.members from community_members m join communities c on c.id = m.community_id
    where m.user_id = ${userId} and m.role = 'leader' and not exists (
      select from community_members o join users u on u.id = o.user_id
      where o.community_id = c.id and o.role = 'leader' and o.user_id <> ${userId} and u.suspended_at is null)
    order by c.name, c.id`;

/**
 * Writes down that an account is to be erased after `ERASURE_WAIT_DAYS`. Until then it is shut out and nothing of it is gone: every
 * session ends, boards and notifications leave it out. Asked again it changes nothing. Throws 404 `NOT_FOUND`, 409 `ONLY_LEADER`
 * (details: the communities) and 409 `LAST_ADMIN`.
 */
export async function scheduleErasure(tx: TransactionSql, wish: Wish): Promise<Erasure> {
  const { userId, now } = wish;
  const held = await hold(tx, userId);
  const waiting = await findErasure(tx, userId);
  if (waiting) return waiting;
  await requireOtherAdmin(tx, held);
  if (!wish.leavesCommunities) await requireOtherLeaders(tx, userId);
  const dueAt = new Date(now.getTime() + ERASURE_WAIT_DAYS * DAY_MS);
  await tx`
    insert into erasures (user_id, asked_at, due_at, asked_by, suspended_at, suspended_until, suspended_reason, named_at)
    values (${userId}, ${now}, ${dueAt}, ${wish.by}, ${held.suspendedAt}, ${held.suspendedUntil}, ${held.suspendedReason},
      (select max(telegram_at) from sessions where user_id = ${userId}))
    on conflict (user_id) do update set asked_at = excluded.asked_at, due_at = excluded.due_at, asked_by = excluded.asked_by,
      suspended_at = excluded.suspended_at, suspended_until = excluded.suspended_until,
      suspended_reason = excluded.suspended_reason, named_at = excluded.named_at, cancelled_at = null`;
  await tx`
    update users set suspended_at = coalesce(suspended_at, ${now}), suspended_until = null, suspended_reason = null
    where id = ${userId}`;
  await forgetSessions(tx, userId, now);
  await note(tx, wish, 'person.erasure_asked', held);
  return { askedAt: now.toISOString(), dueAt: dueAt.toISOString(), by: wish.by };
}

/** Ends every session; a device that returns with one must delete the person's data (`server/http/forgotten.ts`). */
async function forgetSessions(tx: TransactionSql, userId: string, now: Date): Promise<void> {
  const until = new Date(now.getTime() + SESSION_ABSOLUTE_MS);
  await tx`
    insert into forgotten_sessions (token_hash, user_id, until)
    select token_hash, user_id, ${until} from sessions where user_id = ${userId} on conflict do nothing`;
  await tx`delete from sessions where user_id = ${userId}`;
}

async function requireOtherAdmin(tx: TransactionSql, { id, role }: Held): Promise<void> {
  if (role !== 'admin') return;
  const [other] = await tx`
    select from users where role = 'admin' and id <> ${id} and suspended_at is null limit 1`;
  if (other) return;
  throw new HttpError(
    409,
    'LAST_ADMIN',
    'This is the last administrator of this instance: make someone else one first.',
  );
}

async function requireOtherLeaders(tx: TransactionSql, userId: string): Promise<void> {
  const communities = await onlyLeaderOf(tx, userId);
  if (communities.length === 0) return;
  const names = communities.map(({ name }) => name).join(', ');
  throw new HttpError(409, 'ONLY_LEADER', `Nobody else leads ${names}. Make someone else a leader there first.`, {
    details: { communities } satisfies ErrorDetails['ONLY_LEADER'],
  });
}

/**
 * Cancels an erasure: everything is as before, except for the ended sessions. Returns whether the account is suspended
 * as before; null where none is scheduled, it has begun, or it cannot be cancelled (a person erased before, from a
 * backup).
 */
export async function cancelErasure(
  tx: TransactionSql,
  wish: Omit<Wish, 'leavesCommunities'>,
): Promise<{ isSuspended: boolean } | null> {
  const { userId, now } = wish;
  const held = await hold(tx, userId);
  const [row] = await tx<Pick<Held, 'suspendedAt' | 'suspendedUntil' | 'suspendedReason'>[]>`
    update erasures set cancelled_at = ${now}
    where user_id = ${userId} and cancelled_at is null and begun_at is null and due_at > asked_at
    returning suspended_at as "suspendedAt", suspended_until as "suspendedUntil", suspended_reason as "suspendedReason"`;
  if (!row) return null;
  await tx`
    update users set suspended_at = ${row.suspendedAt}, suspended_until = ${row.suspendedUntil},
      suspended_reason = ${row.suspendedReason}
    where id = ${userId}`;
  // Devices keep what they have not deleted yet.
  await tx`delete from forgotten_sessions where user_id = ${userId}`;
  await note(tx, wish, 'person.erasure_cancelled', held);
  return { isSuspended: row.suspendedAt !== null };
}

const note = (tx: TransactionSql, { actorId, reason, now }: Wish, action: string, { id, name }: Held) =>
  audit(tx, { communityId: null, actorId, action, subject: name, subjectId: id, reason, at: now });

/** The erasure that signing in cancelled, until its person has read so; else null. */
export async function readCancelled(sql: ISql, userId: string): Promise<OwnData['cancelled']> {
  const [row] = await sql<{ askedAt: Date; dueAt: Date; cancelledAt: Date }[]>`
    select asked_at as "askedAt", due_at as "dueAt", cancelled_at as "cancelledAt" from erasures
    where user_id = ${userId} and cancelled_at is not null`;
  if (!row) return null;
  return {
    askedAt: row.askedAt.toISOString(),
    dueAt: row.dueAt.toISOString(),
    cancelledAt: row.cancelledAt.toISOString(),
  };
}

/** Its person has read that an erasure was cancelled. */
export async function forgetCancelled(sql: Sql | TransactionSql, userId: string): Promise<void> {
  await sql`delete from erasures where user_id = ${userId} and cancelled_at is not null`;
}

export async function sweepErasures(sql: Sql, now: Date): Promise<void> {
  await sql`delete from forgotten_sessions where until <= ${now}`;
  await sql`delete from erasures where cancelled_at < ${new Date(now.getTime() - ERASURE_NOTICE_DAYS * DAY_MS)}`;
}
