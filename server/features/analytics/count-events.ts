import type { TransactionSql } from 'postgres';
import { INSTANCE } from '../ledger/record.ts';

/** An answer that arrives later than this after it was made waited on its device. */
const LATE_AFTER_MS = 60_000;

/**
 * Adds events to the counts of their days, and takes them out of the queue: active members, results per task, waiting times.
 * `which`: the first events of the queue, or those of a time whose counts were deleted before. Who was active is a set:
 * events that were counted before add nothing to it. Returns how many events there were.
 */
export async function countEvents(
  tx: TransactionSql,
  which: { queued: number } | { from: Date; to: Date },
): Promise<number> {
  const isQueue = 'queued' in which;
  const taken = isQueue
    ? tx`select event_id from count_queue order by event_id limit ${which.queued}`
    : tx`select id from claim_events where at >= ${which.from} and at < ${which.to}`;
  const wanted = isQueue ? tx`e.id in (select event_id from taken)` : tx`e.at >= ${which.from} and e.at < ${which.to}`;
  const [row] = await tx<[{ count: number }]>`
    with taken as (
      delete from count_queue where event_id in (${taken}) returning event_id
    ), events as materialized (
      select e.id, e.community_id, e.claim_id, e.kind, e.at, (e.at at time zone 'UTC')::date as day, e.to_state, c.task_id,
        c.user_id, e.at - c.acted_at as delay,
        e.kind in ('submitted', 'resubmitted', 'checked') as is_sent,
        e.kind in ('submitted', 'resubmitted', 'checked') and e.from_state is null as is_made,
        e.at - c.acted_at > ${LATE_AFTER_MS / 1_000} * interval '1 second' as is_late
      from claim_events e join claims c on c.id = e.claim_id
      where ${wanted}
    ), outcomes as (
      insert into claim_days as d (community_id, task_id, day, made, late, again, approved, refused)
      select community_id, task_id, day,
        count(*) filter (where is_made),
        count(*) filter (where is_made and is_late),
        count(*) filter (where is_sent and not is_made),
        count(*) filter (where to_state = 'approved' and kind in ('approved', 'checked', 'appeal_granted', 'given')),
        count(*) filter (where to_state = 'rejected' and kind in ('rejected', 'checked'))
      from events group by 1, 2, 3
      on conflict (community_id, day, task_id) do update set
        made = d.made + excluded.made, late = d.late + excluded.late, again = d.again + excluded.again,
        approved = d.approved + excluded.approved, refused = d.refused + excluded.refused
    ), waits as (
      insert into wait_days as w (community_id, what, day, minutes, count)
      select community_id, what, day, floor(extract(epoch from waited) / 60)::int, count(*)
      from (
        select community_id, day, 'replay' as what, delay as waited from events where is_made and is_late
        union all
        select e.community_id, e.day, 'decision', e.at - asked.at
        from events e cross join lateral (
          select at from claim_events before
          where before.claim_id = e.claim_id and before.id < e.id
            and before.kind in ('submitted', 'resubmitted', 'appealed')
          order by before.id desc limit 1) asked
        where e.kind in ('approved', 'rejected', 'sent_back', 'appeal_granted', 'appeal_refused')
      ) waited group by 1, 2, 3, 4
      on conflict (community_id, what, day, minutes) do update set count = w.count + excluded.count
    ), sent as (
      select distinct place, user_id, day
      from events cross join lateral (values (community_id), (${INSTANCE}::uuid)) as places (place)
      where is_sent
    ), fresh as (
      -- Of each new day of a person the days beside it on which they were active before: who counts in a stretch counts no more.
      select s.*, beside.last, beside.next
      from sent s cross join lateral (
        select max(active) filter (where active < s.day) as last, min(active) filter (where active > s.day) as next,
          coalesce(bool_or(active = s.day), false) as is_known
        from (
          select a.month + bit as active from active_months a cross join generate_series(0, 30) bit
          where a.community_id = s.place and a.user_id = s.user_id and a.month >= date_trunc('month', s.day - 31)
            and a.month <= s.day + 31 and a.days >> bit & 1 = 1) known
      ) beside
      where not beside.is_known
    ), stretches as (
      select distinct place, user_id, span, lowest + ahead as starts
      from fresh cross join (values ('day', 1), ('week', 7), ('28 days', 28), ('30 days', 30)) as spans (span, length)
      cross join lateral (
        select greatest(day - length + 1, last + 1) as lowest, least(day, next - length) as highest) reach
      cross join lateral generate_series(0, highest - lowest) ahead
      union all
      select distinct place, user_id, 'month', starts
      from fresh cross join lateral (
        select date_trunc('month', day)::date as starts, (date_trunc('month', day) + interval '1 month')::date as ends) month
      where (last is null or last < starts) and (next is null or next >= ends)
    ), active as (
      insert into active_counts as n (community_id, span, starts, people)
      select place, span, starts, count(*) from stretches group by 1, 2, 3
      on conflict (community_id, span, starts) do update set people = n.people + excluded.people
    ), months as (
      insert into active_months as m (community_id, user_id, month, days)
      select place, user_id, date_trunc('month', day)::date, bit_or(1 << extract(day from day)::int - 1)
      from fresh group by 1, 2, 3
      on conflict (community_id, user_id, month) do update set days = m.days | excluded.days
    )
    select count(*)::int from ${isQueue ? tx`taken` : tx`events`}`;
  return row.count;
}
