import type { TransactionSql } from 'postgres';
import type { Dashboard } from '../../contract/communities.ts';
import { localDay } from '../../domain/periods.ts';
import { streakOf } from '../../domain/streak.ts';
import { readLatest } from '../announcements/announcements.ts';
import { readBadges } from '../badges/badges.ts';
import { namesOf, pendingPoints, readShownBoard } from '../boards/board.ts';
import { readDays } from '../profile/days.ts';
import { readCurrentSeason } from '../seasons/current.ts';
import { readTasks } from '../tasks/read.ts';
import { readSummary } from './rows.ts';

/**
 * Everything on a member's dashboard, as of one moment: `sql` must be one snapshot. Points, rank and neighbours are
 * those of all time; the streak counts days with an approved claim in this community.
 */
export async function readDashboard(
  sql: TransactionSql,
  asker: { communityId: string; userId: string; timeZone: string; now: Date },
): Promise<Dashboard> {
  const { communityId, userId, timeZone, now } = asker;
  const [community, tasks, board, total, days, pending, reviewers, season, badges, announcements] = await Promise.all([
    readSummary(sql, communityId, userId),
    readTasks(sql, asker),
    readShownBoard(sql, { communityId, period: 'all', role: 'member', me: userId, top: 0, now }),
    sql<{ points: number }[]>`
      select points from scores where community_id = ${communityId} and user_id = ${userId}`,
    readDays(sql, userId, communityId),
    pendingPoints(sql, communityId, userId),
    namesOf(sql, communityId, ['leader', 'moderator']),
    readCurrentSeason(sql, communityId, now),
    readBadges(sql, userId, communityId),
    readLatest(sql, communityId, now),
  ]);
  const streak = streakOf(days, localDay(now, timeZone));
  return {
    community,
    asOf: now.toISOString(),
    points: total[0]?.points ?? 0,
    rank: board.me?.rank ?? null,
    ranked: board.ranked,
    streakDays: streak.days,
    countedToday: streak.countedToday,
    freezes: streak.freezes,
    season,
    announcements,
    badges,
    pendingPoints: pending,
    tasks,
    around: board.around,
    reviewers,
  };
}
