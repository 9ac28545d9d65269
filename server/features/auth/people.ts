import type { TransactionSql } from 'postgres';
import type { Actor } from '../../base/actor.ts';
import { HttpError } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { SUSPENDED } from '../../contract/errors.ts';
import type { User } from '../../contract/user.ts';
import type { ChatMembership } from '../../integrations/telegram/chats.ts';
import type { TelegramIdentity } from '../../integrations/telegram/telegram.ts';
import { matchPerson } from '../imports/match.ts';
import { namesOf, storeFormerNames } from '../people/former-names.ts';
import { agreeBySigningIn } from '../person/consents.ts';
import { cancelErasure } from '../person/erasure.ts';

/**
 * Queries Telegram for a person in the required channel. Null when no channel is required or Telegram gave no answer:
 * an error is never a revocation (design, membership), so callers keep the stored status.
 */
export async function fetchMembership(runtime: Runtime, telegramUserId: string): Promise<ChatMembership | null> {
  const { requiredChannel } = runtime.config.telegram;
  if (requiredChannel === null) return null;
  return runtime.telegram.membership(requiredChannel, telegramUserId).catch(() => null);
}

/**
 * Finds or creates the account of a proven Telegram identity and updates its Telegram data. Signing in cancels a
 * scheduled erasure. Throws 403 for a suspended account; then the caller's transaction is rolled back.
 */
export async function upsertPerson(
  sql: TransactionSql,
  identity: TelegramIdentity,
  membership: ChatMembership | null,
  now: Date,
): Promise<User> {
  const checkedAt = membership === null ? null : now;
  const source = membership === null ? null : 'sign-in';
  const before = await namesOf(sql, identity.telegramUserId);
  const [row] = await sql<(User & { suspended: boolean })[]>`
    insert into users (telegram_user_id, telegram_username, display_name, membership, membership_checked_at, membership_source)
    values (${identity.telegramUserId}, ${identity.username}, ${identity.displayName},
      ${membership ?? 'unknown'}, ${checkedAt}, ${source})
    on conflict (telegram_user_id) do update set
      telegram_username = excluded.telegram_username,
      display_name = excluded.display_name,
      membership = case when ${membership !== null} then excluded.membership else users.membership end,
      membership_checked_at = coalesce(excluded.membership_checked_at, users.membership_checked_at),
      membership_source = coalesce(excluded.membership_source, users.membership_source)
    returning id, telegram_user_id::text as "telegramUserId", telegram_username as "telegramUsername",
      twitter_username as "twitterUsername", is_verified as "isVerified", display_name as "displayName", role,
      suspended_at is not null as suspended`;
  if (!row) throw new Error('the person was not stored');
  // A username that changed owners belongs to the account that Telegram names now.
  const without =
    identity.username === null
      ? []
      : await sql<{ id: string }[]>`
          update users set telegram_username = null
          where lower(telegram_username) = lower(${identity.username}) and id <> ${row.id} returning id`;
  for (const { id } of without)
    await storeFormerNames(sql, {
      userId: id,
      before: { telegram: identity.username },
      after: { telegram: null },
      now,
    });
  if (before) {
    const after = { telegram: row.telegramUsername, display: row.displayName };
    await storeFormerNames(sql, { userId: row.id, before, after, now });
  }
  const { suspended, ...user } = row;
  const cancelled = suspended
    ? await cancelErasure(sql, { userId: row.id, by: 'person', actorId: row.id, reason: null, now })
    : null;
  if (suspended && (cancelled?.isSuspended ?? true)) {
    throw new HttpError(403, SUSPENDED, 'This account is suspended. Ask the people who run this place.');
  }
  await agreeBySigningIn(sql, row.id, now);
  await matchPerson(sql, user.id);
  return user;
}

/** The answer of `GET /api/auth/user` for an actor. */
export const userOf = (actor: Actor): User => ({
  id: actor.userId,
  telegramUserId: actor.telegramUserId,
  telegramUsername: actor.telegramUsername,
  twitterUsername: actor.twitterUsername,
  isVerified: actor.isVerified,
  displayName: actor.displayName,
  role: actor.role,
});
