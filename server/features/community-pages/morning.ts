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
import { streakOf } from '../../domain/streak.ts';
import { dayAt } from '../../rules/periods.ts';
import { zoneOf } from '../../storage/zone.ts';
import { waitsFor } from '../claims/review.ts';

type Asker = { communityId: string; userId: string; timeZone: string; now: Date };
/** A run goes on over this many days without anything: a repair and the freezes that may be held. */
const LIVES_WITHOUT_DAYS = 4;

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

const waiting = (sql: TransactionSql, { communityId, userId }: Asker) =>
  waitsFor(sql, { communityId, reviewerId: userId });

async function readAppeals(sql: TransactionSql, asker: Asker): Promise<Morning['appeals']> {
  type Row = Omit<Morning['appeals']['items'][number], 'at'> & { at: Date; count: number };
  const rows = await sql<Row[]>`
    select c.id as "claimId", t.title as task, u.display_name as "displayName", c.appeal_text as text, c.appeal_at as at,
      count(*) over ()::int as count
    from claims c join tasks t on t.id = c.task_id join users u on u.id = c.user_id
    where ${waiting(sql, asker)} and c.appeal_outcome = 'open'
    order by c.appeal_at, c.id limit ${MORNING_APPEALS}`;
  const items = rows.map(({ count: _, at, ...row }) => ({ ...row, at: at.toISOString() }));
  return { count: rows[0]?.count ?? 0, oldestAt: items[0]?.at ?? null, items };
}

async function readTasks(sql: TransactionSql, asker: Asker): Promise<Morning['tasks']> {
  type Row = Omit<Morning['tasks'][number], 'oldestAt'> & { oldestAt: Date };
  const rows = await sql<Row[]>`
    select t.id as "taskId", t.title, t.kind, count(*)::int as count, min(c.submitted_at) as "oldestAt",
      (array_agg(u.display_name order by c.submitted_at, c.id))[:${MORNING_NAMES}::int] as names
    from claims c join tasks t on t.id = c.task_id join users u on u.id = c.user_id
    where ${waiting(sql, asker)} and c.appeal_outcome is distinct from 'open'
    group by t.id order by min(c.submitted_at), t.id`;
  return rows.map((row) => ({ ...row, oldestAt: row.oldestAt.toISOString() }));
}

/** By the claim's day on its member's own calendar. */
async function readActivity(sql: TransactionSql, { communityId, timeZone, now }: Asker): Promise<Morning['activity']> {
  const today = localDay(now, timeZone);
  const from = (days: number) => dayAt(today, 1 - days);
  const [[who], rows] = await Promise.all([
    sql<[{ members: number; active: number; before: number }]>`
      select (select count(*)::int from community_members where community_id = ${communityId}) as members,
        count(distinct user_id) filter (where local_day >= ${from(7)}::date)::int as active,
        count(distinct user_id) filter (where local_day < ${from(7)}::date)::int as before
      from claims where community_id = ${communityId} and local_day >= ${from(14)}::date
        and submitted_at >= ${from(15)}::date`,
    sql<{ day: string; people: number }[]>`
      select least(local_day, ${today}::date)::text as day, count(distinct user_id)::int as people
      from claims where community_id = ${communityId} and local_day >= ${from(7)}::date
        and submitted_at >= ${from(8)}::date group by 1`,
  ]);
  const people = new Map(rows.map((row) => [row.day, row.people]));
  const days = Array.from({ length: 7 }, (_, at) => {
    const day = dayAt(today, at - 6);
    return { day, people: people.get(day) ?? 0 };
  });
  return { ...who, days };
}

async function readStreaks(sql: TransactionSql, { communityId, now }: Asker): Promise<Morning['streaks']> {
  const zone = zoneOf(sql, now);
  const names = await sql<{ name: string }[]>`
    select distinct ${zone} as name from users u join community_members m on m.user_id = u.id and m.community_id = ${communityId}`;
  if (names.length === 0) return { count: 0, items: [] };
  // Computed here, because the database fails on a zone that only one of the two knows.
  const zones = names.map(({ name }) => ({ name, today: localDay(now, name) }));
  type Row = { userId: string; displayName: string; today: string; days: string[]; keptBy: string | null };
  const rows = await sql<Row[]>`
    select u.id as "userId", u.display_name as "displayName", today::text, did.days, (
        select t.title from claims c join tasks t on t.id = c.task_id
        where c.community_id = ${communityId} and c.user_id = u.id and c.state in ('submitted', 'checking')
          and c.local_day >= today order by c.submitted_at limit 1) as "keptBy"
    from community_members m join users u on u.id = m.user_id and u.suspended_at is null
    join unnest(${zones.map(({ name }) => name)}::text[], ${zones.map(({ today }) => today)}::date[]) as own (zone, today)
      on own.zone = ${zone}
    cross join lateral (
      select array_agg(distinct c.local_day::text) as days from claims c
      where c.community_id = ${communityId} and c.user_id = u.id and c.state = 'approved'
    ) did
    where m.community_id = ${communityId} and m.role <> 'leader'
      and exists (select from claims c where c.community_id = ${communityId} and c.user_id = u.id and c.state = 'approved'
        and c.local_day between today - ${LIVES_WITHOUT_DAYS}::int and today - 1)
      and not exists (select from claims c where c.community_id = ${communityId} and c.user_id = u.id
        and c.state = 'approved' and c.local_day >= today)
    order by cardinality(did.days) desc, u.id limit ${MORNING_STREAKS_RECKONED}`;
  const ending = rows
    .map(({ days, today, ...who }) => ({
      ...who,
      days: streakOf(days, today).days,
      ends: streakOf(days, dayAt(today, 1)).days === 0,
    }))
    .filter(({ days, ends }) => ends && days >= MORNING_STREAK_FROM_DAYS)
    .sort((a, b) => b.days - a.days)
    .map(({ ends: _, ...row }) => row);
  return { count: ending.length, items: ending.slice(0, MORNING_STREAKS) };
}
