import { randomBytes } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { CHAT_LINK_LIVES_MS } from '../../contract/chat-limits.ts';
import type { ChatGate, ChatSort, MissingRight } from '../../contract/chats.ts';
import { isTrouble } from '../../integrations/telegram/chats.ts';
import { audit } from '../audit/audit.ts';
import { notify } from '../notifications/notify.ts';
import { type ChatRow, chatColumns, findChat, hashOfCode } from './rows.ts';

/** What is needed to query Telegram about a chat; benchmarks bring their own. */
export type ChatRuntime = Pick<Runtime, 'sql' | 'now' | 'own'> & {
  telegram: Pick<Runtime['telegram'], 'chats'>;
  config: Pick<Runtime['config'], 'productName'>;
};
type Leader = { communityId: string; userId: string; now: Date };

/**
 * Creates a link with which only this leader can bring the bot to a group or channel of this community, once. Their
 * earlier links for the same end.
 */
export async function makeLink(
  tx: TransactionSql,
  { communityId, userId, now }: Leader,
  { sort, bot }: { sort: ChatSort; bot: string },
): Promise<{ url: string; endsAt: string }> {
  const code = randomBytes(24).toString('base64url');
  const endsAt = new Date(now.getTime() + CHAT_LINK_LIVES_MS);
  await tx`
    delete from chat_links where user_id = ${userId} and community_id = ${communityId} and sort = ${sort} and used_at is null`;
  await tx`
    insert into chat_links (code_hash, community_id, user_id, sort, created_at, expires_at)
    values (${hashOfCode(code)}, ${communityId}, ${userId}, ${sort}, ${now}, ${endsAt})`;
  // Telegram passes no parameter for a channel: there the leader is recognized by who added the bot.
  const start = sort === 'group' ? `startgroup=${code}` : 'startchannel';
  return { url: `https://t.me/${bot}?${start}&admin=invite_users`, endsAt: endsAt.toISOString() };
}

/** A leader's open link; its creator must still lead the community. */
type OpenLink = { codeHash: Buffer; communityId: string; userId: string; sort: ChatSort };

/**
 * The link that belongs to a new chat: by its code. Without one, for a group the person's only open link; for a
 * channel, which never has a code, the newest.
 */
export async function openLink(
  tx: TransactionSql,
  by: { telegramUserId: number; sort: ChatSort; code: string | null; now: Date },
): Promise<OpenLink | null> {
  const rows = await tx<OpenLink[]>`
    select l.code_hash as "codeHash", l.community_id as "communityId", l.user_id as "userId", l.sort
    from chat_links l
    join users u on u.id = l.user_id and u.telegram_user_id = ${by.telegramUserId} and u.suspended_at is null
    join community_members m on m.community_id = l.community_id and m.user_id = l.user_id and m.role = 'leader'
    join communities c on c.id = l.community_id and c.status = 'active'
    where l.used_at is null and l.expires_at > ${by.now}
      and ${by.code === null ? tx`l.sort = ${by.sort}` : tx`l.code_hash = ${hashOfCode(by.code)}`}
    order by l.created_at desc for update of l`;
  const [link] = rows;
  return link && (rows.length === 1 || by.sort === 'channel') ? link : null;
}

type Brought = { chatId: string; sort: ChatSort; title: string; username: string | null; missing: MissingRight[] };

/** Connects the chat that the bot was brought to, or notes for the leader's screen why not. True where it is connected now. */
export async function connect(
  tx: TransactionSql,
  link: OpenLink,
  { chatId, sort, title, username, missing }: Brought,
  update: { id: number | null; at: Date; now: Date },
): Promise<boolean> {
  const fail = async (problem: 'taken' | 'wrong_sort'): Promise<false> => {
    await tx`update chat_links set problem = ${problem} where code_hash = ${link.codeHash}`;
    return false;
  };
  if (link.sort !== sort) return fail('wrong_sort');
  const { communityId, userId } = link;
  const unverifiableAt = missing.length > 0 ? update.now : null;
  const known = await findChat(tx, chatId);
  if (known && known.communityId !== communityId) return fail('taken');
  // Another chat of the same sort gives way: a leader who brings the bot elsewhere means that one from now on.
  await tx`
    delete from community_chats where community_id = ${communityId} and sort = ${sort} and chat_id <> ${chatId}`;
  await tx`
    insert into community_chats (community_id, sort, chat_id, title, username, missing, unverifiable_at, update_id, update_at,
      checked_at, connected_by, connected_at)
    values (${communityId}, ${sort}, ${chatId}, ${title}, ${username}, ${missing}, ${unverifiableAt}, ${update.id},
      ${update.id === null ? null : update.at}, ${update.now}, ${userId}, ${update.now})
    on conflict (chat_id) do update set missing = excluded.missing, unverifiable_at = excluded.unverifiable_at,
      title = excluded.title, username = excluded.username, checked_at = excluded.checked_at`;
  await tx`update chat_links set used_at = ${update.now}, problem = null where code_hash = ${link.codeHash}`;
  await audit(tx, { communityId, actorId: userId, action: 'chat.connected', subject: title, at: update.now });
  return true;
}

