import type { ISql } from 'postgres';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BoardRow, BoardState } from '../../server/contract/boards.ts';
import { BOARD_AROUND_ME, BOARD_TOP } from '../../server/contract/limits.ts';
import { recordPoints } from '../../server/features/awards/record.ts';
import { type BoardView, readBoard, readShownBoard } from '../../server/features/boards/board.ts';
import { setBoardState } from '../../server/features/boards/state.ts';
import { joinCommunity, leaveCommunity } from '../../server/features/communities/membership.ts';
import type { LiveBoard } from '../../server/features/ledger/standings.ts';
import { createTestDatabase } from '../support/database.ts';
import { type StagedCommunity, stage } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';

const NOON = new Date('2026-11-21T12:00:00Z');
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

let place: StagedCommunity;
let members: string[];
const db = await ofFile(createTestDatabase());
const on = stage(db.sql);

beforeEach(async () => {
  place = await on.community();
  members = await Promise.all(['Anna', 'Ben', 'Cleo'].map((name) => on.member(place.id, name)));
  await give(0, 30);
  await give(1, 20);
  await give(2, 10);
});

const event = (who: number, points: number) =>
  ({ communityId: place.id, userId: members[who] ?? '', kind: 'adjust', points, actorId: null }) as const;
const give = (who: number, points: number, at = NOON) =>
  db.sql.begin((tx) => recordPoints(tx, at, [event(who, points)]));
const names = ({ top }: Pick<BoardView, 'top'>) => top.map((row) => `${row.rank} ${row.displayName} ${row.points}`);
const board = (period: 'all' | 'today' | 'week' | 'month' = 'all', at = NOON): LiveBoard => ({
  communityId: place.id,
  period,
  at,
});
const wanted = (me: number | null = null) => ({ me: me === null ? null : (members[me] ?? ''), top: BOARD_TOP });

const shown = async (of: LiveBoard = board(), sql: ISql = db.sql): Promise<string[]> =>
  names(await readBoard(sql, { ...of, ...wanted() }));

const plain = ({ rank, userId, points, me }: BoardRow) => ({ rank, userId, points, me });

/** A board as the plainest SQL gives it. */
async function counted(me: string, top: number) {
  const found = await db.sql<{ rank: number; userId: string; points: number }[]>`
    select rank() over (order by points desc)::int as rank, user_id as "userId", points from scores
    where community_id = ${place.id} and competes and points > 0 order by points desc, reached_at, user_id`;
  const rows = found.map((row) => ({ ...row, me: row.userId === me }));
  const mine = rows.findIndex((row) => row.me);
  const from = Math.max(0, Math.min(mine - BOARD_AROUND_ME / 2, rows.length - 1 - BOARD_AROUND_ME));
  return { top: rows.slice(0, top), around: rows.slice(from, from + 1 + BOARD_AROUND_ME), ranked: rows.length };
}

/** The database, and how many statements of text were sent to it. */
function counting(): { sql: ISql; sent(): number } {
  let sent = 0;
  const unsafe = (...given: Parameters<typeof db.sql.unsafe>) => {
    sent += 1;
    return db.sql.unsafe(...given);
  };
  return { sql: { unsafe } as ISql, sent: () => sent };
}

