import type { ISql, TransactionSql } from 'postgres';
import { pause } from '../../base/pause.ts';
import type { Runtime } from '../../base/runtime.ts';
import { LEAST_URGENT } from '../../domain/urgency.ts';
import type { BotText, Delivery } from '../../integrations/telegram/telegram.ts';
import { createPace, type Pace } from './pace.ts';
import { moveChat } from './queue.ts';

type Row = {
  id: string;
  chatId: string;
  userId: string | null;
  notificationId: string | null;
  text: string;
  button: string | null;
  url: string | null;
  keys: BotText['keys'] | null;
  change: 'edit' | 'delete' | null;
  messageId: number | null;
  attempts: number;
  isOver: boolean;
};
/** `refused`: the person never started the bot or blocked it, or the bot is not in the group (any more). */
export type Outcome = 'sent' | 'refused' | 'failed';
export type Settled = { userId: string | null; notificationId: string | null; outcome: Outcome };
type Ways = {
  /** Called with each message's result, in the transaction that records it. */
  settled(tx: TransactionSql, message: Settled, now: Date): Promise<void>;
  /** Waits so many ms, less where the process wants to end; tests hand in their own clock. */
  wait?(ms: number, stopping: AbortSignal): Promise<void>;
};

const RETRY_FIRST_MS = 2_000;
const RETRY_MAX_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
const backoff = (attempts: number) => Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(20, attempts));
/** Looked for again at least so often, for chats that rest while others are due. */
const LOOK_EVERY_MS = 1_000;

/**
 * Sends waiting messages within Telegram's limits, in order per chat. A job: one process at a time, so rows in
 * `sending` are left over from a dead one. Ends when nothing can be sent now, or when Telegram is down: the next run
 * tries one message first.
 */
export async function sendMessages(runtime: Runtime, stopping: AbortSignal, ways: Ways): Promise<void> {
  if (runtime.config.telegram.botToken === null) return;
  const { sql, now } = runtime;
  await endInterrupted(runtime, ways);
  const past = await sql<{ chatId: string; at: Date }[]>`
    select chat_id::text as "chatId", tried_at as at from bot_messages
    where tried_at > ${new Date(now().getTime() - MINUTE_MS)} order by tried_at`;
  const pace = createPace(past.map(({ chatId, at }) => ({ chatId, at: at.getTime() })));
  const wait = ways.wait ?? pause;
  // One message checks whether Telegram answers; the others follow.
  let most = 1;
  while (!stopping.aborted) {
    const time = now().getTime();
    const ready = pace.readyAt(time);
    if (ready > time) {
      await wait(ready - time, stopping);
      continue;
    }
    const resting = pace.resting(time);
    const rows = await take(runtime, { resting: [...resting.keys()], most: Math.min(most, pace.room(time)) });
    if (rows.length === 0) {
      if (!(await isAnyDue(runtime)) || resting.size === 0) return;
      const soonest = Math.min(...resting.values());
      await wait(Math.min(LOOK_EVERY_MS, Math.max(1, soonest - time)), stopping);
      continue;
    }
    const results = await Promise.all(rows.map((row) => deliver(runtime, pace, row, ways)));
    if (results.includes('away')) return;
    most = Number.POSITIVE_INFINITY;
  }
}

/** It is unknown whether these were sent. A duplicate message is worse than a missing one that the app shows anyway. */
async function endInterrupted({ sql, now }: Runtime, { settled }: Ways): Promise<void> {
  await sql.begin(async (tx) => {
    const rows = await tx<Omit<Settled, 'outcome'>[]>`
      update bot_messages set state = 'failed', change_state = null, finished_at = ${now()} where state = 'sending'
      returning user_id as "userId", notification_id as "notificationId"`;
    for (const row of rows) await settled(tx, { ...row, outcome: 'failed' }, now());
  });
}

