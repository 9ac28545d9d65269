import type { ISql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import type { TaskSetup } from '../../contract/tasks.ts';
import { isUnasked, whileChecking } from '../../domain/chat-gate.ts';
import { isInside, messageOf } from '../../domain/chat-membership.ts';
import type { Attested } from '../../kinds/kind.ts';
import { readSeen } from './activity.ts';
import { type Standing, standingsOf } from './gate.ts';
import { chatsOf } from './rows.ts';

type TelegramSetup = Extract<TaskSetup, { kind: 'telegram_join' | 'telegram_chat' | 'telegram_reaction' }>;
export const isTelegramSetup = (setup: TaskSetup): setup is TelegramSetup =>
  setup.kind === 'telegram_join' || setup.kind === 'telegram_chat' || setup.kind === 'telegram_reaction';

const sortOf = (setup: TelegramSetup) => (setup.kind === 'telegram_join' ? setup.chat : 'group');

const minute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/**
 * Checks a member's activity in the community's chat for a task. Without rights the bot decides nothing: the result
 * says so and can be retried. Throws 503 `CHAT_BEING_ASKED` while the member's status is unknown.
 */
export async function attest(
  sql: ISql,
  act: { communityId: string; taskId: string; userId: string; now: Date; period: string },
  setup: TelegramSetup,
): Promise<Attested> {
  const chat = (await standingsOf(sql, act)).find(({ sort }) => sort === sortOf(setup));
  if (!chat)
    return {
      ok: false,
      note: 'This community has no chat connected for this task. Ask its leader',
      unseen: { why: 'no_chat' },
    };
  if (setup.kind === 'telegram_join') return joined(chat, act.now);
  const seen = await readSeen(sql, act);
  const needed = setup.kind === 'telegram_chat' ? setup.needed : 1;
  if (seen.count >= needed && seen.lastAt) {
    const what =
      setup.kind === 'telegram_chat'
        ? `${seen.count} of ${needed} messages seen in ${chat.title}, the last`
        : `Your reaction was seen in ${chat.title}`;
    return { ok: true, note: `${what} at ${minute(seen.lastAt)}` };
  }
  if (chat.unverifiableAt !== null) return blind(chat);
  return setup.kind === 'telegram_chat' ? tooFew(setup, seen.count, chat) : noReaction(chat);
}

function joined(chat: Standing, now: Date): Attested {
  if (isInside(chat.state) && chat.checkedAt)
    return { ok: true, note: `Seen in ${chat.title}, as Telegram said at ${minute(chat.checkedAt)}` };
  if (chat.unverifiableAt !== null) return blind(chat);
  if (isUnasked(chat, now)) throw whileChecking();
  if (chat.state === 'unknown' || !chat.checkedAt)
    return {
      ok: false,
      note: `Telegram has not shown us that you are in ${chat.title} yet. Join it, then try again`,
      unseen: { why: 'unknown', title: chat.title },
    };
  const isRemoved = chat.state === 'kicked';
  return {
    ok: false,
    note: `Telegram said at ${minute(chat.checkedAt)} that you ${isRemoved ? 'were removed from' : 'are not in'} ${chat.title}`,
    unseen: { why: isRemoved ? 'removed' : 'left', title: chat.title, at: chat.checkedAt.toISOString() },
  };
}

const blind = ({ title }: Standing): Attested => ({
  ok: false,
  note: `The bot cannot see ${title} right now, so nothing could be checked. The leaders know; try again later`,
  unseen: { why: 'blind', title },
});
const tooFew = (
  { needed, minLength }: Extract<TelegramSetup, { kind: 'telegram_chat' }>,
  count: number,
  { title }: Standing,
): Attested => ({
  ok: false,
  note:
    `${count} of ${needed} messages seen in ${title} in this period. ` +
    `They count with ${minLength} characters or more, in your own words and not forwarded`,
  unseen: { why: 'messages', title, count, needed, minLength },
});
const noReaction = ({ title }: Standing): Attested => ({
  ok: false,
  note: `We have not seen your reaction to that message in ${title} in this period. React to it, then try again`,
  unseen: { why: 'no_reaction', title },
});

/**
 * Rejects a setup that nobody can fulfil: 422 `CHAT_NOT_CONNECTED`, or 422 `MESSAGE_NOT_HERE` for a message of another
 * chat.
 */
export async function checkChatSetup(sql: ISql, communityId: string, setup: TaskSetup): Promise<TaskSetup> {
  if (!isTelegramSetup(setup)) return setup;
  const sort = sortOf(setup);
  const chat = (await chatsOf(sql, communityId)).find((one) => one.sort === sort);
  if (!chat) {
    const message = `Connect the community's ${sort} first, under Connections.`;
    throw new HttpError(422, 'CHAT_NOT_CONNECTED', message, {
      details: { field: 'setup.kind', sort } satisfies ErrorDetails['CHAT_NOT_CONNECTED'],
    });
  }
  if (setup.kind === 'telegram_reaction') {
    const named = messageOf(setup.link);
    const isHere = named?.chat === chat.chatId || named?.chat === `@${chat.username?.toLowerCase()}`;
    if (!isHere) {
      const message = `This is no link to a message of ${chat.title}. In the group, choose Copy link at the message.`;
      throw new HttpError(422, 'MESSAGE_NOT_HERE', message, {
        details: { field: 'setup.link', title: chat.title } satisfies ErrorDetails['MESSAGE_NOT_HERE'],
      });
    }
  }
  return setup;
}