/**
 * Records the rights that the bot lacks in a chat. When some are newly missing, leaders are warned, and nobody counts
 * as outside.
 */
export async function noteRights(
  tx: TransactionSql,
  chat: ChatRow,
  missing: readonly MissingRight[],
  now: Date,
): Promise<void> {
  const isBlind = missing.length > 0;
  await tx`
    update community_chats set missing = ${[...missing]}, checked_at = ${now},
      unverifiable_at = ${isBlind ? tx`coalesce(unverifiable_at, ${now}::timestamptz)` : null}
    where id = ${chat.id}`;
  if (isBlind && chat.unverifiableAt === null) {
    await notifyOfChat(tx, { communityId: chat.communityId, connectionId: chat.id, title: chat.title, at: now });
  }
}

/** Changes what is closed to who is not in the chat; what it is already is not written down again. Throws 404 `NOT_FOUND`. */
export async function setGate(
  tx: TransactionSql,
  leader: Leader,
  connectionId: string,
  gate: ChatGate | undefined,
): Promise<void> {
  const { communityId, userId: actorId, now: at } = leader;
  const [chat] = await tx<{ title: string; gate: ChatGate }[]>`
    select title, gate from community_chats where id = ${connectionId} and community_id = ${communityId} for update`;
  if (!chat) throw notFound('chat');
  if (gate === undefined || gate === chat.gate) return;
  await tx`update community_chats set gate = ${gate} where id = ${connectionId}`;
  await audit(tx, { communityId, actorId, action: `chat.gate_${gate}`, subject: chat.title, at });
}

/** Deletes a chat with its members' status; the bot stays until someone removes it. Throws 404 `NOT_FOUND`. */
export async function disconnect(tx: TransactionSql, leader: Leader, connectionId: string): Promise<void> {
  const { communityId, userId: actorId, now: at } = leader;
  const [chat] = await tx<{ title: string }[]>`
    delete from community_chats where id = ${connectionId} and community_id = ${communityId} returning title`;
  if (!chat) throw notFound('chat');
  await audit(tx, { communityId, actorId, action: 'chat.disconnected', subject: chat.title, at });
}

/** Queries the bot's rights in a chat, and creates its join link. False when Telegram gave no answer. */
export async function fetchRights(runtime: ChatRuntime, chat: ChatRow): Promise<boolean> {
  const { sql, telegram, now } = runtime;
  const rights = await telegram.chats.rights(chat.chatId);
  if (isTrouble(rights)) {
    if (rights.kind === 'moved') {
      await sql`update community_chats set chat_id = ${rights.chatId} where id = ${chat.id}`;
      return fetchRights(runtime, { ...chat, chatId: rights.chatId });
    }
    if (rights.kind !== 'blind') return false;
    await sql.begin((tx) => noteRights(tx, chat, ['present'], now()));
    return true;
  }
  await sql.begin((tx) => noteRights(tx, chat, rights, now()));
  if (rights.length === 0 && chat.inviteLink === null) await makeJoinLink(runtime, chat);
  return true;
}

/** The bot's own link to the chat, once. Without it people find the chat by its public name, or by its leader. */
export async function makeJoinLink(
  { sql, telegram, config }: Pick<ChatRuntime, 'sql' | 'telegram' | 'config'>,
  chat: ChatRow,
): Promise<void> {
  const link = await telegram.chats.joinLink(chat.chatId, config.productName);
  if (typeof link === 'string') {
    await sql`update community_chats set invite_link = ${link} where id = ${chat.id} and invite_link is null`;
  }
}

export async function chatOf(
  sql: Runtime['sql'],
  { communityId, connectionId }: { communityId: string; connectionId: string },
): Promise<ChatRow> {
  const [chat] = await sql<ChatRow[]>`
    select ${chatColumns(sql)} from community_chats g where g.id = ${connectionId} and g.community_id = ${communityId}`;
  if (!chat) throw notFound('chat');
  return chat;
}

/** Forgets start links whose time is over. A job. */
export async function sweepLinks({ sql, now }: Pick<Runtime, 'sql' | 'now'>): Promise<void> {
  await sql`delete from chat_links where expires_at < ${new Date(now().getTime() - CHAT_LINK_LIVES_MS)}`;
}

/** Warns a community's leaders that the bot cannot look into their chat any more. */
async function notifyOfChat(
  tx: TransactionSql,
  chat: { communityId: string; connectionId: string; title: string; at: Date },
): Promise<void> {
  const { communityId, connectionId, title, at } = chat;
  const [community] = await tx<[{ name: string }]>`select name from communities where id = ${communityId}`;
  await notify(tx, {
    topic: 'security',
    communityId,
    audience: { roles: ['leader'] },
    subjectId: connectionId,
    path: `/community/${communityId}/admin?room=connections`,
    title: community.name,
    body: `The bot can no longer see who is in ${title}. No one loses anything: make it an administrator again.`,
    at,
  });
}
