import * as z from 'zod/mini';
import { whole } from './fields.ts';

/**
 * What is read of an `Update` of the Bot API (core.telegram.org/bots/api, "Getting updates"). Telegram adds fields and kinds as it
 * likes: those are passed over.
 */
const seconds = whole(0, 2 ** 32);
const text = z.string().check(z.maxLength(8_192));

const Person = z.object({
  id: z.int(),
  is_bot: z.optional(z.boolean()),
  first_name: z.optional(text),
  username: z.optional(text),
});
const Chat = z.object({
  id: z.int(),
  /** `private`, `group`, `supergroup` or `channel`. */
  type: z.optional(text),
  title: z.optional(text),
  username: z.optional(text),
});
/** A right that is not named is one that the bot or person does not have. */
const Member = z.object({
  status: text,
  is_member: z.optional(z.boolean()),
  user: Person,
  can_invite_users: z.optional(z.boolean()),
  can_restrict_members: z.optional(z.boolean()),
  can_delete_messages: z.optional(z.boolean()),
  can_pin_messages: z.optional(z.boolean()),
  can_manage_chat: z.optional(z.boolean()),
  can_post_messages: z.optional(z.boolean()),
});
const InviteLink = z.object({
  invite_link: text,
  name: z.optional(text),
  creates_join_request: z.optional(z.boolean()),
});
const MemberChange = z.object({
  chat: Chat,
  /** Who changed it: the person, or an administrator. */
  from: z.optional(Person),
  date: seconds,
  old_chat_member: z.optional(Member),
  new_chat_member: Member,
  invite_link: z.optional(InviteLink),
});
const Message = z.object({
  message_id: z.int(),
  date: seconds,
  edit_date: z.optional(seconds),
  chat: Chat,
  from: z.optional(Person),
  /** Written in the name of a chat. */
  sender_chat: z.optional(Chat),
  via_bot: z.optional(Person),
  message_thread_id: z.optional(z.int()),
  text: z.optional(text),
  caption: z.optional(text),
  /** Forwarded from somewhere. */
  forward_origin: z.optional(z.object({ type: text })),
  is_automatic_forward: z.optional(z.boolean()),
  /** The group became a supergroup with this id; the supergroup names the group it was. */
  migrate_to_chat_id: z.optional(z.int()),
  migrate_from_chat_id: z.optional(z.int()),
});
const Reaction = z.object({ type: text, emoji: z.optional(text), custom_emoji_id: z.optional(text) });
const MessageReaction = z.object({
  chat: Chat,
  message_id: z.int(),
  date: seconds,
  /** Absent where a chat or an anonymous administrator reacted. */
  user: z.optional(Person),
  old_reaction: z.array(Reaction),
  new_reaction: z.array(Reaction),
});
const JoinRequest = z.object({
  chat: Chat,
  from: Person,
  /** The chat in which the bot may write to them for five minutes. */
  user_chat_id: z.optional(z.int()),
  date: seconds,
  invite_link: z.optional(InviteLink),
});

/** A message carries the one that it answers, with everything that is in it. */
export const TELEGRAM_UPDATE_BYTES = 256 * 1024;

export const TelegramUpdate = z.object({
  update_id: z.int(),
  message: z.optional(Message),
  chat_member: z.optional(MemberChange),
  my_chat_member: z.optional(MemberChange),
  chat_join_request: z.optional(JoinRequest),
  message_reaction: z.optional(MessageReaction),
  callback_query: z.optional(
    z.object({ id: text, from: Person, message: z.optional(z.object({ chat: Chat })), data: z.optional(text) }),
  ),
  inline_query: z.optional(z.object({ id: text, from: Person, query: text, offset: text })),
});
export type TelegramUpdate = z.infer<typeof TelegramUpdate>;
export type UpdateKind = Exclude<keyof TelegramUpdate, 'update_id'>;
