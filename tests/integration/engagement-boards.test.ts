import { describe, expect, it } from 'vitest';
import type { BoardRow } from '../../server/contract/boards.ts';
import { BOARD_AROUND_ME, BOARD_TOP } from '../../server/contract/limits.ts';
import { readBoard } from '../../server/features/boards/board.ts';
import { readInstanceBoard, readLeaderboard } from '../../server/features/boards/leaderboard.ts';
import { joinCommunity, leaveCommunity } from '../../server/features/communities/membership.ts';
import { createTestDatabase } from '../support/database.ts';
import { mismatches, type StagedCommunity, stage } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';

const db = await ofFile(createTestDatabase());
const on = stage(db.sql);

const NOON = new Date('2026-11-21T12:00:00Z');
const at = (minute: number) => new Date(NOON.getTime() + minute * 60_000);

/** The board as the plainest SQL gives it, from the ledger alone. */
async function oracle(communityId: string): Promise<{ rank: number; userId: string; points: number }[]> {
  const rows = await db.sql<{ rank: number; userId: string; points: number }[]>`
    select rank() over (order by points desc)::int as rank, "userId", points from (
      select e.user_id as "userId", sum(e.points)::int as points, max(e.at) filter (where e.points <> 0) as reached
      from point_events e
      join community_members m on m.community_id = e.community_id and m.user_id = e.user_id and m.role <> 'leader'
      where e.community_id = ${communityId} group by e.user_id
    ) totals where points > 0 order by points desc, reached, "userId"`;
  return [...rows];
}
const plain = (rows: readonly BoardRow[]) => rows.map(({ rank, userId, points }) => ({ rank, userId, points }));

/** Puts points on a board through the ledger, one award each. */
async function score(place: StagedCommunity, userId: string, points: number, when: Date): Promise<void> {
  await on.claim(place, await on.task(place, { points }), userId, { now: when });
}
const board = (place: StagedCommunity, me: string | null = null, top = BOARD_TOP) =>
  readBoard(db.sql, { communityId: place.id, period: 'all', at: NOON, me, top });