/** The most urgent one of each chat that is due, noted as on its way. Each urgency is read in its own order. */
function take({ sql, now }: Runtime, { resting, most }: { resting: readonly string[]; most: number }): Promise<Row[]> {
  const time = now();
  const limit = Math.min(most, 100);
  return sql.begin(async (tx) => {
    // A queue that was filled a moment ago has no statistics yet: the planner would then read all of it and sort.
    await tx`set local enable_bitmapscan = off`;
    return tx<Row[]>`
      with due as (
        select m.id from generate_series(0, ${LEAST_URGENT}::int) of (urgency) cross join lateral (
          select id, next_try_at from bot_messages m
          where m.urgency = of.urgency and (state in ('waiting', 'sending') or change_state is not null)
            and chat_id <> all(${[...resting]}::bigint[]) and next_try_at <= ${time} and state <> 'sending'
            and m.id = (select o.id from bot_messages o where o.chat_id = m.chat_id
              and (o.state in ('waiting', 'sending') or o.change_state is not null)
              order by o.urgency, o.id limit 1)
          order by next_try_at, id limit ${limit}) m
        order by of.urgency, m.next_try_at, m.id limit ${limit}
      )
      update bot_messages m set tried_at = ${time},
        state = case when m.change_state is null then 'sending' else m.state end
      from due where due.id = m.id and (m.state = 'waiting' or m.change_state is not null)
      returning m.id, m.chat_id::text as "chatId", m.user_id as "userId", m.notification_id as "notificationId", m.text,
        m.button, m.url, m.keys, m.change_state as change, m.message_id::float8 as "messageId", m.attempts,
        m.expires_at <= ${time} as "isOver"`;
  });
}

async function isAnyDue({ sql, now }: Runtime): Promise<boolean> {
  const [one] = await sql`
    select from bot_messages where (state = 'waiting' or change_state is not null) and next_try_at <= ${now()} limit 1`;
  return one !== undefined;
}

async function deliver(runtime: Runtime, pace: Pace, row: Row, ways: Ways): Promise<'done' | 'away'> {
  const { sql, now, telegram } = runtime;
  if (!row.isOver) pace.note(row.chatId, now().getTime());
  const result: Delivery = row.isOver ? { is: 'failed' } : await sendOne(telegram, row);
  switch (result.is) {
    case 'moved':
      await sql.begin(async (tx) => {
        await moveChat(tx, row.chatId, result.to);
        await putOff(tx, row, now());
      });
      return 'done';
    case 'wait': {
      const until = new Date(now().getTime() + result.ms);
      await putOff(sql, row, until);
      // A group has its own limit. A 429 in a private chat means that the bot as a whole is too fast.
      if (row.chatId.startsWith('-')) return 'done';
      await sql`
        update bot_messages set next_try_at = ${until}
        where (state = 'waiting' or change_state is not null) and next_try_at < ${until}`;
      return 'away';
    }
    case 'away':
      await putOff(sql, row, new Date(now().getTime() + backoff(row.attempts)), 1);
      return 'away';
    default:
      await settle(runtime, row, result, ways);
      return 'done';
  }
}

function sendOne(
  telegram: Runtime['telegram'],
  { chatId, text, button, url, keys, change, messageId }: Row,
): Promise<Delivery> {
  const link = button !== null && url !== null ? { label: button, url } : null;
  const message = { text, button: link, keys: keys ?? [] };
  if (change === null || messageId === null) return telegram.deliver(chatId, message);
  return change === 'delete' ? telegram.withdraw(chatId, messageId) : telegram.rewrite(chatId, messageId, message);
}

async function putOff(sql: ISql, { id }: Row, until: Date, attempts = 0): Promise<void> {
  await sql`
    update bot_messages set next_try_at = ${until}, attempts = attempts + ${attempts},
      state = case when state = 'sending' and change_state is not null then 'withdrawn'
        when state = 'sending' then 'waiting' else state end,
      change_state = case when state = 'sending' then null else change_state end
    where id = ${id}`;
}

async function settle(
  { sql, now, log }: Runtime,
  row: Row,
  result: { is: Outcome; messageId?: number },
  { settled }: Ways,
): Promise<void> {
  if (result.is === 'failed' && !row.isOver) log.warn({ message: row.id }, 'Telegram does not take a message');
  const { id, userId, notificationId, change } = row;
  const write = () =>
    sql.begin(async (tx) => {
      if (change !== null) {
        await tx`
          update bot_messages set change_state = null, finished_at = ${now()},
            state = case when ${change} = 'delete' then 'withdrawn' else state end
          where id = ${id} and change_state = ${change}`;
        return;
      }
      // A message that was withdrawn during sending keeps its change, if there is one.
      await tx`
        update bot_messages set state = ${result.is}, message_id = ${result.messageId ?? null},
          change_state = case when ${result.is} = 'sent' then change_state end, finished_at = ${now()}
        where id = ${id}`;
      await settled(tx, { userId, notificationId, outcome: result.is }, now());
    });
  // What was sent and not written down would be taken for lost: worth another try.
  await write().catch(write);
}
