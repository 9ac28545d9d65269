import type { TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { NOTIFICATION_CAP_DEFAULT } from '../../contract/limits.ts';
import { backoff, type Chunk } from './chunks.ts';
import { endIfOver } from './spread.ts';

/** Telegram takes about thirty messages a second from one bot (its FAQ, "My bot is hitting limits"). */
const EVERY_MS = 40;
let paced: Promise<void> = Promise.resolve();

/** Resolves when the next message may go, whoever else sends in this process. */
function turn(): Promise<void> {
  const own = paced;
  paced = own.then(() => new Promise((done) => setTimeout(done, EVERY_MS)));
  return own;
}

/**
 * Tells the members of a chunk by a message of the bot, one after another; each is written down at once, so that a
 * process that dies repeats one at most. Who never started the bot, or blocked it, is noted and left alone.
 */
export async function sendByTelegram(runtime: Runtime, chunk: Chunk, stopping: AbortSignal): Promise<void> {
  const { sql, config } = runtime;
  const people = await sql<{ id: string; telegramUserId: string }[]>`
    select id, telegram_user_id::text as "telegramUserId" from users
    where id = any(${chunk.targets}::uuid[]) and suspended_at is null
      and ${config.telegram.requiredChannel === null ? sql`true` : sql`membership not in ('left', 'kicked')`}
    order by array_position(${chunk.targets}::uuid[], id)`;
  const text = `${chunk.title}\n${chunk.body}\n${new URL(chunk.path, config.publicOrigin).href}`;
  const isOver = chunk.expiresAt <= runtime.now();
  for (const { id, telegramUserId } of people) {
    if (stopping.aborted) return;
    await turn();
    const outcome = isOver ? 'failed' : await runtime.telegram.message(telegramUserId, text);
    if (typeof outcome === 'object') {
      const wait = outcome.retryAfterMs ?? backoff(chunk.attempts);
      const next = new Date(runtime.now().getTime() + wait);
      await sql`update notification_chunks set attempts = attempts + 1, next_try_at = ${next} where id = ${chunk.id}`;
      return;
    }
    await sql.begin(async (tx) => {
      // Who cannot be written to is as gone as a subscription that ended.
      const [told, gone] = [outcome === 'sent' ? 1 : 0, outcome === 'refused' ? 1 : 0];
      await tx`
        update notifications set told = told + ${told}, gone = gone + ${gone}, failed = failed + ${1 - told - gone}
        where id = ${chunk.notificationId}`;
      await tx`update notification_chunks set targets = array_remove(targets, ${id}::uuid) where id = ${chunk.id}`;
      if (outcome === 'refused') await noteRefused(runtime, tx, id);
    });
  }
  await sql.begin(async (tx) => {
    // The notification before its chunks, as everybody who needs both takes them.
    await tx`select from notifications where id = ${chunk.notificationId} for no key update`;
    await tx`delete from notification_chunks where id = ${chunk.id}`;
    await endIfOver(tx, chunk.notificationId, runtime.now());
  });
}

/** The bot may not write to this member: their screen tells them how it may. */
async function noteRefused({ now }: Pick<Runtime, 'now'>, tx: TransactionSql, userId: string): Promise<void> {
  await tx`
    insert into notification_settings (user_id, daily_cap, collapse, telegram_refused_at)
    values (${userId}, ${NOTIFICATION_CAP_DEFAULT}, true, ${now()})
    on conflict (user_id) do update set telegram_refused_at = excluded.telegram_refused_at`;
}
