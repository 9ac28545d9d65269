import type { TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { UpdateContext, UpdateHandler } from '../../base/update-handler.ts';
import { startTargetOf } from '../../contract/start-param.ts';
import type { TelegramUpdate } from '../../contract/telegram.ts';
import { moveChat, queueMessage } from '../bot-messages/queue.ts';
import { botName } from '../notifications/settings.ts';
import { noteRefused } from '../notifications/telegram.ts';
import { meSaid, type Said, tasksSaid, topSaid } from './answers.ts';
import { checkInSaid, pressCheckIn, pressOf, undoCheckIn } from './check-in.ts';
import { communityOfChat } from './community-of-chat.ts';
import { choosePlace, lastPlace, type Person, type Place, personOf, placeOf } from './person.ts';
import { shownFrom } from './shown.ts';
import { words } from './words.ts';

type Message = NonNullable<TelegramUpdate['message']>;
type Asked = {
  tx: TransactionSql;
  runtime: Runtime;
  message: Message;
  person: Person | null;
  payload: string;
  /** Of the answer. */
  origin: string;
};

const ANSWER_LIVES_MS = 10 * 60_000;

/** Commands in private and in groups, and whether the bot may write to somebody. Nothing of a message is kept. */
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
    const said = await answer(tx, runtime, message, origin);
    if (said) await queueAnswer(tx, runtime, message.chat, said, origin, now);
  },
};

const originOf = ({ update_id: id }: TelegramUpdate): string => `update:${id}`;

/** Who writes to the bot, or lets it in again, may be written to. */
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
  said: Said,
  origin: string,
  now: Date,
): Promise<void> {
  const [user] =
    chat.type === 'private' ? await tx<{ id: string }[]>`select id from users where telegram_user_id = ${chat.id}` : [];
  await queueMessage(tx, {
    chatId: chat.id,
    userId: user?.id ?? null,
    origin,
    ...shownFrom(config, said),
    now,
    // Who asked ten minutes ago looks elsewhere by now.
    expiresAt: new Date(now.getTime() + ANSWER_LIVES_MS),
  });
}

