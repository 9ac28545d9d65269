import type { ISql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { UpdateContext, UpdateHandler } from '../../base/update-handler.ts';
import type { TelegramUpdate } from '../../contract/telegram.ts';
import { startTargetOf } from '../../rules/start-param.ts';
import { moveChat, queueMessage } from '../bot-messages/queue.ts';
import { botName } from '../notifications/settings.ts';
import { noteRefused } from '../notifications/telegram.ts';
import { type Reply, standingReply, tasksReply, topReply } from './answers.ts';
import { checkInReply, pressCheckIn, pressOf, undoCheckIn } from './check-in.ts';
import { type BotCommunity, findCommunity, lastCommunity, type Person, personOf, rememberCommunity } from './person.ts';
import { shownFrom } from './shown.ts';
import { words } from './words.ts';

type Message = NonNullable<TelegramUpdate['message']>;
type CommandCall = {
  tx: TransactionSql;
  runtime: Runtime;
  message: Message;
  person: Person | null;
  payload: string;
  /** Origin of the reply. */
  origin: string;
};

const ANSWER_LIVES_MS = 10 * 60_000;

/** Commands in private and in groups, and whether the bot may write to a person. No message is stored. */
export const commandUpdates: UpdateHandler = {
  of: ['message', 'my_chat_member'],
  async handle(tx, update, { runtime, now }) {
    const { message, my_chat_member: change } = update;
    if (change?.chat.type === 'private') {
      await noteBlocked(tx, change.chat.id, change.new_chat_member.status === 'kicked', now);
    }
    if (!message) return;
    if (message.migrate_to_chat_id !== undefined) await moveChat(tx, message.chat.id, message.migrate_to_chat_id);
    if (message.chat.type === 'private') await noteBlocked(tx, message.chat.id, false, now);
    const origin = originOf(update);
    const reply = await answer(tx, runtime, message, origin);
    if (reply) await queueAnswer(tx, runtime, message.chat, reply, origin, now);
  },
};

const originOf = ({ update_id: id }: TelegramUpdate): string => `update:${id}`;

/** A person who writes to the bot or unblocks it may be written to. */
async function noteBlocked(tx: TransactionSql, chatId: number, isBlocked: boolean, now: Date): Promise<void> {
  const [user] = await tx<{ id: string }[]>`select id from users where telegram_user_id = ${chatId}`;
  if (!user) return;
  if (isBlocked) return noteRefused(tx, user.id, now);
  await tx`
    update notification_settings set telegram_refused_at = null
    where user_id = ${user.id} and telegram_refused_at is not null`;
}

async function queueAnswer(
  tx: TransactionSql,
  { config }: Runtime,
  chat: Pick<Message['chat'], 'id' | 'type'>,
  reply: Reply,
  origin: string,
  now: Date,
): Promise<void> {
  const [user] =
    chat.type === 'private' ? await tx<{ id: string }[]>`select id from users where telegram_user_id = ${chat.id}` : [];
  await queueMessage(tx, {
    chatId: chat.id,
    userId: user?.id ?? null,
    origin,
    ...shownFrom(config, reply),
    now,
    // After ten minutes nobody waits for the reply.
    expiresAt: new Date(now.getTime() + ANSWER_LIVES_MS),
  });
}

async function answer(tx: TransactionSql, runtime: Runtime, message: Message, origin: string): Promise<Reply | null> {
  const { from, chat, text } = message;
  const read = /^\/(\w{1,32})(?:@(\w{1,64}))?(?:\s+(.*))?$/s.exec(text ?? '');
  // Forwarded, or in the name of a chat: not the sender's own message.
  if (!from || from.is_bot || message.forward_origin || message.sender_chat) return null;
  if (!read) return chat.type === 'private' && text !== undefined ? { text: words.help } : null;
  const [, command = '', to, payload = ''] = read;
  if (to !== undefined && !(await isOurName(runtime, to))) return null;
  const handle = COMMANDS_OF[command.toLowerCase()];
  if (!handle) return chat.type === 'private' ? { text: words.help } : null;
  const person = await personOf(tx, runtime, from.id);
  return handle({ tx, runtime, message, person, payload: payload.trim(), origin });
}

async function isOurName(runtime: Runtime, name: string): Promise<boolean> {
  const own = await botName(runtime);
  return own === null || own.toLowerCase() === name.toLowerCase();
}

const COMMANDS_OF: Record<string, (call: CommandCall) => Promise<Reply | null>> = {
  start,
  help: async () => ({ text: words.help }),
  me: inCommunity(({ tx }, person, position) => standingReply(tx, person, position)),
  tasks: inCommunity(({ tx }, person, position) => tasksReply(tx, person, position)),
  checkin: inCommunity(({ tx, origin, message }, person, position) =>
    checkInReply(tx, person, position, { origin, isPrivate: message.chat.type === 'private' }),
  ),
  top,
};

/** `/start`, also with the start parameter of a link. */
async function start({ tx, runtime, message, person, payload }: CommandCall): Promise<Reply | null> {
  if (message.chat.type !== 'private') return { text: words.help };
  const named = startTargetOf(payload);
  if (named === 'wizard')
    return { text: words.wizard, button: { label: words.openWizard, path: '/community-leader-wizard' } };
  if (named && 'invite' in named)
    return { text: words.invite, button: { label: words.openInvite, path: `/i/${named.invite}` } };
  if (named && 'task' in named) return startTask(tx, person, named.task);
  const position = named && (await findNamed(tx, person?.id ?? null, named.community));
  if (!position) return { text: words.hello(runtime.config.productName), button: { label: words.open, path: '/' } };
  if (position.role && person) await rememberCommunity(tx, person.id, position.id, runtime.now());
  const path = position.role ? `/community/${position.id}/dashboard` : `/community/${position.id}`;
  return { text: words.helloCommunity(position.name), button: { label: words.open, path } };
}

async function findNamed(tx: TransactionSql, userId: string | null, slug: string): Promise<BotCommunity | null> {
  const [community] = await tx<{ id: string }[]>`select id from communities where slug = ${slug}`;
  return community ? findCommunity(tx, userId, community.id) : null;
}

async function startTask(tx: TransactionSql, person: Person | null, id: string): Promise<Reply> {
  const [task] = await tx<{ title: string; communityId: string }[]>`
    select title, community_id as "communityId" from tasks where id = ${id} and status = 'live'`;
  const position = task ? await findCommunity(tx, person?.id ?? null, task.communityId) : null;
  if (!task || !position) return { text: words.taskGone };
  if (position.role && person) await rememberCommunity(tx, person.id, position.id, person.now);
  const path = `/engagement-complete?community=${position.id}&task=${id}`;
  return { text: words.task(task.title, position.name), button: { label: words.openTask, path } };
}

/** The group's community, or the person's own. */
async function communityOf({ tx, message, person }: CommandCall): Promise<BotCommunity | Reply> {
  if (message.chat.type === 'private') {
    const position = person && (await lastCommunity(tx, person.id));
    return position ?? { text: words.noCommunity, button: { label: words.open, path: '/explore-communities' } };
  }
  const id = await communityOfChat(tx, message.chat.id);
  // In a community's own group the command means that community.
  const [position] = id
    ? await tx<BotCommunity[]>`
        select c.id, c.slug, c.name, c.visibility = 'public' as "isPublic", m.role from communities c
        left join community_members m on m.community_id = c.id and m.user_id = ${person?.id ?? null}
        where c.id = ${id} and c.status = 'active'`
    : [];
  return position ?? { text: words.noChat };
}

const isCommunity = (given: BotCommunity | Reply): given is BotCommunity => 'slug' in given;
const signIn: Reply = { text: words.signIn, button: { label: words.signInButton, path: '/' } };

/** A command that is about a member in a community. */
function inCommunity(run: (call: CommandCall, person: Person, position: BotCommunity) => Promise<Reply>) {
  return async (call: CommandCall): Promise<Reply> => {
    const { person } = call;
    if (!person) return signIn;
    const position = await communityOf(call);
    if (!isCommunity(position)) return position;
    if (position.role) return run(call, person, position);
    return { text: words.notMember(position.name), button: { label: words.join, path: `/community/${position.id}` } };
  };
}

async function top(call: CommandCall): Promise<Reply> {
  if (call.message.chat.type === 'private' && !call.person) return signIn;
  const position = await communityOf(call);
  return isCommunity(position) ? topReply(call.tx, position, call.runtime.now()) : position;
}

/** `@bot top` in any chat: the board of the sender's community as a message, if anyone may see it. */
export const inlineUpdates: UpdateHandler = {
  of: ['inline_query'],
  async handle(tx, { inline_query: query }, { runtime, now, afterwards }: UpdateContext) {
    if (!query) return;
    const person = await personOf(tx, runtime, query.from.id);
    const position = person && (await lastCommunity(tx, person.id));
    const isWanted = 'top'.startsWith(query.query.trim().toLowerCase());
    const reply = position?.isPublic && isWanted ? await topReply(tx, position, now) : null;
    const button = reply ? shownFrom(runtime.config, reply).button : null;
    const articles =
      reply && position
        ? [{ id: 'top', title: words.share(position.name), description: words.shareHint, text: reply.text, button }]
        : [];
    afterwards(() => runtime.telegram.answerInline(query.id, articles));
  },
};

/** A button of the bot was pressed: its presser acts, not the author of the message. */
export const pressUpdates: UpdateHandler = {
  of: ['callback_query'],
  async handle(tx, update, { runtime, now, afterwards }: UpdateContext) {
    const { callback_query: press } = update;
    if (!press) return;
    const call = pressOf(press.data);
    const person = await personOf(tx, runtime, press.from.id);
    const answerWith = async (): Promise<string> => {
      if (!call) return words.pressGone;
      if (!person) return words.signIn;
      if (call.act === 'undo') return undoCheckIn(tx, person, call.taskId);
      const { toast, reply } = await pressCheckIn(tx, person, call.taskId, originOf(update));
      const chat = { id: press.from.id, type: 'private' };
      if (reply) await queueAnswer(tx, runtime, chat, reply, originOf(update), now);
      return toast;
    };
    const text = await answerWith();
    // An unanswered button keeps spinning.
    afterwards(() => runtime.telegram.answerPress(press.id, text));
  },
};

/** The community that a Telegram chat is connected to; null where there is none. */
async function communityOfChat(sql: ISql, chatId: number | string): Promise<string | null> {
  const [row] = await sql<{ communityId: string }[]>`
    select community_id as "communityId" from community_chats where chat_id = ${String(chatId)}`;
  return row?.communityId ?? null;
}
