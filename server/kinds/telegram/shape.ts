import * as z from 'zod/mini';
import { CHAT_MESSAGE_LENGTH_MAX, CHAT_MESSAGES_MAX } from '../../contract/chat-limits.ts';
import { ChatSort } from '../../contract/chats.ts';
import { trimmed, whole } from '../../contract/fields.ts';
import { LINK_MAX } from '../../contract/limits.ts';

const Join = z.strictObject({ kind: z.literal('telegram_join'), chat: ChatSort });
export const telegramJoinShape = {
  setup: Join,
  ask: Join,
  evidence: z.strictObject({ kind: z.literal('telegram_join') }),
};
export const telegramChatShape = {
  setup: z.strictObject({
    kind: z.literal('telegram_chat'),
    /** Messages in one period of the task, each of so many characters at least. */
    needed: whole(1, CHAT_MESSAGES_MAX),
    minLength: whole(1, CHAT_MESSAGE_LENGTH_MAX),
  }),
  ask: z.strictObject({ kind: z.literal('telegram_chat'), needed: z.number(), minLength: z.number() }),
  evidence: z.strictObject({ kind: z.literal('telegram_chat') }),
};
export const telegramReactionShape = {
  /** `link` names a message of the community's group. */
  setup: z.strictObject({ kind: z.literal('telegram_reaction'), link: trimmed(8, LINK_MAX) }),
  ask: z.strictObject({ kind: z.literal('telegram_reaction'), link: z.string() }),
  evidence: z.strictObject({ kind: z.literal('telegram_reaction') }),
};
