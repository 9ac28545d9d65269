import { afterAll, beforeAll, expect, it } from 'vitest';
import { INSTANCE } from '../../server/features/ledger/record.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

/** Counters that are not those of the standings: of every board, level and bucket. */
const wrong = () => db.sql`
  select * from (
    select community_id, period, l.lvl::smallint as lvl, points >> (6 * l.lvl) as bucket, count(*)::integer as counted
    from standings cross join generate_series(0, 3) as l (lvl) where competes and points > 0 group by 1, 2, 3, 4
  ) counted full join (select * from hist where cnt <> 0) kept using (community_id, period, lvl, bucket)
  where counted is distinct from cnt`;
/** Ranks and ties from the counters that are not those of a count. */
const misplaced = () => db.sql`
  select * from (
    select s.period, s.points, p.*,
      rank() over (partition by community_id, period order by points desc) as true_rank,
      count(*) over (partition by community_id, period, points) as true_tied,
      count(*) over (partition by community_id, period) as true_ranked
    from standings s cross join lateral board_place(board, span, since, points) p
    where competes and points > 0) placed
  where (rank, tied, ranked) is distinct from (true_rank, true_tied, true_ranked)`;

it('counters are those of a count, of small scores and of the largest there are, however rows are written', async () => {
  const { sql } = db;
  const users = await sql<{ id: string }[]>`
    insert into users (telegram_user_id, display_name) select n, 'Person ' || n from generate_series(1, 400) n returning id`;
  const [place] = await sql<[{ id: string }]>`
    insert into communities (slug, name, created_by) values ('here', 'Here', ${users[0]?.id ?? ''}) returning id`;
  // From 1 to 2³¹ - 1, some of them tied: each level has buckets of several blocks, the widest one too.
  const scores = users.map((_, at) =>
    at % 7 === 0 ? 63 + (at % 3) : Math.max(1, Math.floor(2 ** ((at * 31) / 399)) - 1),
  );
  await sql`
    insert into scores (community_id, user_id, points, reached_at, day, day_points)
    select place, id, points, '2026-11-20T10:00:00Z', '2026-11-20', points
    from unnest(${users.map(({ id }) => id)}::uuid[], ${scores}::integer[]) as person (id, points)
    cross join unnest(${[place.id, INSTANCE]}::uuid[]) place`;
  expect((await sql`select from hist where cnt <> 0`).length).toBeGreaterThan(1_000);
  expect(await wrong()).toEqual([]);
  expect(await misplaced()).toEqual([]);

  await sql`update scores set points = points / 2 + 1, day = '2026-11-21', day_points = 5 where points % 2 = 0`;
  await sql`update scores set competes = false where points % 5 = 0`;
  await sql`delete from scores where points % 11 = 0`;
  expect(await wrong()).toEqual([]);
  expect(await misplaced()).toEqual([]);
  expect(await sql`select from hist where cnt < 0`).toEqual([]);
});

it('a change that moves nobody writes no counter', async () => {
  const { sql } = db;
  const before = await sql`select board, slot, xmin::text from counters order by 1, 2`;
  await sql`update scores set reached_at = reached_at + interval '1 second', display_name = 'Another'`;
  expect(await sql`select board, slot, xmin::text from counters order by 1, 2`).toEqual(before);
});
