import type { TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { NOTIFICATION_CAP_DEFAULT } from '../../contract/limits.ts';
import { outdateMessages, queueMessage } from '../bot-messages/queue.ts';
import type { Settled } from '../bot-messages/send.ts';
import type { Chunk } from './chunks.ts';
import { endIfOver } from './spread.ts';

const OPEN = 'Open';
const NEWER = '(There is a newer decision.)';

/** Queues a message of the bot for each member of a chunk. Each is counted once it was sent: `noteTold`. */
export async function sendByTelegram(runtime: Runtime, chunk: Chunk): Promise<void> {
  const { config } = runtime;
  const now = runtime.now();
  const url = new URL(chunk.path, config.publicOrigin).href;
  // Telegram takes a button's address only where others could open it too.
  const button = url.startsWith('https:') ? { label: OPEN, url } : null;
  const text = [chunk.title, chunk.body, ...(button ? [] : [url])].join('\n');
  await runtime.sql.begin(async (tx) => {
    // The notification before its chunks, as everywhere.
    const [row] = await tx<{ subjectId: string | null; state: string; urgency: number }[]>`
      select subject_id as "subjectId", state, urgency from notifications where id = ${chunk.notificationId} for no key update`;
    if (!row || row.state === 'cancelled') return;
    const people = await tx<{ id: string; telegramUserId: string }[]>`
      select id, telegram_user_id::text as "telegramUserId" from users
      where id = any(${chunk.targets}::uuid[]) and suspended_at is null
        and ${config.telegram.requiredChannel === null ? tx`true` : tx`membership not in ('left', 'kicked')`}
      order by array_position(${chunk.targets}::uuid[], id)`;
    for (const { id: userId, telegramUserId: chatId } of people) {
      const { notificationId, expiresAt } = chunk;
      const { subjectId, urgency } = row;
      if (chunk.topic === 'review' && subjectId) await outdateMessages(tx, { subjectId, userId, note: NEWER, now });
      const origin = `notification:${notificationId}:${userId}`;
      await queueMessage(tx, {
        chatId,
        userId,
        origin,
        subjectId,
        notificationId,
        urgency,
        text,
        button,
        now,
        expiresAt,
      });
    }
    await tx`delete from notification_chunks where id = ${chunk.id}`;
    await endIfOver(tx, chunk.notificationId, now);
  });
}

/** Counts a message of the bot at its notification. Whom it may not write to is as gone as a subscription that ended. */
export async function countSent(
  tx: TransactionSql,
  { userId, notificationId, outcome }: Settled,
  now: Date,
): Promise<void> {
  if (userId !== null && outcome === 'refused') await noteRefused(tx, userId, now);
  if (notificationId === null) return;
  const [sent, gone] = [outcome === 'sent' ? 1 : 0, outcome === 'refused' ? 1 : 0];
  await tx`
    update notifications set told = told + ${sent}, gone = gone + ${gone}, failed = failed + ${1 - sent - gone}
    where id = ${notificationId}`;
  await endIfOver(tx, notificationId, now);
}

/** The bot may not write to this member: their settings explain how to change that. */
export async function noteRefused(tx: TransactionSql, userId: string, now: Date): Promise<void> {
  await tx`
    insert into notification_settings (user_id, daily_cap, collapse, telegram_refused_at)
    values (${userId}, ${NOTIFICATION_CAP_DEFAULT}, true, ${now})
    on conflict (user_id) do update set telegram_refused_at = excluded.telegram_refused_at`;
}
