import type { TransactionSql } from 'postgres';
import type { UpdateContext, UpdateHandler } from '../../base/update-handler.ts';
import type { ChatSort } from '../../contract/chats.ts';
import type { TelegramUpdate } from '../../contract/telegram.ts';
import { missingRights } from '../../domain/chat-membership.ts';
import { membershipOf } from '../../integrations/telegram/chats.ts';
import { countMessage, noteReaction } from './activity.ts';
import { connect, fetchRights, makeJoinLink, noteRights, openLink } from './connect.ts';
import { answerRequest } from './join-requests.ts';
import { noteMember } from './members.ts';
import { type ChatRow, findChat, hashOfCode } from './rows.ts';

type MemberChange = NonNullable<TelegramUpdate['chat_member']>;
type Message = NonNullable<TelegramUpdate['message']>;

const sortOf = (type: string | undefined): ChatSort | null =>
  type === 'channel' ? 'channel' : type === 'group' || type === 'supergroup' ? 'group' : null;
const timeOf = (seconds: number): Date => new Date(seconds * 1_000);

/** Updates of communities' chats: membership, the bot's rights, messages, reactions and join requests. */
export const chatUpdates: UpdateHandler = {
  of: ['chat_member', 'my_chat_member', 'chat_join_request', 'message', 'message_reaction'],
  async handle(tx, update, context) {
    const { chat_member, my_chat_member, chat_join_request, message, message_reaction } = update;
    if (my_chat_member) await botChanged(tx, update.update_id, my_chat_member, context);
    const about = chat_member ?? chat_join_request ?? message ?? message_reaction;
    if (!about) return;
    if (message && (await broughtByCommand(tx, message, context))) return;
    const chat = await findChat(tx, String(about.chat.id));
    if (!chat) return;
    if (message?.migrate_to_chat_id !== undefined) return moveChat(tx, chat, message.migrate_to_chat_id);
    if (chat_member) await memberChanged(tx, update.update_id, chat, chat_member);
    if (message) await countMessage(tx, chat.id, message);
    if (message_reaction) await noteReaction(tx, chat.id, message_reaction);
    if (chat_join_request) await answerRequest(tx, chat, chat_join_request, context);
  },
};

async function memberChanged(tx: TransactionSql, id: number, chat: ChatRow, change: MemberChange): Promise<void> {
  const state = membershipOf(change.new_chat_member);
  if (state === null) return;
  const telegramUserId = change.new_chat_member.user.id;
  await noteMember(tx, chat.id, { telegramUserId, state, at: timeOf(change.date), id });
}

/**
 * The bot was added, or its rights changed. The link's creator must be the person who added it, so nobody else's chat
 * is taken over.
 */
async function botChanged(tx: TransactionSql, id: number, change: MemberChange, context: UpdateContext): Promise<void> {
  const { now, runtime } = context;
  const { chat: where, date, new_chat_member: bot, from } = change;
  const [chatId, sort, at] = [String(where.id), sortOf(where.type), timeOf(date)];
  const missing = missingRights(bot);
  const known = await findChat(tx, chatId);
  if (known) {
    const [taken] = await tx`
      update community_chats set update_id = ${id}, update_at = ${at}, title = ${where.title ?? known.title},
        username = ${where.username ?? null}
      where id = ${known.id} and (update_at is null or update_at < ${at} or (update_at = ${at} and update_id < ${id}))
      returning id`;
    // An outdated update.
    if (!taken) return;
    await noteRights(tx, known, missing, now);
    if (missing.length === 0) linkAfterwards(known, context);
    return;
  }
  if (sort === null || missing.includes('present') || !from) return;
  const link = await openLink(tx, { telegramUserId: from.id, sort, code: null, now });
  if (!link) return;
  const brought = { chatId, sort, title: where.title ?? chatId, username: where.username ?? null, missing };
  if (!(await connect(tx, link, brought, { id, at, now }))) return;
  const chat = await findChat(tx, chatId);
  if (chat && missing.length === 0) linkAfterwards(chat, { runtime, now, afterwards: context.afterwards });
}

const linkAfterwards = (chat: ChatRow, { runtime, afterwards }: UpdateContext): void => {
  if (chat.inviteLink === null) afterwards(() => makeJoinLink(runtime, chat));
};

/** `/start <code>` in a group, which Telegram sends for who opened the start link. True where the message was one. */
async function broughtByCommand(tx: TransactionSql, message: Message, context: UpdateContext): Promise<boolean> {
  const code = /^\/start(?:@\w+)? ([\w-]{32})$/.exec(message.text ?? '')?.[1];
  const sort = sortOf(message.chat.type);
  if (code === undefined || sort === null || !message.from) return false;
  const { now, runtime, afterwards } = context;
  const link = await openLink(tx, { telegramUserId: message.from.id, sort, code, now });
  if (!link) {
    await tx`
      update chat_links set problem = 'not_yours'
      where code_hash = ${hashOfCode(code)} and used_at is null and expires_at > ${now}`;
    return true;
  }
  const chatId = String(message.chat.id);
  const brought = { chatId, sort, title: message.chat.title ?? chatId, username: message.chat.username ?? null };
  // A member could bring the bot to a group that is not theirs: it becomes an administrator by the group's own alone.
  const isConnected = await connect(
    tx,
    link,
    { ...brought, missing: ['admin'] },
    { id: null, at: timeOf(message.date), now },
  );
  if (!isConnected) return true;
  afterwards(async () => {
    const chat = await findChat(runtime.sql, chatId);
    if (chat) await fetchRights(runtime, chat);
  });
  return true;
}

/** A group that became a supergroup continues under its new id with all its data. */
async function moveChat(tx: TransactionSql, chat: ChatRow, to: number): Promise<void> {
  await tx`
    update community_chats set chat_id = ${to}
    where id = ${chat.id} and not exists (select from community_chats where chat_id = ${to})`;
}
