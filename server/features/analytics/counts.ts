import type { Sql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { ACTIVE_COUNT_RETENTION_MS } from '../../contract/person-limits.ts';
import { type DayChange, makeRuns, updateRuns } from '../claims/member-days.ts';
import { addStates, makeDecided, makeWaiting, type StateChange } from '../tasks/state-counts.ts';
import { countEvents } from './count-events.ts';
import { dayAfter, dayOf } from './days.ts';

/** Rows of one transaction: some tens of milliseconds of work. */
const AT_ONCE = 1_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** A transaction that began on a day is over by then. */
const SETTLES_MS = 10 * 60_000;
/** All that is kept is compared with what it is counted from once in so many hours. */
const ROUND_HOURS = 7 * 24;
/** What a day came to, and how many were active in the stretches that begin with it. */
const OF_DAY = { claim_days: 'day', wait_days: 'day', active_counts: 'starts' } as const;
/** Stretches that began earlier are shown nowhere: who was active stays known by months. */
const ACTIVE_DAYS = ACTIVE_COUNT_RETENTION_MS / DAY_MS;

/**
 * Counts what happened since: each row leaves its queue in the transaction that counts it, so it counts exactly once whatever
 * is killed in between. A queue shows committed rows only: whatever the order in which they come, none is passed over.
 */
export async function countQueued({ sql }: Pick<Runtime, 'sql'>, stopping?: AbortSignal): Promise<void> {
  const [queued] = await sql`select from count_queue union all select from state_queue limit 1`;
  for (let count = queued ? AT_ONCE : 0; count === AT_ONCE && !stopping?.aborted; )
    count = await sql.begin(async (tx) => {
      await lock(tx);
      return Math.max(await countEvents(tx, { queued: AT_ONCE }), await countStates(tx));
    });
}

/** Counting and comparing take turns. */
const lock = (tx: TransactionSql) => tx`select pg_advisory_xact_lock(hashtextextended('counts', 8))`;

async function countStates(tx: TransactionSql): Promise<number> {
  const changed = await tx<(StateChange & DayChange)[]>`
    delete from state_queue where id in (select id from state_queue order by id limit ${AT_ONCE})
    returning community_id as "communityId", task_id as "taskId", user_id as "userId", local_day::text as day, waiting,
      sent_back as "sentBack", rejected, counted`;
  await addStates(tx, changed);
  await updateRuns(tx, changed);
  return changed.length;
}

/**
 * Compares what is kept with what it is counted from, and mends and reports what differs. What waits each time, a day when it
 * is over, and of all the rest a part each hour, so the whole in a week: days in the order of their last comparison, members and
 * tasks by the first digits of their ids (`share`: from 0 to 1).
 */
export async function compareCounts(
  { sql, now, log }: Pick<Runtime, 'sql' | 'now' | 'log'>,
  stopping?: AbortSignal,
  share = shareOf(now()),
): Promise<void> {
  const found = { waiting: 0, tasks: 0, days: 0, members: 0 };
  const ids = idsOf(share);
  found.waiting = await sql.begin(async (tx) => {
    await lock(tx);
    return makeWaiting(tx);
  });
  found.tasks = await sql.begin(async (tx) => {
    await lock(tx);
    return makeDecided(tx, ids);
  });
  await sql`delete from active_counts where starts < ${firstCountedDay(now())}`;
  for (const { day, isKnown } of await daysToCompare(sql, now())) {
    if (stopping?.aborted) break;
    const differences = await compareDay(sql, day, now());
    if (isKnown) found.days += differences;
  }
  found.members = await compareMembers(sql, ids, stopping);
  if (Object.values(found).some((count) => count > 0)) log.warn(found, 'counts were not what they are counted from');
}

const firstCountedDay = (now: Date): string => dayAfter(dayOf(now), -ACTIVE_DAYS);

function shareOf(now: Date): [from: number, to: number] {
  const hour = Math.floor(now.getTime() / HOUR_MS) % ROUND_HOURS;
  return [hour / ROUND_HOURS, (hour + 1) / ROUND_HOURS];
}

type Ids = { first: string; last: string };

function idsOf([from, to]: [number, number]): Ids {
  const digits = (part: number) =>
    Math.floor(part * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return {
    first: `${digits(from)}-0000-0000-0000-000000000000`,
    last: `${digits(to - 2 ** -32)}-ffff-ffff-ffff-ffffffffffff`,
  };
}

/** Days that are over and were never compared, and a share of the others, those compared longest ago first. */
function daysToCompare(sql: Sql, now: Date): Promise<{ day: string; isKnown: boolean }[]> {
  const last = dayAfter(dayOf(new Date(now.getTime() - SETTLES_MS)), -1);
  return sql<{ day: string; isKnown: boolean }[]>`
    with days as (
      select d::date as day, counted_at
      from generate_series((select (at at time zone 'UTC')::date from claim_events order by id limit 1)::timestamp,
        ${last}::date::timestamp, '1 day') d
      left join counted_days c on c.day = d::date
    ), known as (
      select * from days where counted_at < ${new Date(now.getTime() - 24 * HOUR_MS)}
      order by counted_at, day limit (select ceil(count(*)::numeric / ${ROUND_HOURS}) from days)
    )
    select day::text, counted_at is not null as "isKnown" from (
      select * from known union all select * from days where counted_at is null) wanted order by day`;
}

/** Counts a day again from its history. Returns how many of its counts were different before. */
const compareDay = (sql: Sql, day: string, at: Date): Promise<number> =>
  sql.begin(async (tx) => {
    await lock(tx);
    const rowsOf = async (read: (table: string, column: string) => Promise<{ row: string }[]>) =>
      (await Promise.all(Object.entries(OF_DAY).map(([table, column]) => read(table, column)))).flat();
    const before = await rowsOf(
      (table, column) => tx`delete from ${tx(table)} t where ${tx(column)} = ${day} returning to_jsonb(t)::text as row`,
    );
    await countEvents(tx, { from: new Date(day), to: new Date(dayAfter(day)) });
    if (day >= firstCountedDay(at)) await countActive(tx, day);
    await tx`
      insert into counted_days (day, counted_at) values (${day}, ${at})
      on conflict (day) do update set counted_at = excluded.counted_at`;
    const after = await rowsOf(
      (table, column) => tx`select to_jsonb(t)::text as row from ${tx(table)} t where ${tx(column)} = ${day}`,
    );
    const right = new Set(after.map(({ row }) => row));
    return before.filter(({ row }) => !right.delete(row)).length + right.size;
  });

/** How many were active in the stretches that begin with a day. Of their months, which are few, all rows are read once. */
const countActive = (tx: TransactionSql, day: string) => tx`
  with near as materialized (
    select * from active_months where month > ${day}::date - 31 and month < ${day}::date + 31
  )
  insert into active_counts as n (community_id, span, starts, people)
  select community_id, span, ${day}::date, count(distinct user_id)
  from near a
  join (values ('day', ${day}::date + 1), ('week', ${day}::date + 7), ('28 days', ${day}::date + 28),
    ('30 days', ${day}::date + 30), ('month', (${day}::date + interval '1 month')::date)) as spans (span, ends)
    on span <> 'month' or extract(day from ${day}::date) = 1
  cross join lateral (
    select greatest(${day}::date - a.month, 0) as first, least(spans.ends - 1 - a.month, 30) as last) bits
  where last >= first and days::bigint >> first & (1::bigint << last - first + 1) - 1 <> 0
  group by 1, 2
  on conflict (community_id, span, starts) do update set people = excluded.people`;

/** Recomputes the runs of a share of the members. Returns how many were different before. */
async function compareMembers(sql: Sql, { first, last }: Ids, stopping?: AbortSignal): Promise<number> {
  let differences = 0;
  for (let after: string | null = null; !stopping?.aborted; ) {
    const people: { id: string }[] = await sql<{ id: string }[]>`
      select id from users where id <= ${last}
        and ${after === null ? sql`id >= ${first}` : sql`id > ${after}`}
      order by id limit ${AT_ONCE}`;
    differences += await sql.begin(async (tx) => {
      await lock(tx);
      return makeRuns(
        tx,
        people.map(({ id }) => id),
      );
    });
    if (people.length < AT_ONCE) break;
    after = people.at(-1)?.id ?? null;
  }
  return differences;
}
