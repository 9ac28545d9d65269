/** Numbers about a person's own data, as those of `limits.ts`. */

/** From the wish to be erased to its end; signing in cancels it until then. */
export const ERASURE_WAIT_DAYS = 7;
/** How long a cancelled erasure is shown, unless its person has read it. */
export const ERASURE_NOTICE_DAYS = 30;
/** What a device sends again after so long is taken for new: it is then too late to open or wake anything. */
export const LOG_IDS_RETENTION_DAYS = 180;

/** How long the bot's messages are remembered: Telegram lets it delete a message of the last 48 hours. */
export const BOT_MESSAGE_RETENTION_MS = 7 * 24 * 60 * 60_000;
/** How long it is kept how many were active in a day, a week, a month. */
export const ACTIVE_COUNT_RETENTION_MS = 400 * 24 * 60 * 60_000;
/** What an account is called that was erased, on every screen and in every file. */
export const ERASED_NAME = 'Erased person';
