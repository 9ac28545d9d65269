import { describe, expect, it } from 'vitest';
import { BOARD_AROUND_ME } from '../../server/contract/limits.ts';
import { recordPoints } from '../../server/features/awards/record.ts';
import { pendingPoints, readBoard } from '../../server/features/boards/board.ts';
import { readInstanceBoard, readLeaderboard } from '../../server/features/boards/leaderboard.ts';
import { INSTANCE } from '../../server/features/ledger/record.ts';
import { connectTo } from '../../server/storage/connect.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';

const MEMBERS = 100_000;
const NOW = new Date('2026-11-21T12:00:00Z');

/** Statements as the product sends them, with their parameters. */
const sent: { query: string; parameters: unknown[] }[] = [];

const db = await ofFile(createTestDatabase());
const place = await stage(db.sql).community();
await db.sql`
  insert into users (telegram_user_id, display_name) select 8000000 + n, 'Person ' || n from generate_series(1, ${MEMBERS}) n`;
const [season] = await db.sql<[{ id: string }]>`
  insert into seasons (community_id, name, started_at, ends_at, frozen_at, created_by)
  values (${place.id}, 'Autumn', '2026-10-01', '2026-11-01', '2026-11-03', ${place.leader}) returning id`;
const seasonId = season.id;
await db.sql.begin(async (tx) => {
  // Each row would follow the membership on its own; here all are written as they end up.
  await tx`alter table community_members disable trigger community_members_compete`;
  await tx`
    insert into community_members (community_id, user_id)
    select ${place.id}, id from users where telegram_user_id between 8000001 and ${8_000_000 + MEMBERS}`;
  await tx`alter table community_members enable trigger community_members_compete`;
});
// A third of them tie at one score
await db.sql`
  insert into scores (community_id, user_id, points, reached_at, day, day_points, week, week_points)
  select community, person.id, points, at, '2026-11-20', points, '2026-11-16', points
  from unnest(${[place.id, INSTANCE]}::uuid[]) community
  cross join (
    select id, ${NOW}::timestamptz - make_interval(secs => telegram_user_id % 100000) as at,
      (case when telegram_user_id % 3 = 0 then 50 else 1 + (telegram_user_id * 7919) % 40000 end)::int as points
    from users where telegram_user_id > 8000000) person`;
await db.sql`
  insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day)
  select ${place.id}, ${await stage(db.sql).task(place)}, id, 'once', case when telegram_user_id % 5 = 0 then 'submitted' else 'approved' end,
    5, ${NOW}, '2026-11-21' from users where telegram_user_id between 8000001 and 8020000`;
await db.sql`
  insert into season_results (community_id, season_id, user_id, rank, points, reached_at)
  select community_id, ${seasonId}, user_id, rank() over (order by points desc), points, reached_at
  from standings where community_id = ${place.id} and period = 'all'`;
const [person] = await db.sql<[{ id: string }]>`
  select user_id as id from standings where community_id = ${place.id} and period = 'all' and points = 50
  order by reached_at offset 20000 limit 1`;
const me = person.id;
await db.sql`analyze`;

const UNDO = new Error('undone');

/** Every statement that `read` sends, explained, and those of functions that it calls: none may read a long table from end to end. */
async function plansOf(read: (sql: TestDatabase['sql']) => Promise<unknown>): Promise<string[]> {
  sent.length = 0;
  const watched = connectTo(db.url, {
    max: 1,
    debug: (_connection, query, parameters) => sent.push({ query, parameters }),
  });
  try {
    await read(watched);
  } finally {
    await watched.end();
  }
  const plans: string[] = [];
  const explainer = connectTo(db.url, {
    max: 1,
    onnotice: ({ message = '' }) => {
      if (!/^Query Text: explain/m.test(message)) plans.push(message);
    },
  });
  await explainer.unsafe(`load 'auto_explain'`);
  const asked = sent.filter((one) => /select/i.test(one.query) && !/pg_type/.test(one.query));
  // As planned for these parameters, and as planned once for all; one after the other, and then all undone.
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    const played = explainer.begin(async (tx) => {
      await tx`
        select set_config('plan_cache_mode', ${mode}, true), set_config('client_min_messages', 'log', true),
          set_config('auto_explain.log_nested_statements', 'on', true), set_config('auto_explain.log_min_duration', '0', true),
          set_config('auto_explain.log_analyze', 'on', true), set_config('auto_explain.log_timing', 'off', true)`;
      for (const { query, parameters } of asked) {
        const rows = await tx.unsafe(`explain (analyze, costs off, timing off) ${query}`, parameters as never[]);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      }
      throw UNDO;
    });
    await expect(played).rejects.toBe(UNDO);
  }
  await explainer.end();
  return plans;
}
const LONG =
  /Seq Scan on (scores|frozen_boards|score_counts|users|community_members|season_results|claims|point_events)\b/;

