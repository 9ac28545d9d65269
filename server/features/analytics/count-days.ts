import type { Sql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { NOTIFICATION_LOG_RETENTION_MS } from '../../contract/limits.ts';
import { INSTANCE } from '../ledger/record.ts';
import { dayAfter, dayOf, daysFrom } from './days.ts';

/** An answer that arrives later than this after it was made waited on its device. */
const LATE_AFTER_MS = 60_000;
/** A transaction that began on a day is over by then. */
const SETTLES_MS = 10 * 60_000;
/** What is shown or opened later than this after its notification is not counted any more. */
const PUSH_FOLLOWED_DAYS = 8;

type Ports = Pick<Runtime, 'sql' | 'now'>;

/**
 * Counts what people did, by day: today and each day that is not settled yet, the oldest first. The history of claims is only ever
 * added to, so counting a day again gives at least as much, and a day that is over gives the same for ever.
 */
export async function countDays({ sql, now }: Ports, stopping?: AbortSignal): Promise<void> {
  const at = now();
  const today = dayOf(at);
  const first = await firstDay(sql, today);
  const over = new Set(
    (await sql<{ day: string }[]>`select day::text from counted_days where is_over`).map(({ day }) => day),
  );
  for (let day = first; day <= today; day = dayAfter(day)) {
    if (stopping?.aborted) return;
    if (over.has(day)) continue;
    const isOver = at.getTime() >= Date.parse(dayAfter(day)) + SETTLES_MS;
    await sql.begin(async (tx) => {
      await countDay(tx, day);
      await tx`
        insert into counted_days (day, is_over, counted_at) values (${day}, ${isOver}, ${at})
        on conflict (day) do update set is_over = excluded.is_over, counted_at = excluded.counted_at`;
    });
  }
}

/** The day of the first answer ever: ids follow time, and nothing is answered before there is a community. */
async function firstDay(sql: Sql, today: string): Promise<string> {
  const [first] = await sql<[{ day: string | null }]>`
    select (least((select at from claim_events order by id limit 1), (select min(created_at) from communities))
      at time zone 'UTC')::date::text as day`;
  return first.day !== null && first.day < today ? first.day : today;
}

/** Reads a day's history once and derives active members, results per task, and waiting times. */
async function countDay(tx: TransactionSql, day: string): Promise<void> {
  const [from, to] = [new Date(day), new Date(dayAfter(day))];
  await tx`
    with events as materialized (
      select e.id, e.community_id, e.claim_id, e.kind, e.at, e.to_state, c.task_id, c.user_id, e.at - c.acted_at as delay,
        e.kind in ('submitted', 'resubmitted', 'checked') as is_sent,
        e.kind in ('submitted', 'resubmitted', 'checked') and e.from_state is null as is_made,
        e.at - c.acted_at > ${LATE_AFTER_MS / 1_000} * interval '1 second' as is_late
      from claim_events e join claims c on c.id = e.claim_id
      where e.at >= ${from} and e.at < ${to}
    ), active as (
      insert into active_days (community_id, user_id, day)
      select distinct place, user_id, ${day}::date
      from events cross join lateral (values (community_id), (${INSTANCE}::uuid)) as places (place)
      where is_sent
      on conflict do nothing
    ), outcomes as (
      insert into claim_days as d (community_id, task_id, day, made, late, again, approved, refused)
      select community_id, task_id, ${day}::date,
        count(*) filter (where is_made),
        count(*) filter (where is_made and is_late),
        count(*) filter (where is_sent and not is_made),
        count(*) filter (where to_state = 'approved' and kind in ('approved', 'checked', 'appeal_granted', 'given')),
        count(*) filter (where to_state = 'rejected' and kind in ('rejected', 'checked'))
      from events group by 1, 2
      on conflict (community_id, day, task_id) do update set
        made = excluded.made, late = excluded.late, again = excluded.again, approved = excluded.approved,
        refused = excluded.refused
      where (d.made, d.late, d.again, d.approved, d.refused) is distinct from
        (excluded.made, excluded.late, excluded.again, excluded.approved, excluded.refused)
    )
    insert into wait_days as w (community_id, what, day, minutes, count)
    select community_id, what, ${day}::date, floor(extract(epoch from waited) / 60)::int, count(*)
    from (
      select community_id, 'replay' as what, delay as waited from events where is_made and is_late
      union all
      select e.community_id, 'decision', e.at - asked.at
      from events e cross join lateral (
        select at from claim_events before
        where before.claim_id = e.claim_id and before.id < e.id
          and before.kind in ('submitted', 'resubmitted', 'appealed')
        order by before.id desc limit 1) asked
      where e.kind in ('approved', 'rejected', 'sent_back', 'appeal_granted', 'appeal_refused')
    ) waits group by 1, 2, 4
    on conflict (community_id, what, day, minutes) do update set count = excluded.count
    where w.count <> excluded.count`;
  await countActive(tx, day);
}

/** Distinct people of a day, its week and its month, per community with any. */
const countActive = (tx: TransactionSql, day: string) => tx`
  insert into active_counts as n (community_id, span, starts, people)
  select place.community_id, s.span, s.starts, counted.people
  from (select distinct community_id from active_days where day = ${day}::date) place
  cross join (values
    ('day', ${day}::date, ${day}::date + 1),
    ('week', date_trunc('week', ${day}::date::timestamp)::date, date_trunc('week', ${day}::date::timestamp)::date + 7),
    ('month', date_trunc('month', ${day}::date::timestamp)::date,
      (date_trunc('month', ${day}::date::timestamp) + interval '1 month')::date)
  ) as s (span, starts, ends)
  cross join lateral (
    select count(distinct user_id)::int as people from active_days
    where community_id = place.community_id and day >= s.starts and day < s.ends) counted
  on conflict (community_id, span, starts) do update set people = excluded.people
  where n.people < excluded.people`;

/**
 * Recounts the notifications of the last days, because deliveries and clicks arrive for days, and counts older days
 * that were never counted. A day further back keeps its count: its notifications are deleted.
 */
export async function countPushes({ sql, now }: Ports): Promise<void> {
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
