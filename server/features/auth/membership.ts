import type { Sql, TransactionSql } from 'postgres';
import type { Actor } from '../../base/actor.ts';
import type { Runtime } from '../../base/runtime.ts';
import type { UpdateHandler } from '../../base/update-handler.ts';
import { SESSION_IDLE_MS } from '../../contract/limits.ts';
import type { TelegramUpdate } from '../../contract/telegram.ts';
import type { MembershipStatus } from '../../contract/user.ts';
import type { Handlers } from '../../http/handler.ts';
import { membershipOf } from '../../integrations/telegram/chats.ts';
import { fetchMembership } from './people.ts';

const CHANNEL_CACHE_MS = 10 * 60_000;
const CHANNEL_RETRY_MS = 30_000;

type Channel = { title: string | null; link: string | null };
/** The channel's title and link as Telegram last reported them: shown to removed people, so rarely refreshed. */
const emptyCache = (): { channel: Channel; until: number } => ({ channel: { title: null, link: null }, until: 0 });

async function channelOf(runtime: Runtime): Promise<Channel> {
  const { requiredChannel } = runtime.config.telegram;
  if (requiredChannel === null) return { title: null, link: null };
  const now = runtime.now().getTime();
  const cache = runtime.own(emptyCache);
  if (cache.until > now) return cache.channel;
  try {
    cache.channel = await runtime.telegram.chat(requiredChannel);
    cache.until = now + CHANNEL_CACHE_MS;
  } catch {
    cache.until = now + CHANNEL_RETRY_MS;
  }
  return cache.channel;
}

async function status(runtime: Runtime, sql: Sql, actor: Actor, scope: boolean): Promise<MembershipStatus> {
  const channel = await channelOf(runtime);
  const [row] = await sql<{ membership: Actor['membership']; checkedAt: Date | null }[]>`
    select membership, membership_checked_at as "checkedAt" from users where id = ${actor.userId}`;
  return {
    required: runtime.config.telegram.requiredChannel !== null,
    channelTitle: channel.title,
    rejoinUrl: channel.link,
    state: row?.membership ?? 'unknown',
    checkedAt: row?.checkedAt?.toISOString() ?? null,
    asked: scope,
  };
}

type StoredMembership = { id: string; telegramUserId: string; checkedAt: Date | null; updateId: string | null };

/**
 * Queries Telegram and stores its answer, unless something newer was stored in between: the person may be removed
 * during the query. False when Telegram gave no answer.
 */
async function recheck(
  runtime: Runtime,
  { id, telegramUserId, checkedAt, updateId }: StoredMembership,
  source: string,
): Promise<boolean> {
  const membership = await fetchMembership(runtime, telegramUserId);
  if (membership === null) return false;
  await runtime.sql`
    update users set membership = ${membership}, membership_checked_at = ${runtime.now()}, membership_source = ${source}
    where id = ${id} and membership_checked_at is not distinct from ${checkedAt}
      and membership_update_id is not distinct from ${updateId}::bigint`;
  return true;
}

const UNSEEN_MS = 24 * 60 * 60_000;
const RECHECKED_AT_ONCE = 100;
const GIVEN_UP_AFTER = 3;

/**
 * Checks people with a session who had no update for a day: the webhook may have lost one, or receives none. A random
 * part each time, so a person whom Telegram cannot look up blocks nobody.
 */
export async function recheckMembers(runtime: Runtime, stopping: AbortSignal): Promise<void> {
  if (runtime.config.telegram.requiredChannel === null) return;
  const now = runtime.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  const unseen = await runtime.sql<StoredMembership[]>`
    select u.id, u.telegram_user_id::text as "telegramUserId", u.membership_checked_at as "checkedAt",
      u.membership_update_id::text as "updateId" from users u
    where (u.membership_checked_at is null or u.membership_checked_at < ${before(UNSEEN_MS)})
      and exists (select from sessions s
        where s.user_id = u.id and s.expires_at > ${now} and s.last_seen_at > ${before(SESSION_IDLE_MS)})
    order by random() limit ${RECHECKED_AT_ONCE}`;
  let failed = 0;
  for (const person of unseen) {
    if (stopping.aborted || failed === GIVEN_UP_AFTER) return;
    failed = (await recheck(runtime, person, 'sweep')) ? 0 : failed + 1;
  }
}

/** After a week without any update the Bot API goes on with a number by chance (core.telegram.org/bots/api, "Update"). */
const NUMBERED_FOR_MS = 7 * 24 * 60 * 60_000;

/**
 * Stores an update about a person in the required channel. Updates may repeat and arrive out of order: one that is not
 * newer than the last changes nothing. Their ids decide which is newer while they are consecutive; their time, in
 * seconds, is Telegram's and is not compared with ours.
 */
async function noteChange(
  sql: TransactionSql,
  { update_id: id, chat_member: change }: TelegramUpdate,
  { config }: Runtime,
): Promise<void> {
  if (!change) return;
  const { chat, date, new_chat_member: member } = change;
  const { requiredChannel } = config.telegram;
  const isRequired =
    requiredChannel === String(chat.id) || requiredChannel?.toLowerCase() === `@${chat.username?.toLowerCase()}`;
  const membership = membershipOf(member);
  if (!isRequired || membership === null) return;
  const at = new Date(date * 1000);
  await sql`
    update users set membership = ${membership}, membership_checked_at = ${at}, membership_source = 'update',
      membership_update_id = ${id}, membership_update_at = ${at}
    where telegram_user_id = ${member.user.id} and (membership_update_id is null
      or membership_update_at <= ${new Date(at.getTime() - NUMBERED_FOR_MS)}
      or (membership_update_id < ${id} and membership_update_at < ${new Date(at.getTime() + NUMBERED_FOR_MS)}))`;
}

/** Joins and leaves of the required channel. */
export const membershipUpdates: UpdateHandler = {
  of: ['chat_member'],
  handle: (tx, update, { runtime }) => noteChange(tx, update, runtime),
};

export const membershipHandlers = {
  /** The stored status; `asked` is true because no query failed. */
  'GET /api/auth/membership': async (call) => ({ json: await status(call.runtime, call.sql, call.actor, true) }),

  async 'POST /api/auth/membership/check'(call) {
    const { runtime, actor } = call;
    const { userId: id, telegramUserId } = actor;
    const [stored] = await call.sql<Pick<StoredMembership, 'checkedAt' | 'updateId'>[]>`
      select membership_checked_at as "checkedAt", membership_update_id::text as "updateId" from users where id = ${id}`;
    const scope = stored ? await recheck(runtime, { id, telegramUserId, ...stored }, 'check') : false;
    const isRequired = runtime.config.telegram.requiredChannel !== null;
    return { json: await status(runtime, call.sql, actor, scope || !isRequired) };
  },
} satisfies Handlers;