describe('the order of a board', () => {
  it('is points, then who got there first; ties share a rank', async () => {
    const place = await on.community();
    const [anna, ben, cleo, dag] = await Promise.all(
      ['Anna', 'Ben', 'Cleo', 'Dag'].map((name) => on.member(place.id, name)),
    );
    await score(place, ben!, 10, at(1));
    await score(place, cleo!, 20, at(2));
    await score(place, ben!, 10, at(3));
    await score(place, dag!, 5, at(0));
    await score(place, anna!, 30, at(4));
    const { top } = await board(place);
    expect(top.map((row) => [row.rank, row.displayName, row.points])).toEqual([
      [1, 'Anna', 30],
      [2, 'Cleo', 20],
      [2, 'Ben', 20],
      [4, 'Dag', 5],
    ]);
    expect(top[2]?.reachedAt).toBe(at(3).toISOString());
  });

  it('falls back on the id when even the moment is the same, and never wavers', async () => {
    const place = await on.community();
    const members = await Promise.all(Array.from({ length: 6 }, () => on.member(place.id)));
    const task = await on.task(place);
    await Promise.all(members.map((member) => on.claim(place, task, member, { now: NOON })));
    const first = await board(place, members[3]);
    expect(first.top.map((row) => row.userId)).toEqual([...members].sort());
    expect(first.top.map((row) => row.rank)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(first.around).toEqual(first.top);
  });

  it('leaves out leaders, who has no points, and who left; who comes back has them again', async () => {
    const place = await on.community();
    const [first, second, third] = await Promise.all(['A', 'B', 'C'].map((name) => on.member(place.id, name)));
    await score(place, first!, 30, at(1));
    await score(place, second!, 20, at(2));
    await score(place, third!, 0, at(3));
    const names = async () => (await board(place)).top.map((row) => [row.rank, row.displayName]);
    expect(await names()).toEqual([
      [1, 'A'],
      [2, 'B'],
    ]);
    const leaving = await db.sql.begin((sql) =>
      leaveCommunity(sql, { communityId: place.id, userId: first!, now: NOON }),
    );
    expect(leaving.role).toBe(null);
    expect(await names()).toEqual([[1, 'B']]);
    await db.sql.begin((sql) => joinCommunity(sql, { communityId: place.id, userId: first!, now: NOON }));
    expect(await names()).toEqual([
      [1, 'A'],
      [2, 'B'],
    ]);
    await db.sql`update community_members set role = 'leader' where community_id = ${place.id} and user_id = ${first!}`;
    expect(await names()).toEqual([[1, 'B']]);
    expect((await board(place, first!)).me).toBe(null);
    expect(await mismatches(db.sql, place.id)).toEqual([]);
  });
});

describe('a leaderboard', () => {
  it('of each period holds what was awarded in it, by the UTC calendar', async () => {
    const place = await on.community();
    const member = await on.member(place.id);
    for (const [points, when] of [
      [1, '2026-10-31T23:59:59Z'],
      [2, '2026-11-01T00:00:00Z'],
      [4, '2026-11-16T00:00:00Z'],
      [8, '2026-11-20T23:59:59Z'],
      [16, '2026-11-21T00:00:00Z'],
    ] as const) {
      await score(place, member, points, new Date(when));
    }
    const points = async (period: 'today' | 'week' | 'month' | 'all') => {
      const asked = { communityId: place.id, role: null, period, me: member, now: NOON };
      return (await db.sql.begin((sql) => readLeaderboard(sql, asked))).me?.points;
    };
    expect([await points('today'), await points('week'), await points('month'), await points('all')]).toEqual([
      16, 28, 30, 31,
    ]);
  });

  it('shows my pending points apart from my total, and who leads', async () => {
    const place = await on.community();
    const member = await on.member(place.id);
    await score(place, member, 10, NOON);
    const task = await on.task(place, { kind: 'submit_text', points: 35 });
    await on.claim(place, task, member, { text: 'my words', now: NOON });
    const asked = { communityId: place.id, role: null, period: 'all', now: NOON } as const;
    const mine = await db.sql.begin((sql) => readLeaderboard(sql, { ...asked, me: member }));
    expect(mine).toMatchObject({ pendingPoints: 35, me: { points: 10, rank: 1, me: true }, members: 3 });
    expect(mine.leaders).toHaveLength(1);
    expect(mine.asOf).toBe(NOON.toISOString());
    const signedOut = await db.sql.begin((sql) => readLeaderboard(sql, { ...asked, me: null }));
    expect(signedOut).toMatchObject({ pendingPoints: 0, me: null, around: [] });
    expect(signedOut.top).toHaveLength(1);
  });

  it('counts as pending what waits, is being checked or was sent back, and nothing that was decided', async () => {
    const place = await on.community();
    const member = await on.member(place.id);
    const states = { submitted: 1, checking: 2, changes_requested: 4, approved: 8, rejected: 16, reversed: 32 };
    for (const [state, points] of Object.entries(states)) {
      const task = await on.task(place, { kind: 'submit_text', points });
      const claim = await on.claim(place, task, member, { text: state, now: NOON });
      await db.sql`update claims set state = ${state} where id = ${claim.id}`;
    }
    const asked = { communityId: place.id, role: null, period: 'all', now: NOON, me: member } as const;
    expect((await db.sql.begin((sql) => readLeaderboard(sql, asked))).pendingPoints).toBe(1 + 2 + 4);
  });

  it('holds on the instance’s board what waits in public communities: nothing else comes to stand on it', async () => {
    const [place, closed] = [await on.community(), await on.community('private')];
    const member = await on.member(place.id);
    await on.join(closed.id, member);
    for (const [where, points] of [
      [place, 35],
      [closed, 80],
    ] as const) {
      const task = await on.task(where, { kind: 'submit_text', points });
      const claim = await on.claim(where, task, member, { text: 'my words', now: NOON });
      if (where === closed) await on.approve(closed, claim.id, closed.moderator, NOON);
      await on.claim(where, await on.task(where, { kind: 'submit_text', points }), member, { text: 'more', now: NOON });
    }
    const mine = await db.sql.begin((sql) => readInstanceBoard(sql, { period: 'all', me: member, now: NOON }));
    expect(mine).toMatchObject({ pendingPoints: 70, me: null });
  });

  it('of a community is nothing of another’s', async () => {
    const [place, other] = [await on.community(), await on.community()];
    const member = await on.member(place.id);
    await on.join(other.id, member);
    await score(place, member, 10, NOON);
    expect((await board(other, member)).top).toEqual([]);
    expect((await board(other, member)).me).toBe(null);
  });
});

describe('my neighbourhood', () => {
  it('is mine wherever I stand: five on each side, more where the board ends, ranks as on the whole board', async () => {
    const place = await on.community();
    const members = await Promise.all(Array.from({ length: 70 }, () => on.member(place.id)));
    const tasks = new Map<number, string>();
    for (const [index, member] of members.entries()) {
      // Ties of many sizes, one of them longer than the neighbourhood
      const points = index < 25 ? 100 : 1 + ((index * 7) % 13);
      if (!tasks.has(points)) tasks.set(points, await on.task(place, { points }));
      await on.claim(place, tasks.get(points) ?? '', member, { now: at(index % 5) });
    }
    const whole = await oracle(place.id);
    expect(whole).toHaveLength(70);
    for (const [index, { userId }] of whole.entries()) {
      const { around, me, ranked, top } = await board(place, userId);
      const from = Math.max(0, Math.min(index - BOARD_AROUND_ME / 2, whole.length - 1 - BOARD_AROUND_ME));
      expect(plain(around)).toEqual(whole.slice(from, from + BOARD_AROUND_ME + 1));
      expect(me).toMatchObject({ userId, rank: whole[index]?.rank, me: true });
      expect(ranked).toBe(70);
      expect(plain(top)).toEqual(whole.slice(0, BOARD_TOP));
    }
  });
});