async function answer(tx: TransactionSql, runtime: Runtime, message: Message, origin: string): Promise<Said | null> {
  const { from, chat, text } = message;
  const read = /^\/(\w{1,32})(?:@(\w{1,64}))?(?:\s+(.*))?$/s.exec(text ?? '');
  // Forwarded, or in the name of a chat: nobody's own word.
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

const COMMANDS_OF: Record<string, (asked: Asked) => Promise<Said | null>> = {
  start,
  help: async () => ({ text: words.help }),
  me: inPlace(({ tx }, person, place) => meSaid(tx, person, place)),
  tasks: inPlace(({ tx }, person, place) => tasksSaid(tx, person, place)),
  checkin: inPlace(({ tx, origin, message }, person, place) =>
    checkInSaid(tx, person, place, { origin, isPrivate: message.chat.type === 'private' }),
  ),
  top,
};

/** `/start`, also with the place that a link of the bot carries. */
async function start({ tx, runtime, message, person, payload }: Asked): Promise<Said | null> {
  if (message.chat.type !== 'private') return { text: words.help };
  const named = startTargetOf(payload);
  if (named === 'wizard')
    return { text: words.wizard, button: { label: words.openWizard, path: '/community-leader-wizard' } };
  if (named && 'invite' in named)
    return { text: words.invite, button: { label: words.openInvite, path: `/i/${named.invite}` } };
  if (named && 'task' in named) return startTask(tx, person, named.task);
  const place = named && (await placeNamed(tx, person?.id ?? null, named.community));
  if (!place) return { text: words.hello(runtime.config.productName), button: { label: words.open, path: '/' } };
  if (place.role && person) await choosePlace(tx, person.id, place.id, runtime.now());
  const path = place.role ? `/community/${place.id}/dashboard` : `/community/${place.id}`;
  return { text: words.helloCommunity(place.name), button: { label: words.open, path } };
}

async function placeNamed(tx: TransactionSql, userId: string | null, slug: string): Promise<Place | null> {
  const [community] = await tx<{ id: string }[]>`select id from communities where slug = ${slug}`;
  return community ? placeOf(tx, userId, community.id) : null;
}

async function startTask(tx: TransactionSql, person: Person | null, id: string): Promise<Said> {
  const [task] = await tx<{ title: string; communityId: string }[]>`
    select title, community_id as "communityId" from tasks where id = ${id} and status = 'live'`;
  const place = task ? await placeOf(tx, person?.id ?? null, task.communityId) : null;
  if (!task || !place) return { text: words.taskGone };
  if (place.role && person) await choosePlace(tx, person.id, place.id, person.now);
  const path = `/engagement-complete?community=${place.id}&task=${id}`;
  return { text: words.task(task.title, place.name), button: { label: words.openTask, path } };
}

/** The group's community, or the person's own. */
async function askedPlace({ tx, message, person }: Asked): Promise<Place | Said> {
  if (message.chat.type === 'private') {
    const place = person && (await lastPlace(tx, person.id));
    return place ?? { text: words.noCommunity, button: { label: words.open, path: '/explore-communities' } };
  }
  const id = await communityOfChat(tx, message.chat.id);
  // What is said in a community's own group is said to its people.
  const [place] = id
    ? await tx<Place[]>`
        select c.id, c.slug, c.name, c.visibility = 'public' as "isPublic", m.role from communities c
        left join community_members m on m.community_id = c.id and m.user_id = ${person?.id ?? null}
        where c.id = ${id} and c.status = 'active'`
    : [];
  return place ?? { text: words.noChat };
}

const isPlace = (given: Place | Said): given is Place => 'slug' in given;
const signIn: Said = { text: words.signIn, button: { label: words.signInButton, path: '/' } };

/** A command that is about a member in a community. */
function inPlace(say: (asked: Asked, person: Person, place: Place) => Promise<Said>) {
  return async (asked: Asked): Promise<Said> => {
    const { person } = asked;
    if (!person) return signIn;
    const place = await askedPlace(asked);
    if (!isPlace(place)) return place;
    if (place.role) return say(asked, person, place);
    return { text: words.notMember(place.name), button: { label: words.join, path: `/community/${place.id}` } };
  };
}

async function top(asked: Asked): Promise<Said> {
  if (asked.message.chat.type === 'private' && !asked.person) return signIn;
  const place = await askedPlace(asked);
  return isPlace(place) ? topSaid(asked.tx, place, asked.runtime.now()) : place;
}

/** `@bot top` in any chat: the board of one's own community, if anybody may see it, as a message to send. */
export const inlineUpdates: UpdateHandler = {
  of: ['inline_query'],
  async handle(tx, { inline_query: asked }, { runtime, now, afterwards }: UpdateContext) {
    if (!asked) return;
    const person = await personOf(tx, runtime, asked.from.id);
    const place = person && (await lastPlace(tx, person.id));
    const isWanted = 'top'.startsWith(asked.query.trim().toLowerCase());
    const said = place?.isPublic && isWanted ? await topSaid(tx, place, now) : null;
    const button = said ? shownFrom(runtime.config, said).button : null;
    const articles =
      said && place
        ? [{ id: 'top', title: words.share(place.name), description: words.shareHint, text: said.text, button }]
        : [];
    afterwards(() => runtime.telegram.answerInline(asked.id, articles));
  },
};

/** A button of the bot was pressed: the act is of who pressed it, whosever message it stands below. */
export const pressUpdates: UpdateHandler = {
  of: ['callback_query'],
  async handle(tx, update, { runtime, now, afterwards }: UpdateContext) {
    const { callback_query: press } = update;
    if (!press) return;
    const asked = pressOf(press.data);
    const person = await personOf(tx, runtime, press.from.id);
    const answerWith = async (): Promise<string> => {
      if (!asked) return words.pressGone;
      if (!person) return words.signIn;
      if (asked.act === 'undo') return undoCheckIn(tx, person, asked.taskId);
      const { toast, said } = await pressCheckIn(tx, person, asked.taskId, originOf(update));
      const chat = { id: press.from.id, type: 'private' };
      if (said) await queueAnswer(tx, runtime, chat, said, originOf(update), now);
      return toast;
    };
    const text = await answerWith();
    // A button that nobody answers goes on turning.
    afterwards(() => runtime.telegram.answerPress(press.id, text));
  },
};
