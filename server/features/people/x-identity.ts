import postgres, { type Sql, type TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import { X_RELINK_LOCK_MS } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { audit } from '../audit/audit.ts';
import { matchPerson } from '../imports/match.ts';
import { storeFormerNames } from './former-names.ts';

/** Linking another X account, or taking one off, needs a session this young. */
const FRESH_TELEGRAM_MS = 15 * 60_000;
const UNIQUE_VIOLATION = '23505';

/** An account at X as it was proven: by X's own sign-in with its number, by a post or an administrator by its name. */
export type ProvenX = { xUserId: string | null; username: string; by: 'oauth' | 'post' | 'admin' };
export type LinkedX = { xUserId: string | null; username: string | null; linkedAt: Date | null };

/** A phone that someone found unlocked must not move points or unlink an account. */
function requireFresh(telegramAt: Date, now: Date, before: string): void {
  if (now.getTime() - telegramAt.getTime() > FRESH_TELEGRAM_MS)
    throw new HttpError(403, 'TELEGRAM_SIGN_IN_TOO_OLD', `Sign in with Telegram again before you ${before}.`);
}

/**
 * Refuses to replace a linked account within 30 days, or without a Telegram sign-in of the last 15 minutes. Taking it off in between
 * changes nothing about the 30 days.
 */
export function checkRelink({ username, linkedAt }: LinkedX, telegramAt: Date, now: Date): void {
  const allowedAt = (linkedAt?.getTime() ?? 0) + X_RELINK_LOCK_MS;
  if (allowedAt > now.getTime()) {
    const at = new Date(allowedAt).toISOString();
    throw new HttpError(409, 'X_RELINK_LOCKED', `Another X account can be linked from ${at.slice(0, 10)} on.`, {
      details: { allowedAt: at } satisfies ErrorDetails['X_RELINK_LOCKED'],
    });
  }
  if (username !== null) requireFresh(telegramAt, now, 'link another X account');
}

/** Ids decide where both are known, because names change. */
function isSame(linked: Pick<LinkedX, 'xUserId' | 'username'>, proven: ProvenX): boolean {
  if (linked.xUserId !== null && proven.xUserId !== null) return linked.xUserId === proven.xUserId;
  return linked.username?.toLowerCase() === proven.username.toLowerCase();
}

/**
 * Writes a link. The id is unique, and so is a name without known id (threat model, row C4); known data of the same
 * account stays. `telegramAt` null: an administrator acts, without the lock. Throws what `checkRelink` throws, 401
 * `NOT_SIGNED_IN` for a deleted account, and 409 `X_ACCOUNT_TAKEN`.
 */
export async function linkX(
  tx: TransactionSql,
  scope: { userId: string; proven: ProvenX; telegramAt: Date | null; now: Date },
): Promise<void> {
  const { userId, proven, telegramAt, now } = scope;
  const [linked] = await tx<LinkedX[]>`
    select x_user_id as "xUserId", twitter_username as username, x_linked_at as "linkedAt"
    from users where id = ${userId} for update`;
  if (!linked) throw new HttpError(401, 'NOT_SIGNED_IN', 'Sign in with Telegram to go on.');
  // An account that the member unlinked may come back at any time.
  const [left] = await tx<Pick<LinkedX, 'xUserId' | 'username'>[]>`
    select x_user_id as "xUserId", name as username from x_unlinked where user_id = ${userId} and until > ${now}`;
  const stays = isSame(linked, proven) || (left !== undefined && isSame(left, proven));
  if (!stays && telegramAt !== null) checkRelink(linked, telegramAt, now);
  const [other] = await tx`
    select from users
    where id <> ${userId} and lower(twitter_username) = lower(${proven.username})
      and (x_user_id is null or ${proven.xUserId}::text is null) limit 1`;
  if (other || (telegramAt !== null && (await isHeld(tx, userId, proven, now)))) throw taken(proven);
  // Another account's tokens are not this one's.
  if (!stays) await tx`delete from x_tokens where user_id = ${userId}`;
  const xUserId = proven.xUserId ?? (stays ? linked.xUserId : null);
  const linkedAt = stays ? (linked.linkedAt ?? now) : now;
  try {
    await tx.savepoint(
      (nested) => nested`
        update users set x_user_id = ${xUserId}, twitter_username = ${proven.username}, x_linked_at = ${linkedAt},
          x_linked_by = ${proven.by}, is_verified = true
        where id = ${userId}`,
    );
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === UNIQUE_VIOLATION) throw taken(proven);
    throw error;
  }
  await tx`delete from x_unlinked where user_id = ${userId}`;
  await storeFormerNames(tx, { userId, before: { x: linked.username }, after: { x: proven.username }, now });
  await matchPerson(tx, userId);
}

/**
 * Whether another member unlinked this account within the lock period: one X account vouches for one person at a time.
 */
async function isHeld(tx: TransactionSql, userId: string, { xUserId, username }: ProvenX, now: Date): Promise<boolean> {
  const [held] = await tx`
    select from x_unlinked where user_id <> ${userId} and until > ${now}
      and (x_user_id = ${xUserId} or lower(name) = lower(${username})) limit 1`;
  return held !== undefined;
}

/**
 * Unlinks the member's X account and deletes its tokens. The lock of 30 days stays: within it only the same account can
 * be linked again, and only here. Throws 409 `NO_X_ACCOUNT`, 403 `TELEGRAM_SIGN_IN_TOO_OLD`.
 */
export async function unlinkX(
  tx: TransactionSql,
  { userId, telegramAt, now }: { userId: string; telegramAt: Date; now: Date },
): Promise<void> {
  requireFresh(telegramAt, now, 'unlink your X account');
  const [linked] = await tx<(LinkedX & { name: string })[]>`
    select x_user_id as "xUserId", twitter_username as username, x_linked_at as "linkedAt", display_name as name
    from users where id = ${userId} for update`;
  if (!linked || linked.username === null)
    throw new HttpError(409, 'NO_X_ACCOUNT', 'No X account is linked to your account.');
  const until = new Date((linked.linkedAt?.getTime() ?? 0) + X_RELINK_LOCK_MS);
  if (until > now)
    await tx`
      insert into x_unlinked (user_id, x_user_id, name, until)
      values (${userId}, ${linked.xUserId}, ${linked.username}, ${until})`;
  await tx`
    update users set x_user_id = null, twitter_username = null, x_linked_by = null, is_verified = false
    where id = ${userId}`;
  // A trigger revokes them at X.
  await tx`delete from x_tokens where user_id = ${userId}`;
  await storeFormerNames(tx, { userId, before: { x: linked.username }, after: { x: null }, now });
  await audit(tx, {
    communityId: null,
    actorId: userId,
    action: 'person.x_unlinked',
    subject: linked.name,
    subjectId: userId,
    at: now,
  });
}

const taken = ({ username }: ProvenX) =>
  new HttpError(409, 'X_ACCOUNT_TAKEN', `@${username} is linked to another member already.`, { details: { username } });

export const sweepUnlinked = (sql: Sql, now: Date): Promise<unknown> =>
  sql`delete from x_unlinked where until <= ${now}`;
