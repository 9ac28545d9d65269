import type { TransactionSql } from 'postgres';
import {
  MORNING_APPEALS,
  MORNING_NAMES,
  MORNING_STREAK_FROM_DAYS,
  MORNING_STREAKS,
  MORNING_STREAKS_RECKONED,
  MORNING_TASKS,
} from '../../contract/limits.ts';
import type { Morning } from '../../contract/morning.ts';
import { localDay } from '../../domain/periods.ts';
import { zoneOf } from '../../storage/zone.ts';
import { dayAfter, dayOf } from '../analytics/days.ts';
import { appealsFor, isBeingChecked, waitingCounts, waitingOf } from '../claims/waiting.ts';

type Asker = { communityId: string; userId: string; now: Date };

/** A leader's morning overview. `sql` must be one snapshot. */
export async function readMorning(sql: TransactionSql, asker: Asker): Promise<Morning> {
  const [appeals, tasks, activity, streaks] = await Promise.all([
    readAppeals(sql, asker),
    readTasks(sql, asker),
    readActivity(sql, asker),
    readStreaks(sql, asker),
  ]);
  const oldest = [appeals.oldestAt, tasks[0]?.oldestAt].filter((at) => typeof at === 'string').sort();
  return {
    asOf: asker.now.toISOString(),
    waiting: appeals.count + tasks.reduce((sum, { count }) => sum + count, 0),
    oldestAt: oldest[0] ?? null,
    appeals,
    tasks: tasks.slice(0, MORNING_TASKS),
    activity,
    streaks,
  };
}

async function readAppeals(sql: TransactionSql, { communityId, userId }: Asker): Promise<Morning['appeals']> {
  type Row = Omit<Morning['appeals']['items'][number], 'at'> & { at: Date; count: number };
  const rows = await sql<Row[]>`
    select c.id as "claimId", t.title as task, u.display_name as "displayName", c.appeal_text as text, c.appeal_at as at,
      count(*) over ()::int as count
    from claims c join tasks t on t.id = c.task_id and t.community_id = c.community_id join users u on u.id = c.user_id
    where c.community_id = ${communityId} and ${appealsFor(sql, userId)} and not ${isBeingChecked(sql, 'c')}
    order by c.appeal_at, c.id limit ${MORNING_APPEALS}`;
  const items = rows.map(({ count: _, at, ...row }) => ({ ...row, at: at.toISOString() }));
  return { count: rows[0]?.count ?? 0, oldestAt: items[0]?.at ?? null, items };
}

async function readTasks(sql: TransactionSql, { communityId, userId }: Asker): Promise<Morning['tasks']> {
  type Row = Omit<Morning['tasks'][number], 'oldestAt'> & { oldestAt: Date };
  const rows = await sql<Row[]>`
    select t.id as "taskId", t.title, t.kind, w.answers as count, first."oldestAt", first.names
    from ${waitingCounts(sql, { communityId, reviewerId: userId })} w join tasks t on t.id = w.task_id and t.community_id = ${communityId}
    cross join lateral (
      select min(submitted_at) as "oldestAt", array_agg(u.display_name order by f.submitted_at, f.id) as names from (
        select c.submitted_at, c.id, c.user_id from claims c
        where ${waitingOf(sql, 't.id', userId)} limit ${MORNING_NAMES}) f join users u on u.id = f.user_id) first
    where first."oldestAt" is not null
    order by first."oldestAt", t.id`;
  return rows.map((row) => ({ ...row, oldestAt: row.oldestAt.toISOString() }));
}

/** Days are the UTC calendar's, of which the counts are. */
async function readActivity(sql: TransactionSql, { communityId, now }: Asker): Promise<Morning['activity']> {
  const today = dayOf(now);
  const days = Array.from({ length: 7 }, (_, at) => dayAfter(today, at - 6));
  const [[members], rows] = await Promise.all([
    sql<[{ count: number }]>`select members as count from communities where id = ${communityId}`,
    sql<{ span: string; starts: string; people: number }[]>`
      select span, starts::text, people from active_counts
      where community_id = ${communityId} and span in ('day', 'week') and starts >= ${dayAfter(today, -13)}
        and starts <= ${today}`,
  ]);
  const people = (span: 'day' | 'week', starts: string) =>
    rows.find((row) => row.span === span && row.starts === starts)?.people ?? 0;
  return {
    members: members.count,
    active: people('week', dayAfter(today, -6)),
    before: people('week', dayAfter(today, -13)),
    days: days.map((day) => ({ day, people: people('day', day) })),
  };
}

/** The longest runs that end with their member's day, of the days that it is somewhere. */
async function readStreaks(sql: TransactionSql, { communityId, now }: Asker): Promise<Morning['streaks']> {
  type Row = Morning['streaks']['items'][number] & { endsOn: string; zone: string };
  const rows = await sql<Row[]>`
    select d.user_id as "userId", u.display_name as "displayName", d.run as days, d.ends_on::text as "endsOn",
      ${zoneOf(sql, now)} as zone, null as "keptBy"
    from generate_series(-1, 1) beside cross join lateral (
      select * from member_days
      where community_id = ${communityId} and ends_on = ${dayOf(now)}::date + beside and -run <= -${MORNING_STREAK_FROM_DAYS}::int
      order by -run, user_id limit ${MORNING_STREAKS_RECKONED}) d
    join users u on u.id = d.user_id and u.suspended_at is null
    join community_members m on m.community_id = d.community_id and m.user_id = d.user_id and m.role <> 'leader'
    order by -d.run, d.user_id`;
  // Computed here, because the database fails on a zone that only one of the two knows.
  const ending = rows.filter(({ endsOn, zone }) => endsOn === localDay(now, zone)).slice(0, MORNING_STREAKS_RECKONED);
  const items = ending.slice(0, MORNING_STREAKS).map(async ({ endsOn, zone: _, ...row }) => {
    const [waits] = await sql<{ title: string }[]>`
      select t.title from claims c join tasks t on t.id = c.task_id and t.community_id = c.community_id
      where c.community_id = ${communityId} and c.user_id = ${row.userId} and c.state in ('submitted', 'checking')
        and c.local_day >= ${endsOn}::date order by c.submitted_at limit 1`;
    return { ...row, keptBy: waits?.title ?? null };
  });
  return { count: ending.length, items: await Promise.all(items) };
}
