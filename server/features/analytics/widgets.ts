import type { ISql } from 'postgres';
import type {
  FunnelFigures,
  InstallFigures,
  OfflineFigures,
  PeopleFigures,
  PushFigures,
  RetentionFigures,
  ReviewFigures,
  TaskFigures,
} from '../../contract/analytics.ts';
import { readWaiting } from '../claims/waiting.ts';
import { INSTANCE } from '../ledger/record.ts';
import { type AnalyticsScope, datedOf, eachDay, within } from './asked.ts';
import { readFunnel } from './funnel.ts';
import { bucketsOf, quantileOf, readWaits } from './waits.ts';

/** Fortnights of newcomers that retention shows, and days of each. */
const COHORTS = 6;
const COHORT_DAYS = 14;
const TASKS_MOST = 50;
/** A job that counts each second is behind with what is older than this. */
const BEHIND_MS = 60_000;

/** Reads of this screen, independent of each other; `sql` is a pool or a transaction. */
export const widgets = {
  async people(sql: ISql, scope: AnalyticsScope): Promise<PeopleFigures> {
    const { from, to, partition: position } = scope;
    const spans = (span: 'day' | 'week' | 'month') => sql<PeopleFigures['days']>`
      select s::date::text as starts, coalesce(n.people, 0) as people
      from generate_series(date_trunc(${span}, ${from}::date::timestamp), ${to}::date::timestamp,
        ${`1 ${span}`}::interval) s
      left join active_counts n on n.community_id = ${position} and n.span = ${span} and n.starts = s::date
      order by 1`;
    const [dated, [uncounted], [active], days, weeks, months] = await Promise.all([
      datedOf(sql, scope),
      sql<[{ count: number }]>`
        select count(distinct day)::int from (
          select (e.at at time zone 'UTC')::date as day from count_queue q join claim_events e on e.id = q.event_id
          where e.at < ${new Date(scope.now.getTime() - BEHIND_MS)}) waiting
        where day >= ${from}::date and day <= ${to}::date`,
      sql<[PeopleFigures['active']]>`
        select coalesce(sum(people) filter (where span = 'day' and starts = ${to}::date), 0)::int as day,
          coalesce(sum(people) filter (where span = 'week' and starts = ${to}::date - 6), 0)::int as week,
          coalesce(sum(people) filter (where span = '30 days' and starts = ${to}::date - 29), 0)::int as month
        from active_counts where community_id = ${position} and starts in (${to}::date, ${to}::date - 6, ${to}::date - 29)`,
      spans('day'),
      spans('week'),
      spans('month'),
    ]);
    return {
      ...dated,
      uncounted: uncounted.count,
      active,
      days: [...days],
      weeks: [...weeks],
      months: [...months],
    };
  },

  async retention(sql: ISql, scope: AnalyticsScope): Promise<RetentionFigures> {
    const { to, communityId, partition: position } = scope;
    const first = sql`(${to}::date - ${COHORTS * COHORT_DAYS - 1}::int)`;
    const came = (column: 'created_at' | 'joined_at') => sql`(${sql(column)} at time zone 'UTC')::date`;
    const people =
      communityId === null
        ? sql`select id as user_id, ${came('created_at')} as day from users
            where created_at >= ${first}::timestamp at time zone 'UTC'`
        : sql`select user_id, ${came('joined_at')} as day from community_members
            where community_id = ${communityId} and joined_at >= ${first}::timestamp at time zone 'UTC'`;
    const months = (days: number) => sql(`months${days}`);
    const back = (days: number) => sql`
      count(*) filter (where p.day + ${days}::int <= ${to}::date)::int as ${sql(`due${days}`)},
      count(*) filter (where p.day + ${days}::int <= ${to}::date
        and ${months(days)}.days >> extract(day from p.day + ${days}::int)::int - 1 & 1 = 1)::int as ${sql(`back${days}`)}`;
    const active = (days: number) => sql`
      left join active ${months(days)} on ${months(days)}.user_id = p.user_id
        and ${months(days)}.month = date_trunc('month', p.day + ${days}::int)::date`;
    const [dated, rows] = await Promise.all([
      datedOf(sql, scope),
      sql<Record<string, number | string>[]>`
        -- Read once for all: to look for each person would read some pages for each.
        with active as materialized (
          select user_id, month, days from active_months
          where community_id = ${position} and month >= date_trunc('month', ${first})
        )
        select (${first} + cohort * ${COHORT_DAYS}::int)::text as "from", count(p.user_id)::int as people,
          ${back(1)}, ${back(7)}, ${back(30)}
        from generate_series(0, ${COHORTS - 1}::int) cohort
        left join (${people}) p on p.day <= ${to}::date and (p.day - ${first}) / ${COHORT_DAYS}::int = cohort
        ${active(1)} ${active(7)} ${active(30)}
        group by cohort order by cohort`,
    ]);
    const returned = (row: Record<string, number | string>, days: number) => ({
      due: Number(row[`due${days}`]),
      back: Number(row[`back${days}`]),
    });
    return {
      ...dated,
      cohorts: rows.map((row) => ({
        from: String(row['from']),
        people: Number(row['people']),
        day1: returned(row, 1),
        day7: returned(row, 7),
        day30: returned(row, 30),
      })),
    };
  },

  async funnel(sql: ISql, scope: AnalyticsScope): Promise<FunnelFigures> {
    const [dated, steps] = await Promise.all([datedOf(sql, scope), readFunnel(sql, scope)]);
    return { ...dated, steps };
  },

  async reviews(sql: ISql, scope: AnalyticsScope): Promise<ReviewFigures> {
    const { communityId } = scope;
    const [dated, waits, waiting] = await Promise.all([
      datedOf(sql, scope),
      readWaits(sql, scope, 'decision'),
      readWaiting(sql, communityId),
    ]);
    return {
      ...dated,
      decisions: waits.reduce((sum, { count }) => sum + count, 0),
      minutes: { p50: quantileOf(waits, 0.5), p95: quantileOf(waits, 0.95) },
      buckets: bucketsOf(waits),
      waiting: { count: waiting.count, oldestAt: waiting.oldestAt?.toISOString() ?? null },
    };
  },

  async push(sql: ISql, scope: AnalyticsScope): Promise<PushFigures> {
    const [dated, days] = await Promise.all([
      datedOf(sql, scope),
      sql<PushFigures['days']>`
        select each.day::text, coalesce(sum(p.sent), 0)::int as sent, coalesce(sum(p.gone), 0)::int as gone,
          coalesce(sum(p.failed), 0)::int as failed, coalesce(sum(p.shown), 0)::int as shown,
          coalesce(sum(p.opened), 0)::int as opened
        from ${eachDay(sql, scope)} left join (select * from push_days where ${within(sql, scope)}) p using (day)
        group by 1 order by 1`,
    ]);
    return { ...dated, days: [...days] };
  },

  /** For the whole instance: an installation belongs to no community. */
  async installs(sql: ISql, scope: AnalyticsScope): Promise<InstallFigures> {
    const [dated, days, devices] = await Promise.all([
      datedOf(sql, scope),
      sql<InstallFigures['days']>`
        select day::text, coalesce(v.count, 0)::float8 as installs
        from ${eachDay(sql, scope)} left join (select day, count from visit_days where what = 'install') v using (day)
        order by 1`,
      sql<InstallFigures['devices']>`
        select display, count(distinct person)::int from client_log_devices
        where day >= ${scope.from}::date and day <= ${scope.to}::date and display is not null
        group by 1 order by 2 desc, 1 limit 10`,
    ]);
    return { ...dated, days: [...days], devices: [...devices] };
  },

  async offline(sql: ISql, scope: AnalyticsScope): Promise<OfflineFigures> {
    const [dated, days, waits] = await Promise.all([
      datedOf(sql, scope),
      sql<OfflineFigures['days']>`
        select each.day::text, coalesce(made, 0) as made, coalesce(late, 0) as late
        from ${eachDay(sql, scope)} left join (
          select day, sum(made)::int as made, sum(late)::int as late from claim_days
          where ${within(sql, scope)} group by day) c using (day)
        order by 1`,
      readWaits(sql, scope, 'replay'),
    ]);
    return { ...dated, days: [...days], minutes: { p50: quantileOf(waits, 0.5), p95: quantileOf(waits, 0.95) } };
  },

  async tasks(sql: ISql, scope: AnalyticsScope): Promise<TaskFigures> {
    const [dated, rows] = await Promise.all([
      datedOf(sql, scope),
      sql<(TaskFigures['tasks'][number] & { all: number })[]>`
        select d.task_id as "taskId", t.title, c.name as community, d.made, d.approved, d.refused, d."all"
        from (
          select task_id, sum(made)::int as made, sum(approved)::int as approved, sum(refused)::int as refused,
            (count(*) over ())::int as "all"
          from claim_days where ${within(sql, scope)}
          group by task_id order by 2 desc, 3 desc, task_id limit ${TASKS_MOST}
        ) d join tasks t on t.id = d.task_id join communities c on c.id = t.community_id
        order by d.made desc, d.approved desc, d.task_id`,
    ]);
    const tasks = rows.map(({ all: _, ...row }) => row);
    return { ...dated, tasks, more: (rows[0]?.all ?? 0) - tasks.length };
  },
};

/** Communities for the list to choose from, the largest first. */
export const listCommunities = (sql: ISql, most: number) => sql<{ id: string; slug: string; name: string }[]>`
  select id, slug, name from communities where id <> ${INSTANCE} order by members desc, name, id limit ${most}`;
