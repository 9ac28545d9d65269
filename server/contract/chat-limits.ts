// Numbers and names of Telegram chats, without schemas: devices and the policies read them too.

/** How long a start link of a leader's may be used, ms. */
export const CHAT_LINK_LIVES_MS = 60 * 60_000;
/** Most messages that a task can require in one period. */
export const CHAT_MESSAGES_MAX = 50;
/** Largest minimum length of a message, in characters. */
export const CHAT_MESSAGE_LENGTH_MAX = 500;
/** A member is not checked again while Telegram's last report is this recent, ms. */
export const CHAT_UNSEEN_MS = 24 * 60 * 60_000;

/** Reason of the 403 to who is out of a chat that one has to be in; `details`: `{ title, joinUrl, sort }`. */
export const CHAT_MEMBERSHIP_REQUIRED = 'CHAT_MEMBERSHIP_REQUIRED';
