import type { TransactionSql } from 'postgres';
import type { BoardState } from '../../contract/boards.ts';
import type { Dashboard } from '../../contract/communities.ts';
import type { CommunitySummary } from '../../contract/community.ts';
import { localDay } from '../../domain/periods.ts';
import { streakOf } from '../../domain/streak.ts';
import { type AnnouncementRow, announcementOf, latestText } from '../announcements/announcements.ts';
import { type BadgeRow, badgeOf, badgesText } from '../badges/badges.ts';
import { namesText, pendingText, readBoardIn } from '../boards/board.ts';
import { daysText } from '../claims/days.ts';
import { readTasks } from '../claims/task-with-claim.ts';
import { summaryText } from '../communities/rows.ts';
import { currentOf, currentText, type JsonSummaryRow } from '../seasons/current.ts';

/** What a dashboard shows beside its tasks and its board. */
type Frame = {
  state: BoardState;
  since: Date;
  points: number;
  pending: number;
  reviewers: string[];
  days: string[];
  season: JsonSummaryRow | null;
  badges: BadgeRow[];
  announcements: AnnouncementRow[];
} & CommunitySummary;

/** One statement, because each one costs as much as what it reads. */
const FRAME = `
  select ${summaryText('$2')}, c.board_state as state, c.board_since as since,
    coalesce((select points from scores s where s.community_id = $1::uuid and s.user_id = $2::uuid), 0) as points,
    ${pendingText('$2', '$1')} as pending, ${namesText('$1', ['leader', 'moderator'])} as reviewers,
    ${daysText('$2', '$1')} as days, ${currentText('$1')} as season, ${badgesText('$2', '$1')} as badges,
    ${latestText('$1', '$3')} as announcements
  from communities c where c.id = $1::uuid`;

/**
 * Everything on a member's dashboard, as of one moment: `sql` must be one snapshot. Points, rank and neighbours are
 * those of all time; the streak counts days with an approved claim in this community.
 */
export async function readDashboard(
  sql: TransactionSql,
  asker: { communityId: string; userId: string; timeZone: string; now: Date },
): Promise<Dashboard> {
  const { communityId, userId, timeZone, now } = asker;
  const wanted = { communityId, period: 'all', role: 'member', me: userId, top: 0, now } as const;
  const framed = async () => {
    const [read] = await sql.unsafe<Frame[]>(FRAME, [communityId, userId, now], { prepare: true });
    if (!read) throw new Error(`community ${communityId} is gone`);
    const { state, since, ...frame } = read;
    return { frame, board: await readBoardIn(sql, { state, since }, wanted) };
  };
  const [{ frame, board }, tasks] = await Promise.all([framed(), readTasks(sql, asker)]);
  const { points, pending, reviewers, days, season, badges, announcements, ...community } = frame;
  const streak = streakOf(days, localDay(now, timeZone));
  return {
    community,
    asOf: now.toISOString(),
    points,
    rank: board.me?.rank ?? null,
    ranked: board.ranked,
    streakDays: streak.days,
    countedToday: streak.countedToday,
    timeZone,
    freezes: streak.freezes,
    season: season && currentOf(season, now),
    announcements: announcements.map(announcementOf),
    badges: badges.map(badgeOf),
    pendingPoints: pending,
    tasks,
    around: board.around,
    reviewers,
  };
}
