import type { Sql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { UpdateHandler } from '../../base/update-handler.ts';
import type { TelegramUpdate, UpdateKind } from '../../contract/telegram.ts';
import { membershipUpdates } from '../auth/membership.ts';
import { chatUpdates } from '../chats/updates.ts';
import { commandUpdates, inlineUpdates, pressUpdates } from './commands.ts';

/**
 * Handlers by kind of update. Other kinds are not requested, and skipped if they come. Handlers of one update run in
 * this order.
 */
export const updateHandlers: readonly UpdateHandler[] = [
  membershipUpdates,
  chatUpdates,
  commandUpdates,
  pressUpdates,
  inlineUpdates,
];

/** The `allowed_updates` for webhook and long polling: without the list some kinds never arrive. */
export const kindsOf = (handlers: readonly UpdateHandler[]): UpdateKind[] => [
  ...new Set(handlers.flatMap(({ of }) => of)),
];

/** An update that failed so often is given up: it would hold up all that comes after it in its chat for a day. */
const GIVEN_UP_AFTER = 3;

/**
 * Gives an update to the handlers of its kinds, once: repeats are skipped. Updates of one chat run in order of arrival;
 * handlers detect outdated ones by number or time. Rethrows a handler's error with nothing written, so Telegram repeats
 * the update; after `GIVEN_UP_AFTER` attempts it is logged and skipped.
 */
export async function takeUpdate(
  runtime: Runtime,
  update: TelegramUpdate,
  handlers: readonly UpdateHandler[] = updateHandlers,
): Promise<void> {
  const concerned = handlers.filter(({ of }) => of.some((kind) => update[kind] !== undefined));
  if (concerned.length === 0) return;
  const tasks: (() => Promise<void>)[] = [];
  const context = { runtime, now: runtime.now(), afterwards: (task: () => Promise<void>) => void tasks.push(task) };
  try {
    await runtime.sql.begin(async (tx) => {
      await lockChat(tx, update);
      if (!(await isNew(tx, update, context.now))) return;
      for (const handler of concerned) await handler.handle(tx, update, context);
    });
  } catch (error) {
    if ((await countFailure(runtime, update)) < GIVEN_UP_AFTER) throw error;
    // Neither the update nor the error's message is logged: they may contain a member's text.
    runtime.log.error({ updateId: update.update_id, problem: nameOf(error) }, 'an update of Telegram was given up');
    return;
  }
  for (const task of tasks) {
    await task().catch((error: unknown) => runtime.log.warn({ problem: nameOf(error) }, 'an update was not answered'));
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

/** The chat of an update, or the person where there is none. */
function chatOf(update: TelegramUpdate): number {
  const about = update.message ?? update.chat_member ?? update.my_chat_member ?? update.chat_join_request;
  const by = update.callback_query ?? update.inline_query;
  return about?.chat.id ?? update.message_reaction?.chat.id ?? by?.from.id ?? 0;
}

async function lockChat(tx: TransactionSql, update: TelegramUpdate): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${String(chatOf(update))}, 19))`;
}

/** Records the update as handled; false where it was before. A concurrent handler waits for the outcome. */
async function isNew(tx: TransactionSql, { update_id: id }: TelegramUpdate, now: Date): Promise<boolean> {
  const { count } = await tx`
    insert into bot_updates (update_id, handled_at, heard_at) values (${id}, ${now}, ${now})
    on conflict (update_id) do update set handled_at = excluded.handled_at where bot_updates.handled_at is null`;
  return count > 0;
}

async function countFailure({ sql, now }: Runtime, { update_id: id }: TelegramUpdate): Promise<number> {
  const [row] = await sql<[{ failures: number }]>`
    insert into bot_updates (update_id, failures, heard_at) values (${id}, 1, ${now()})
    on conflict (update_id) do update set failures = bot_updates.failures + 1,
      handled_at = case when bot_updates.failures + 1 >= ${GIVEN_UP_AFTER} then ${now()}::timestamptz
        else bot_updates.handled_at end
    returning failures`;
  return row.failures;
}

/** Telegram holds updates for 24 hours, so two days are enough. */
export const sweepUpdates = (sql: Sql, now: Date): Promise<unknown> =>
  sql`delete from bot_updates where heard_at < ${now}::timestamptz - interval '2 days'`;