describe(`a board of ${MEMBERS} members is read by its indexes alone`, () => {
  const boards: [string, (sql: TestDatabase['sql']) => Promise<unknown>][] = [
    ...(['all', 'week', 'season'] as const).map((period): [string, (sql: TestDatabase['sql']) => Promise<unknown>] => [
      `of a community: ${period}`,
      (sql) => sql.begin((tx) => readLeaderboard(tx, { communityId: place.id, role: null, me, now: NOW, period })),
    ]),
    ['of the instance', (sql) => sql.begin((tx) => readInstanceBoard(tx, { period: 'week', me, now: NOW }))],
  ];
  it.each(boards)('%s', async (board, read) => {
    const plans = await plansOf(read);
    expect(plans.length).toBeGreaterThan(0);
    if (!/season/.test(board)) {
      expect(plans.some((plan) => /Index Scan using scores_/.test(plan))).toBe(true);
      expect(plans.some((plan) => /using score_counts_pkey/.test(plan))).toBe(true);
    }
    for (const plan of plans) {
      expect(plan).not.toMatch(LONG);
      // Nor does any step grow with the board: a third of all tie, and I stand among them.
      const rows = [...plan.matchAll(/rows=([\d.]+) loops/g)].map((match) => Number(match[1]));
      expect(Math.max(...rows), plan).toBeLessThanOrEqual(1_000);
    }
  });

  it('and what waits of a member is looked up as theirs, however much waits here and wherever', async () => {
    const plans = await plansOf((sql) => pendingPoints(sql, me));
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).toMatch(/using claims_open on claims c .*\n\s+Index Cond: \(user_id/);
  });

  it('and points are written by keys', async () => {
    const event = { communityId: place.id, userId: me, kind: 'adjust', points: 0, actorId: null } as const;
    const plans = await plansOf((sql) =>
      sql.begin((tx) => recordPoints(tx, NOW, [{ ...event, kind: 'reverse' }, event])),
    );
    expect(plans.some((plan) => /Update on scores/.test(plan))).toBe(true);
    for (const plan of plans) expect(plan).not.toMatch(LONG);
  });

  it('ranks exactly, also in the middle of a tie', async () => {
    const board = await db.sql.begin((tx) =>
      readLeaderboard(tx, { communityId: place.id, role: null, me, now: NOW, period: 'all' }),
    );
    const [row] = await db.sql<[{ rank: number }]>`
      select 1 + count(*)::int as rank from standings where community_id = ${place.id} and period = 'all' and points > 50`;
    expect(board.me).toMatchObject({ rank: row.rank, points: 50 });
    expect(board.around).toHaveLength(11);
    expect(board.members).toBe(MEMBERS + 2);
  });

  it('ranks each member as a count does, wherever they stand', async () => {
    const people = await db.sql<{ rank: number; userId: string; place: number }[]>`
      select rank() over (order by points desc)::int as rank, user_id as "userId",
        row_number() over (order by points desc, reached_at, user_id)::int as place
      from standings where community_id = ${place.id} and period = 'all' order by place`;
    const asked = people.filter(({ place: at }) => at % 997 === 0 || at < 70 || at > people.length - 8);
    expect(asked.length).toBeGreaterThan(150);
    for (const { userId, place: at } of asked) {
      const board = await readBoard(db.sql, { communityId: place.id, period: 'all', at: NOW, me: userId, top: 50 });
      const from = Math.max(0, Math.min(at - 1 - BOARD_AROUND_ME / 2, people.length - 1 - BOARD_AROUND_ME));
      const around = people.slice(from, from + 1 + BOARD_AROUND_ME);
      expect(board.around.map(({ rank, userId: id, me: mine }) => ({ rank, userId: id, mine }))).toEqual(
        around.map(({ rank, userId: id }) => ({ rank, userId: id, mine: id === userId })),
      );
      expect(board.top.map((row) => row.me).indexOf(true)).toBe(at <= 50 ? at - 1 : -1);
      expect(board.ranked).toBe(people.length);
    }
  });
});
