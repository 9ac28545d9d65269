import type { ISql, Sql } from 'postgres';
import { BOT_MESSAGE_RETENTION_MS } from '../../contract/person-limits.ts';
import type { BotText } from '../../integrations/telegram/telegram.ts';

export type NewMessage = {
  /** A person's Telegram id, or a group's (negative). */
  chatId: string | number;
  /** The account of a private chat; null for a group. */
  userId: string | null;
  /** Why it is sent, such as `announcement:<id>:<chat>`. The same is queued once. */
  origin: string;
  /** What it is withdrawn with. */
  subjectId?: string | null;
  notificationId?: string | null;
  /** Urgency of its notification; 0 for the bot's answers to a person. */
  urgency?: number;
  /** Plain text, at most 4,096 characters. */
  text: string;
  /** A button below it that opens an address. */
  button?: { label: string; url: string } | null;
  /** Buttons that send data to the bot. */
  keys?: BotText['keys'];
  now: Date;
  /** Dropped after this time; a day from now when absent. */
  expiresAt?: Date;
};

const DAY_MS = 24 * 60 * 60_000;
/** The Bot API's own limit (`sendMessage`). */
const TEXT_MAX = 4_096;
const cut = (text: string) => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX - 1)}…`.toWellFormed() : text);

/** Queues a message of the bot in the transaction of what happened: it is sent if and only if that came to be. */
export async function queueMessage(tx: ISql, given: NewMessage): Promise<void> {
  const { now } = given;
  await tx`
    insert into bot_messages (chat_id, user_id, origin, subject_id, notification_id, urgency, text, button, url, keys,
      next_try_at, expires_at, created_at)
    values (${given.chatId}, ${given.userId}, ${given.origin}, ${given.subjectId ?? null},
      ${given.notificationId ?? null}, ${given.urgency ?? 0}, ${cut(given.text)}, ${given.button?.label ?? null}, ${given.button?.url ?? null},
      ${keysOf(tx, given.keys)}, ${now}, ${given.expiresAt ?? new Date(now.getTime() + DAY_MS)}, ${now})
    on conflict (origin) do nothing`;
}

const keysOf = (sql: ISql, keys: BotText['keys'] = []) => (keys.length === 0 ? null : sql.json(keys));

/** Changes a message of the bot, sent or not: the message of that origin gets new text. */
export async function rewriteMessage(
  tx: ISql,
  origin: string,
  { text, button, keys }: Pick<NewMessage, 'text' | 'button' | 'keys'>,
  now: Date,
): Promise<void> {
  await tx`
    update bot_messages set text = ${cut(text)}, button = ${button?.label ?? null}, url = ${button?.url ?? null},
      keys = ${keysOf(tx, keys)}, change_state = case when state in ('sent', 'sending') then 'edit' end, next_try_at = ${now},
      attempts = 0, expires_at = ${new Date(now.getTime() + DAY_MS)}
    where origin = ${origin} and state in ('waiting', 'sending', 'sent')`;
}

/** Takes back what the bot wrote about something: what waits is not sent, what was sent is deleted, as far as Telegram lets it. */
export async function withdrawMessages(tx: ISql, subjectId: string, now: Date): Promise<void> {
  await tx`
    update bot_messages set finished_at = ${now},
      state = case when state = 'waiting' then 'withdrawn' else state end,
      change_state = case when state in ('sent', 'sending') then 'delete' end, next_try_at = ${now}, attempts = 0,
      expires_at = ${new Date(now.getTime() + DAY_MS)}
    where subject_id = ${subjectId} and state in ('waiting', 'sending', 'sent')`;
}

/** Marks the bot's earlier messages about the same thing as outdated; unsent ones are dropped. */
export async function outdateMessages(
  tx: ISql,
  { subjectId, userId, note, now }: { subjectId: string; userId: string; note: string; now: Date },
): Promise<void> {
  await tx`
    update bot_messages set state = case when state = 'waiting' then 'withdrawn' else state end,
      change_state = case when state in ('sent', 'sending') then 'edit' end,
      text = left(${note} || E'\n\n' || text, ${TEXT_MAX}::int), next_try_at = ${now}, attempts = 0,
      expires_at = ${new Date(now.getTime() + DAY_MS)}
    where subject_id = ${subjectId} and user_id = ${userId} and state in ('waiting', 'sending', 'sent')
      and not starts_with(text, ${note})`;
}

/** A group has become a supergroup, which has another number: what waits for it goes there. */
export async function moveChat(tx: ISql, from: string | number, to: string | number): Promise<void> {
  await tx`
    update bot_messages set chat_id = ${to}
    where chat_id = ${from} and (state in ('waiting', 'sending') or change_state is not null)`;
}

export const sweepMessages = (sql: Sql, now: Date): Promise<unknown> =>
  sql`delete from bot_messages where created_at < ${new Date(now.getTime() - BOT_MESSAGE_RETENTION_MS)}`;
