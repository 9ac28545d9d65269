import type { TransactionSql } from 'postgres';
import type { BadgeCode } from '../../contract/badges.ts';
import { pointsToNextLevel } from '../../contract/limits.ts';
import { streakOf } from '../../domain/streak.ts';
import { dayAt } from '../../rules/periods.ts';

export type Earner = { communityId: string; userId: string };
export type Gain = Earner & { kind: 'award' | 'adjust' | 'reverse'; points: number; actedAt?: Date };

/** Kinds of task that make an all-rounder, invited people who count for a good host, tries in a row for a steady hand. */
const KINDS = 5;
const GUESTS = 3;
const STEADY_DAYS = 20;
const WEEK = 7;
const MONTH = 30;
/** A run of a month with everything that may save its days lies within so many of each of its days. */
const LOOK_BACK_DAYS = 60;

const pointsOfLevel = (level: number): number =>
  Array.from({ length: level }, (_, below) => pointsToNextLevel(below)).reduce((sum, needed) => sum + needed, 0);

/**
 * Gives what the members have earned in their communities by the points they get now; what is held is never taken back,
 * and what was taken back earns nothing more.
 * Any points may reach a level, the first time they are enough; only an award adds to tries and days.
 */
export async function awardBadges(tx: TransactionSql, now: Date, gains: readonly Gain[]): Promise<void> {
  const reaches = (level: number) =>
    tx`points >= ${pointsOfLevel(level)} and points - gained < ${pointsOfLevel(level)}`;
  const given = tx`
    with earners as materialized (
      select e.*, points,
        array(select code from badges b where b.user_id = e.person and b.community_id = e.place) as held
      from (
        -- Hidden in selects, so that the planner sees no lengths and keeps one plan.
        select place, person, bool_or(kind = 'award') as awarded, sum(gain) as gained from unnest(
          (select ${gains.map((one) => one.communityId)}::uuid[]), (select ${gains.map((one) => one.userId)}::uuid[]),
          (select ${gains.map((one) => one.kind)}::text[]), (select ${gains.map((one) => one.points)}::integer[]))
          as given (place, person, kind, gain)
        group by place, person
      ) e cross join lateral (
        select points from scores s where s.community_id = place and s.user_id = person
      ) s
      -- Who was above a level before has its badge.
      where awarded or ${reaches(5)} or ${reaches(10)}
    ), facts as materialized (
      select e.*,
        case when awarded and not held @> '{first_step,ten_done,hundred_done}' then (
          select count(*) from (
            select from claims c
            where c.community_id = place and c.user_id = person and c.state = 'approved' limit 100) standing) end as done,
        case when awarded and not held @> '{all_rounder}' then (
          select count(distinct t.kind) from tasks t
          where t.community_id = place and exists (
            select from claims c
            where c.community_id = place and c.task_id = t.id and c.user_id = person and c.state = 'approved')) end as kinds,
        case when awarded and not held @> '{steady_hand}' then (
          select count(*) filter (where state = 'approved') from (
            select state from claims c
            where c.community_id = place and c.user_id = person and c.state in ('approved', 'rejected', 'reversed')
              -- A try that no check passed was refused by nobody.
              and not (c.state = 'rejected' and c.decided_by is null)
            order by submitted_at desc limit ${STEADY_DAYS}) latest) end as steady
      from earners e
    )
    insert into badges (user_id, community_id, code, earned_at)
    select person, place, code, ${now} from facts cross join lateral (values
      ('first_step', done >= 1), ('ten_done', done >= 10), ('hundred_done', done >= 100),
      ('level_five', points >= ${pointsOfLevel(5)}), ('level_ten', points >= ${pointsOfLevel(10)}),
      ('all_rounder', kinds >= ${KINDS}), ('steady_hand', steady >= ${STEADY_DAYS})
    ) as prize (code, earned)
    where earned and not code = any(held)
    on conflict do nothing`;
  const awards = gains.filter(({ kind }) => kind === 'award');
  // Pipelined, because the community is locked during these statements.
  await Promise.all([given, awards.length > 0 ? awardStreaks(tx, now, awards) : null]);
}

/** Streaks count across communities, so their badges belong to none. */
async function awardStreaks(tx: TransactionSql, now: Date, awards: readonly Gain[]): Promise<void> {
  const userIds = new Set(awards.map((one) => one.userId));
  // From the day that counts now, which may be long ago: reviewers take their time.
  const first = awards.reduce((least, { actedAt }) => (actedAt && actedAt < least ? actedAt : least), now);
  const since = dayAt(first.toISOString().slice(0, 10), -LOOK_BACK_DAYS);
  // Asked for in a select, member by member: one plan for all, which reads the days of who may have earned something.
  const people = await tx<{ userId: string; days: string[] }[]>`
    select person as "userId", days from (
      select person, array(
        select distinct c.local_day from claims c
        where c.user_id = person and c.state = 'approved' and c.local_day >= (select ${since}::date))::text[] as days,
        exists (
          select from badges w where w.user_id = person and w.community_id is null and w.code = 'week_streak') as has_week
      from unnest((select ${[...userIds]}::uuid[])) as given (person)
      where (
        select m.user_id from badges m
        where m.user_id = person and m.community_id is null and m.code = 'month_streak') is null
      offset 0
    ) one where cardinality(days) >= case when has_week then ${MONTH}::int else ${WEEK}::int end`;
  const earned = people.flatMap(({ userId, days }) => {
    const { best } = streakOf(
      days,
      days.reduce((last, day) => (day > last ? day : last)),
    );
    const codes: BadgeCode[] = [];
    if (best >= WEEK) codes.push('week_streak');
    if (best >= MONTH) codes.push('month_streak');
    return codes.map((code) => ({ userId, code }));
  });
  if (earned.length === 0) return;
  await tx`
    insert into badges (user_id, community_id, code, earned_at)
    select person, null, code, ${now} from unnest(${earned.map((one) => one.userId)}::uuid[],
      ${earned.map((one) => one.code)}::text[]) as given (person, code)
    on conflict do nothing`;
}

/** Gives the badge of a good host to those whose invited people count by now. */
export async function awardHosts(tx: TransactionSql, now: Date, hosts: readonly Earner[]): Promise<void> {
  await tx`
    insert into badges (user_id, community_id, code, earned_at)
    select person, place, 'good_host', ${now} from (
      select distinct * from unnest(${hosts.map((one) => one.communityId)}::uuid[],
        ${hosts.map((one) => one.userId)}::uuid[]) as given (place, person)) h
    where (select count(*) from referrals r
      where r.community_id = place and r.inviter_id = person and r.qualified_at is not null) >= ${GUESTS}
    on conflict do nothing`;
}