describe('a live board', () => {
  it.each([
    ['close together', (n: number) => 1 + ((n * n) % 40)],
    ['far apart', (n: number) => 1 + ((n * 7919) % 100_000)],
    ['with ties among few', (n: number) => 1 + 64 * (n % 50) + (n % 3)],
    ['on both sides of a bucket', (n: number) => (n < 12 ? 250 + n : 256 * 3 - 6 + ((n * n) % 12))],
    ['of all sizes', (n: number) => Math.floor(2 ** ((n * 23) / 130))],
  ])('that is long shows each member what a count gives, in one statement: scores %s', async (_, score) => {
    const more = await Promise.all(Array.from({ length: 130 }, (_, n) => on.member(place.id, `Member ${n}`)));
    await db.sql.begin((tx) =>
      recordPoints(
        tx,
        NOON,
        more.map((userId, n) => ({ ...event(0, score(n)), userId })),
      ),
    );
    const { sql, sent } = counting();
    for (const me of [...members, ...more]) {
      for (const top of [BOARD_TOP, 3]) {
        const before = sent();
        const mine = await readBoard(sql, { ...board(), me, top });
        expect({ top: mine.top.map(plain), around: mine.around.map(plain), ranked: mine.ranked }).toEqual(
          await counted(me, top),
        );
        expect(mine.around).toHaveLength(BOARD_AROUND_ME + 1);
        // One statement, wherever on the board and among whichever ties.
        expect(sent() - before).toBe(1);
      }
    }
    // And so it is when people have gone far up, past many buckets.
    await db.sql.begin((tx) =>
      recordPoints(
        tx,
        NOON,
        [0, 1, 2].map((who) => event(who, 3_000 * 40 ** who)),
      ),
    );
    for (const me of more.slice(0, 20)) {
      const { around } = await readBoard(db.sql, { ...board(), me, top: 3 });
      expect(around.map(plain)).toEqual((await counted(me, 3)).around);
    }
  });

  it('follows points, names, roles and who comes and goes', async () => {
    const all = ['1 Anna 30', '2 Ben 20', '3 Cleo 10'];
    expect(await shown()).toEqual(all);
    await give(2, 25, later(1));
    expect(await shown()).toEqual(['1 Cleo 35', '2 Anna 30', '3 Ben 20']);
    await give(2, -25, later(2));
    expect(await shown()).toEqual(all);
    await db.sql`update users set display_name = 'Annika' where id = ${members[0] ?? ''}`;
    expect(await shown()).toEqual(['1 Annika 30', '2 Ben 20', '3 Cleo 10']);
    const ben = { communityId: place.id, userId: members[1] ?? '', now: NOON };
    await db.sql.begin((tx) => leaveCommunity(tx, ben));
    expect(await shown()).toEqual(['1 Annika 30', '2 Cleo 10']);
    await db.sql.begin((tx) => joinCommunity(tx, ben));
    expect(await shown()).toEqual(['1 Annika 30', '2 Ben 20', '3 Cleo 10']);
    await db.sql`
      update community_members set role = 'leader' where community_id = ${place.id} and user_id = ${members[0] ?? ''}`;
    expect(await shown()).toEqual(['1 Ben 20', '2 Cleo 10']);
    await db.sql`delete from community_members where community_id = ${place.id} and user_id = ${members[1] ?? ''}`;
    expect(await shown()).toEqual(['1 Cleo 10']);
    await db.sql`delete from scores where user_id = ${members[2] ?? ''}`;
    expect(await shown()).toEqual([]);
  });

  it('is that of its day, week and month: at midnight nobody stands on a new one', async () => {
    const [lastMinute, midnight] = [new Date('2026-11-30T23:59:59Z'), new Date('2026-12-01T00:00:00Z')];
    await give(0, 1, lastMinute);
    for (const period of ['today', 'month'] as const) {
      expect((await shown(board(period, lastMinute)))[0], period).toMatch(/^1 Anna/);
      expect(await shown(board(period, midnight)), period).toEqual([]);
    }
    expect(await shown(board('week', lastMinute))).toEqual(['1 Anna 1']);
    expect(await shown(board('week', midnight))).toEqual(['1 Anna 1']);
    await give(1, 2, midnight);
    expect(await shown(board('today', midnight))).toEqual(['1 Ben 2']);
    expect(await shown(board('today', lastMinute))).toEqual(['1 Anna 1']);
    expect(await shown(board('week', midnight))).toEqual(['1 Ben 2', '2 Anna 1']);
  });

  it('is hidden and frozen as its community wants', async () => {
    const set = (state: BoardState) =>
      db.sql.begin((tx) => setBoardState(tx, { communityId: place.id, userId: place.leader, state, now: later(1) }));
    const seen = async () => {
      const asked = { communityId: place.id, period: 'all', role: 'member', now: later(2), ...wanted(0) } as const;
      return names(await readShownBoard(db.sql, asked));
    };
    const all = ['1 Anna 30', '2 Ben 20', '3 Cleo 10'];
    expect(await seen()).toEqual(all);
    await set('hidden');
    expect(await seen()).toEqual([]);
    await set('frozen');
    await give(2, 50);
    expect(await seen()).toEqual(all);
    await set('open');
    expect(await seen()).toEqual(['1 Cleo 60', '2 Anna 30', '3 Ben 20']);
  });

  it('of a season counts what lies in it', async () => {
    const start = async (from: string, to: string) => {
      const [row] = await db.sql<[{ id: string }]>`
        insert into seasons (community_id, name, started_at, ends_at, grace_hours, created_by)
        values (${place.id}, 'One', ${from}, ${to}, 0, ${place.leader}) returning id`;
      return { communityId: place.id, period: 'season', seasonId: row.id } as const;
    };
    const autumn = await start('2026-11-01', '2026-12-01');
    await give(0, 5);
    expect(await shown(autumn)).toEqual(['1 Anna 5']);
    await db.sql`update seasons set frozen_at = '2026-12-01' where id = ${autumn.seasonId}`;
    const winter = await start('2026-12-01', '2027-01-01');
    expect(await shown(winter)).toEqual([]);
    await give(0, 7, new Date('2026-12-02T12:00:00Z'));
    await give(1, 9, new Date('2026-12-02T12:00:00Z'));
    expect(await shown(winter)).toEqual(['1 Ben 9', '2 Anna 7']);
    expect(await shown(autumn)).toEqual([]);
  });

  it('does not outlive a transaction that was undone', async () => {
    const undone = new Error('undone');
    const before = await shown();
    const written = db.sql.begin(async (tx) => {
      await recordPoints(tx, NOON, [event(2, 100)]);
      expect(names(await readBoard(tx, { ...board(), ...wanted() }))[0]).toBe('1 Cleo 110');
      await tx
        .savepoint(async (inner) => {
          await recordPoints(inner, NOON, [event(1, 500)]);
          expect(names(await readBoard(inner, { ...board(), ...wanted() }))[0]).toBe('1 Ben 520');
          throw undone;
        })
        .catch(() => {});
      expect(names(await readBoard(tx, { ...board(), ...wanted() }))[0]).toBe('1 Cleo 110');
      throw undone;
    });
    await expect(written).rejects.toBe(undone);
    expect(await shown()).toEqual(before);
    await give(1, 1);
    expect(await shown()).toEqual(['1 Anna 30', '2 Ben 21', '3 Cleo 10']);
  });

  it('is of the moment that the reader looks at', async () => {
    await db.sql.begin('isolation level repeatable read read only', async (snapshot) => {
      const before = names(await readBoard(snapshot, { ...board(), ...wanted() }));
      await give(2, 100);
      expect((await shown())[0]).toBe('1 Cleo 110');
      expect(names(await readBoard(snapshot, { ...board(), ...wanted() }))).toEqual(before);
    });
    expect((await shown())[0]).toBe('1 Cleo 110');
  });

  it('is what a count gives in the same moment, while two write and two read', async () => {
    let writing = true;
    const writers = [0, 1].map(async (turn) => {
      for (let count = 0; count < 60; count += 1) await give((turn + count) % 3, 1 + ((count * 7 + turn) % 11));
    });
    const readers = [0, 1].map(async () => {
      let reads = 0;
      while (writing) {
        await db.sql.begin('isolation level repeatable read read only', async (snapshot) => {
          const { top } = await readBoard(snapshot, { ...board(), ...wanted() });
          const counted = await snapshot`
            select rank() over (order by sum(points) desc)::int as rank, user_id as "userId", sum(points)::int as points
            from point_events where community_id = ${place.id} group by user_id order by points desc`;
          expect(top.map(({ rank, points }) => ({ rank, points }))).toEqual(
            counted.map(({ rank, points }) => ({ rank, points })),
          );
        });
        reads += 1;
      }
      return reads;
    });
    await Promise.all(writers);
    writing = false;
    for (const reads of await Promise.all(readers)) expect(reads).toBeGreaterThan(0);
  });
});
