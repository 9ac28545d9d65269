import type { Sql, TransactionSql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import { SNOOZE_MS } from '../../contract/limits.ts';
import type { NotificationEvent, NotificationText } from '../../contract/push.ts';
import { isId } from '../../domain/ids.ts';
import { notify } from './notify.ts';

type Row = NotificationText & { communityId: string | null; subjectId: string | null; createdAt: Date };

/** A notification for this member: addressed to them, to a community of theirs, or to the whole instance. */
async function find(sql: Sql | TransactionSql, userId: string, id: string): Promise<Row> {
  const [row] = isId(id)
    ? await sql<Row[]>`
        select n.id, n.topic, n.title, n.body, n.path, n.community_id as "communityId", n.subject_id as "subjectId",
          n.created_at as "createdAt"
        from notifications n
        where n.id = ${id} and n.state <> 'cancelled' and case
          when n.user_id is not null then n.user_id = ${userId}
          when n.audience ? 'named' then exists (
            select from notification_people p where p.notification_id = n.id and p.user_id = ${userId})
          when n.community_id is not null then exists (
            select from community_members m where m.community_id = n.community_id and m.user_id = ${userId})
          else true end`
    : [];
  if (!row) throw notFound('notification');
  return row;
}

/** A notification's text. Throws 404 `NOT_FOUND` for another member's. */
export async function readText(sql: Sql, userId: string, id: string): Promise<NotificationText> {
  const { topic, title, body, path } = await find(sql, userId, id);
  return { id, topic, title, body, path };
}

/**
 * Records an event of a notification on a device, once. A snoozed one comes again after `SNOOZE_MS`. Throws 404
 * `NOT_FOUND`.
 */
export async function noteEvent(
  sql: Sql,
  done: { userId: string; id: string; event: NotificationEvent; at: Date; now: Date },
): Promise<void> {
  const { userId, id, event, now } = done;
  const row = await find(sql, userId, id);
  // A device's clock may be anywhere: it happened after the notification was written, and before now.
  const at = new Date(Math.min(Math.max(done.at.getTime(), row.createdAt.getTime()), now.getTime()));
  await sql.begin(async (tx) => {
    const [first] = await tx`
      insert into notification_events (notification_id, user_id, event, at) values (${id}, ${userId}, ${event}, ${at})
      on conflict do nothing returning 1 as first`;
    // Firefox also reports a clicked notification as closed, before or after.
    await tx`
      delete from notification_events e where e.notification_id = ${id} and e.user_id = ${userId} and e.event = 'dismissed'
        and exists (select from notification_events o where o.notification_id = ${id} and o.user_id = ${userId}
          and o.event in ('clicked', 'done', 'snoozed'))`;
    if (!first || event !== 'snoozed') return;
    const { topic, title, body, path, communityId, subjectId } = row;
    const sendAt = new Date(now.getTime() + SNOOZE_MS);
    await notify(tx, { topic, communityId, userId, subjectId, path, title, body, at: now, sendAt });
  });
}
