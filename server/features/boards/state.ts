import type { ISql, TransactionSql } from 'postgres';
import type { BoardState } from '../../contract/boards.ts';
import { standingKeys } from '../../domain/periods.ts';
import { audit } from '../audit/audit.ts';
import { takeTurn } from '../ledger/turn.ts';

export async function readBoardState(sql: ISql, communityId: string): Promise<{ state: BoardState; since: Date }> {
  const [row] = await sql<{ state: BoardState; since: Date }[]>`
    select board_state as state, board_since as since from communities where id = ${communityId}`;
  if (!row) throw new Error(`community ${communityId} is gone`);
  return row;
}

/**
 * Shows, hides or freezes a community's boards. A frozen board is a copy of each present period under `frozen:`, so
 * that points go on being counted behind it and stand there when it is thawed.
 */
export async function setBoardState(
  tx: TransactionSql,
  asked: { communityId: string; userId: string; state: BoardState; now: Date },
): Promise<{ state: BoardState; since: Date }> {
  const { communityId, userId, state, now } = asked;
  await takeTurn(tx, communityId);
  const old = await readBoardState(tx, communityId);
  if (old.state === state) return old;
  if (old.state === 'frozen') {
    await tx`delete from standings where community_id = ${communityId} and starts_with(period, 'frozen:')`;
  }
  if (state === 'frozen') {
    await tx`
      insert into standings (community_id, period, user_id, points, reached_at, competes)
      select community_id, 'frozen:' || period, user_id, points, reached_at, competes from standings
      where community_id = ${communityId} and (period = any(${standingKeys(now)}) or period = (
        select 'season:' || id from seasons
        where community_id = ${communityId} and started_at is not null and frozen_at is null))`;
  }
  await tx`update communities set board_state = ${state}, board_since = ${now} where id = ${communityId}`;
  const action = state === 'open' ? 'board.opened' : `board.${state}`;
  await audit(tx, { communityId, actorId: userId, action, at: now });
  return { state, since: now };
}
