import type { ISql, TransactionSql } from 'postgres';
import type { BoardState } from '../../contract/boards.ts';
import { audit } from '../audit/audit.ts';
import { lockCommunity } from '../ledger/lock.ts';
import { boardId, boardKey, boardRows, type LiveBoard } from '../ledger/standings.ts';

export async function readBoardState(sql: ISql, communityId: string): Promise<{ state: BoardState; since: Date }> {
  const [row] = await sql<{ state: BoardState; since: Date }[]>`
    select board_state as state, board_since as since from communities where id = ${communityId}`;
  if (!row) throw new Error(`community ${communityId} is gone`);
  return row;
}

/**
 * Shows, hides or freezes a community's boards. A frozen board is a copy of each current period with its ranks; points
 * still count and appear when it is unfrozen.
 */
export async function setBoardState(
  tx: TransactionSql,
  scope: { communityId: string; userId: string; state: BoardState; now: Date },
): Promise<{ state: BoardState; since: Date }> {
  const { communityId, userId, state, now } = scope;
  await lockCommunity(tx, communityId);
  const old = await readBoardState(tx, communityId);
  if (old.state === state) return old;
  if (old.state === 'frozen') await tx`delete from frozen_boards where community_id = ${communityId}`;
  if (state === 'frozen') await copyBoards(tx, communityId, now);
  await tx`update communities set board_state = ${state}, board_since = ${now} where id = ${communityId}`;
  const action = state === 'open' ? 'board.opened' : `board.${state}`;
  await audit(tx, { communityId, actorId: userId, action, at: now });
  return { state, since: now };
}

async function copyBoards(tx: TransactionSql, communityId: string, now: Date): Promise<void> {
  const seasons = await tx<{ id: string }[]>`
    select id from seasons where community_id = ${communityId} and started_at is not null and frozen_at is null`;
  const boards: LiveBoard[] = [
    ...(['all', 'today', 'week', 'month'] as const).map((period) => ({ communityId, period, at: now })),
    ...seasons.map(({ id }) => ({ communityId, period: 'season' as const, seasonId: id })),
  ];
  for (const board of boards) {
    const { board: of, period, since } = boardId(board);
    await tx.unsafe(
      `insert into frozen_boards (community_id, period, user_id, rank, points, reached_at, ranked)
      select $1::uuid, $2::text, user_id, rank() over (order by points desc), points, reached_at, count(*) over ()
      from (select $3::uuid as board, $4::date as since) id
      cross join lateral (${boardRows(period, 'id.board', 'id.since')}) standing`,
      [communityId, boardKey(board), of, since],
    );
  }
}
