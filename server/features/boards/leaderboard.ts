import type { TransactionSql } from 'postgres';
import type { BoardState, Leaderboard } from '../../contract/boards.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { BOARD_TOP } from '../../contract/limits.ts';
import type { SeasonSummary } from '../../contract/seasons.ts';
import { isId } from '../../domain/ids.ts';
import type { CalendarPeriod } from '../../domain/periods.ts';
import { noSeason } from '../../domain/ranks.ts';
import { INSTANCE } from '../ledger/record.ts';
import { type SummaryRow, summaryColumnsOf, summaryOf } from '../seasons/current.ts';
import {
  type BoardView,
  NOBODY,
  namesText,
  pendingPoints,
  pendingText,
  readBoard,
  readBoardIn,
  readFrozen,
  readResults,
} from './board.ts';

type BoardCaller = { communityId: string; role: CommunityRole | null; me: string | null; now: Date };

/**
 * A community's board of a calendar period at `now`, or of a season: the one named, else the running or latest one.
 * `sql` must be one snapshot. Throws 409 `NO_SEASON`.
 */
export async function readLeaderboard(
  sql: TransactionSql,
  scope: BoardCaller & { period: Leaderboard['period']; seasonId?: string | undefined },
): Promise<Leaderboard> {
  const { communityId, role, me, now, period } = scope;
  const [frame] = await sql.unsafe<[Frame]>(FRAME, [communityId, me], { prepare: true });
  const { state, since, members, pending, leaders } = frame;
  const { board, season } =
    period === 'season'
      ? await readSeasonBoard(sql, scope, state)
      : { board: await readBoardIn(sql, frame, { communityId, role, me, now, period, top: BOARD_TOP }), season: null };
  const stands = state === 'frozen' && season?.state !== 'frozen';
  return {
    scope: 'community',
    communityId,
    period,
    season,
    state,
    asOf: (stands ? since : now).toISOString(),
    members,
    ...shown(board),
    pendingPoints: pending,
    leaders,
  };
}

/** A board's fields beside its rows. */
type Frame = { state: BoardState; since: Date; members: number; pending: number; leaders: string[] };
const FRAME = `
  select board_state as state, board_since as since, members, ${pendingText('$2', '$1')} as pending,
    ${namesText('$1', ['leader'])} as leaders
  from communities where id = $1`;

const shown = ({ top, around, me }: BoardView) => ({ top, around, me });

async function readSeasonBoard(
  sql: TransactionSql,
  { communityId, role, me, now, seasonId }: BoardCaller & { seasonId?: string | undefined },
  state: BoardState,
): Promise<{ board: BoardView; season: SeasonSummary }> {
  const [row] =
    seasonId !== undefined && !isId(seasonId)
      ? []
      : await sql<SummaryRow[]>`
          select ${summaryColumnsOf(sql)} from seasons s
          where s.community_id = ${communityId} and s.started_at is not null
            ${seasonId === undefined ? sql`` : sql`and s.id = ${seasonId}`}
          order by s.frozen_at is null desc, s.ends_at desc limit 1`;
  if (!row) throw noSeason();
  const wanted = { me, top: BOARD_TOP };
  let board: BoardView = NOBODY;
  if (state !== 'hidden' || role === 'leader') {
    const live = { ...wanted, communityId, period: 'season', seasonId: row.id } as const;
    if (row.frozenAt) board = await readResults(sql, live);
    else board = await (state === 'frozen' ? readFrozen : readBoard)(sql, live);
  }
  return { board, season: summaryOf(row, now) };
}

/** The board of the whole instance: what was earned in communities that count there, by leaders too. `sql`: one snapshot. */
export async function readInstanceBoard(
  sql: TransactionSql,
  { period, me, now }: { period: CalendarPeriod; me: string; now: Date },
): Promise<Leaderboard> {
  const [board, pending] = await Promise.all([
    readBoard(sql, { communityId: INSTANCE, period, at: now, me, top: BOARD_TOP }),
    pendingPoints(sql, me),
  ]);
  return {
    scope: 'instance',
    communityId: null,
    period,
    season: null,
    state: 'open',
    asOf: now.toISOString(),
    members: board.ranked,
    ...shown(board),
    pendingPoints: pending,
    leaders: [],
  };
}
