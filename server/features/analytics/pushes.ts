import type { Runtime } from '../../base/runtime.ts';
import { NOTIFICATION_LOG_RETENTION_MS } from '../../contract/limits.ts';
import { INSTANCE } from '../ledger/record.ts';
import { dayAfter, dayOf, daysFrom } from './days.ts';

/** What is shown or opened later than this after its notification is not counted any more. */
const PUSH_FOLLOWED_DAYS = 8;

/**
 * Recounts the notifications of the last days, because deliveries and clicks arrive for days, and counts older days
 * that were never counted. A day further back keeps its count: its notifications are deleted.
 */
export async function countPushes({ sql, now }: Pick<Runtime, 'sql' | 'now'>): Promise<void> {
  const at = now();
  const today = dayOf(at);
  const [counted] = await sql<[{ last: string | null }]>`select max(day)::text as last from push_days`;
  const usual = dayAfter(today, 1 - PUSH_FOLLOWED_DAYS);
  const oldest = dayOf(new Date(at.getTime() - NOTIFICATION_LOG_RETENTION_MS));
  const first = counted.last === null || daysFrom(counted.last, today) > PUSH_FOLLOWED_DAYS ? oldest : usual;
  await sql`
    insert into push_days as p (community_id, day, sent, gone, failed, shown, opened)
    select coalesce(n.community_id, ${INSTANCE}), (n.created_at at time zone 'UTC')::date,
      sum(n.sent), sum(n.gone), sum(n.failed), sum(e.shown), sum(e.opened)
    from notifications n cross join lateral (
      select count(*) filter (where event = 'shown') as shown,
        count(distinct user_id) filter (where event in ('clicked', 'done', 'snoozed')) as opened
      from notification_events where notification_id = n.id) e
    where n.created_at >= ${new Date(first)} and n.topic <> 'test'
    group by 1, 2
    on conflict (community_id, day) do update set sent = greatest(p.sent, excluded.sent),
      gone = greatest(p.gone, excluded.gone), failed = greatest(p.failed, excluded.failed),
      shown = greatest(p.shown, excluded.shown), opened = greatest(p.opened, excluded.opened)`;
}
