import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readFrozen } from '../../server/features/boards/board.ts';
import { readDrift } from '../../server/features/ledger/drift.ts';
import { INSTANCE } from '../../server/features/ledger/record.ts';
import { type Migration, migrate } from '../../server/storage/migrate.ts';
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts';

const STEPS = ['spine', 'tasks_and_claims', 'boards_and_seasons', 'community_rooms', 'one_row_of_points'];
const upToIt: Migration[] = STEPS.map((name, index) => ({
  version: index + 1,
  name,
  text: readFileSync(join(import.meta.dirname, `../../server/storage/migrations/000${index + 1}_${name}.sql`), 'utf8'),
}));

let db: TestDatabase;
beforeAll(async () => {
  db = await createEmptyDatabase();
});
afterAll(() => db?.drop());

it('a database with a row for each board keeps every total, order and frozen board', async () => {
  const { sql } = db;
  await migrate(sql, upToIt.slice(0, -1));
  const users = await sql<{ id: string }[]>`
    insert into users (telegram_user_id, display_name) select n, 'Person ' || n from generate_series(1, 4) n returning id`;
  const [one = '', two = '', leader = '', three = ''] = users.map(({ id }) => id);
  const [place] = await sql<[{ id: string }]>`
    insert into communities (slug, name, created_by) values ('here', 'Here', ${leader}) returning id`;
  await sql`insert into community_members (community_id, user_id, role)
    values (${place.id}, ${one}, 'member'), (${place.id}, ${two}, 'member'), (${place.id}, ${leader}, 'leader'), (${place.id}, ${three}, 'member')`;
  const seasons = await sql<{ id: string }[]>`
    insert into seasons (community_id, name, started_at, ends_at, frozen_at, created_by) values
      (${place.id}, 'Old', '2026-01-01', '2026-02-01', '2026-02-03', ${leader}),
      (${place.id}, 'New', '2026-11-01', '2026-12-01', null, ${leader}) returning id`;
  const [old = '', present = ''] = seasons.map(({ id }) => id);
  const lines = [
    { user: one, points: 10, at: '2026-01-10T12:00:00Z', day: '2026-01-10', week: '2026-W02', season: old },
    { user: one, points: 5, at: '2026-11-20T12:00:00Z', day: '2026-11-20', week: '2026-W47', season: present },
    { user: one, points: 2, at: '2026-11-21T12:00:00Z', day: '2026-11-21', week: '2026-W47', season: present },
    { user: two, points: 10, at: '2026-01-11T12:00:00Z', day: '2026-01-11', week: '2026-W02', season: old },
    { user: two, points: 7, at: '2026-11-21T13:00:00Z', day: '2026-11-21', week: '2026-W47', season: present },
    { user: leader, points: 90, at: '2026-11-21T13:00:00Z', day: '2026-11-21', week: '2026-W47', season: present },
  ];
  for (const { user, points, at, day, week, season } of lines) {
    await sql`insert into point_events (community_id, user_id, kind, points, at, season_id)
      values (${place.id}, ${user}, 'adjust', ${points}, ${at}, ${season})`;
    const month = day.slice(0, 7);
    for (const community of [place.id, INSTANCE])
      for (const period of ['all', `day:${day}`, `week:${week}`, `month:${month}`, `season:${season}`])
        if (community !== INSTANCE || !period.startsWith('season'))
          await sql`
            insert into standings (community_id, period, user_id, points, reached_at, competes)
            values (${community}, ${period}, ${user}, ${points}, ${at}, ${community === INSTANCE || user !== leader})
            on conflict (community_id, period, user_id) do update
              set points = standings.points + excluded.points, reached_at = excluded.reached_at`;
  }
  await sql`
    insert into standings select community_id, 'frozen:' || period, user_id, points, reached_at, competes from standings
    where community_id = ${place.id} and period in ('all', 'week:2026-W47')`;

  expect(await migrate(sql, upToIt)).toBe(1);
  // And what every later release makes of it.
  await migrate(sql);

  expect(await readDrift(sql)).toEqual([]);
  const versions = await sql`select board from board_versions order by board`;
  expect(versions.map((row) => row['board'])).toEqual([INSTANCE, place.id]);
  const kept = await sql`
    select period, points, to_char(reached_at at time zone 'UTC', 'YYYY-MM-DD') as reached from standings
    where community_id = ${place.id} and user_id = ${one} order by period`;
  expect(kept.map((row) => ({ ...row }))).toEqual([
    { period: 'all', points: 17, reached: '2026-11-21' },
    { period: 'day:2026-11-21', points: 2, reached: '2026-11-21' },
    { period: 'month:2026-11', points: 7, reached: '2026-11-21' },
    { period: `season:${present}`, points: 7, reached: '2026-11-21' },
    { period: 'week:2026-W47', points: 7, reached: '2026-11-21' },
  ]);
  const frozen = await readFrozen(sql, {
    communityId: place.id,
    period: 'week',
    at: new Date('2026-11-21T20:00:00Z'),
    me: two,
    top: 5,
  });
  expect(frozen.ranked).toBe(2);
  expect(frozen.top.map(({ rank, userId, points }) => [rank, userId, points])).toEqual([
    [1, one, 7],
    [1, two, 7],
  ]);
  expect(frozen.me).toMatchObject({ rank: 1, points: 7 });
});
