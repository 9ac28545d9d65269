import type { LeagueApart, LeagueGroup, LeagueMove } from '../contract/leagues.ts';
import {
  ACTED_AT_GRACE_MS,
  LEAGUE_DIVISIONS,
  LEAGUE_GROUP,
  LEAGUE_GROUP_LEAST,
  LEAGUE_MOVES_ONE_IN,
} from '../contract/limits.ts';
import { dayAt } from '../rules/periods.ts';
import { firstDaysOf } from './periods.ts';

/** When a week, named by its Monday, begins and ends, and until when late answers count. */
export function timesOf(week: string): { startsAt: Date; endsAt: Date; settlesAt: Date } {
  const endsAt = new Date(dayAt(week, 7));
  return { startsAt: new Date(week), endsAt, settlesAt: new Date(endsAt.getTime() + ACTED_AT_GRACE_MS) };
}

/** When the groups of a week are made: once the week before it is settled. */
export const groupedAt = (week: string): Date => timesOf(dayAt(week, -7)).settlesAt;

/** The latest week whose groups are there at `now`, or due. */
export const latestWeek = (now: Date): string => firstDaysOf(new Date(now.getTime() - ACTED_AT_GRACE_MS)).week;

/**
 * The week in which a line of the ledger counts, by its Monday. `done`: when its member did it; `recorded`: when it, or the award
 * that it takes back, was written. What arrives too late for its own week counts in that of its arrival.
 */
export function weekOf({ done, recorded }: { done: Date; recorded: Date }): string {
  const own = firstDaysOf(done).week;
  return recorded < timesOf(own).settlesAt ? own : firstDaysOf(recorded).week;
}

type Person = { role: string | null; isHidden: boolean; isSuspended: boolean };
/** Why a member takes no part; null if they do. */
export function standsApart({ role, isHidden, isSuspended }: Person): LeagueApart | null {
  if (role === null || isSuspended) return 'away';
  if (role === 'leader') return 'leader';
  return isHidden ? 'hidden' : null;
}

/** Points of a week; without any: 0, and `reachedAt` null. */
export type Score = { userId: string; points: number; reachedAt: Date | null };

/** The boards' order: points, then who reached them first, then the id. */
export function inOrder(a: Score, b: Score): number {
  if (a.points !== b.points) return b.points - a.points;
  const [first, second] = [a.reachedAt?.getTime() ?? 0, b.reachedAt?.getTime() ?? 0];
  if (first !== second) return first - second;
  return a.userId < b.userId ? -1 : 1;
}

/** A participant of a new week, with last week's points. */
export type Entrant = Score & { division: number; isNew: boolean };

/**
 * Groups of about `LEAGUE_GROUP`, the highest division first and newcomers beside newcomers last; within each, members of like
 * activity. Where too few are in a division they play with the next one, and each rises or falls from their own.
 */
export function groupsOf(entrants: readonly Entrant[]): Entrant[][] {
  const levels: Entrant[][] = [];
  for (let division = LEAGUE_DIVISIONS; division >= 1; division -= 1)
    levels.push(entrants.filter((one) => !one.isNew && one.division === division));
  levels.push(entrants.filter((one) => one.isNew));
  const pools: Entrant[][] = [];
  let pool: Entrant[] = [];
  for (const level of levels) {
    pool = pool.concat(level.sort(inOrder));
    if (pool.length < LEAGUE_GROUP_LEAST) continue;
    pools.push(pool);
    pool = [];
  }
  const last = pools.pop() ?? [];
  const rest = last.concat(pool);
  if (rest.length > 0) pools.push(rest);
  return pools.flatMap(evenly);
}

/** Cut into parts of about `LEAGUE_GROUP` whose lengths differ by one at most. */
function evenly(pool: readonly Entrant[]): Entrant[][] {
  const parts = Math.max(1, Math.round(pool.length / LEAGUE_GROUP));
  return Array.from({ length: parts }, (_, part) =>
    pool.slice(Math.floor((part * pool.length) / parts), Math.floor(((part + 1) * pool.length) / parts)),
  );
}

/** How many of a group rise, and how many fall at least. Where nobody would be left in between, nobody moves. */
export const movesOf = (members: number): number =>
  members < 3 ? 0 : Math.max(1, Math.floor(members / LEAGUE_MOVES_ONE_IN));

export type Result = Score & { division: number; rank: number | null; move: LeagueMove };

/**
 * A group's results in order, without members who take no part by now. The first rise if they have points. The last
 * fall, and with them all without points. Nobody falls out of the first division or rises out of the last.
 */
export function resultsOf<One extends Score & { division: number }>(group: readonly One[]): (One & Result)[] {
  const ordered = group.map((one) => ({ ...one, points: Math.max(0, one.points) })).sort(inOrder);
  const moves = movesOf(ordered.length);
  let rank = 0;
  return ordered.map((one, index) => {
    if (ordered[index - 1]?.points !== one.points) rank = index + 1;
    const rises = one.points > 0 && index < moves;
    const falls = moves > 0 && !rises && (one.points === 0 || index >= ordered.length - moves);
    const wanted = rises ? 'rise' : falls ? 'fall' : 'stay';
    const move = divisionAfter(one.division, wanted) === one.division ? 'stay' : wanted;
    return { ...one, rank: one.points > 0 ? rank : null, move };
  });
}

type Seat = Pick<LeagueGroup, 'week' | 'division' | 'isNew' | 'next'> & { me: string };
/** A week's group as its members see it. `group`: members who still take part, with the week's points so far. */
export function groupSeen(
  { me, week, ...seat }: Seat,
  group: readonly (Score & { division: number; name: string })[],
): LeagueGroup {
  const results = resultsOf(group);
  const rows = results.flatMap(({ rank, userId, name: displayName, points, reachedAt, move }) =>
    rank === null || reachedAt === null
      ? []
      : [{ rank, userId, displayName, points, reachedAt: reachedAt.toISOString(), me: userId === me, move }],
  );
  const { endsAt, settlesAt } = timesOf(week);
  return {
    ...seat,
    week,
    endsAt: endsAt.toISOString(),
    settlesAt: settlesAt.toISOString(),
    members: results.length,
    moves: movesOf(results.length),
    rows,
    idle: results.length - rows.length,
    move: results.find(({ userId }) => userId === me)?.move ?? 'stay',
  };
}

/**
 * When a member without a group starts: with the groups that are due, else with the next ones. `made`: the latest
 * existing groups.
 */
export function startsAt(since: Date, made: string | null, now: Date): Date {
  const first = firstDaysOf(since).week;
  const due = latestWeek(now);
  if (due < first) return groupedAt(first);
  return groupedAt(made === null || made < due ? due : dayAt(due, 7));
}

export const divisionAfter = (division: number, move: LeagueMove | 'apart' | null): number =>
  Math.min(LEAGUE_DIVISIONS, Math.max(1, division + (move === 'rise' ? 1 : move === 'fall' ? -1 : 0)));
