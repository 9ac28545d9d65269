// @ts-check
/**
 * A week of a league with 100,000 members: a week of their points is settled, and the groups of the next week are made, as the
 * job does it; then a member's group is read. `BENCH_MEMBERS=10000` takes another size.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from './instance.mjs';
import { builtParts } from './parts.mjs';

const MEMBERS = Number(process.env['BENCH_MEMBERS'] ?? 100_000);
const READS = 30;
const PARTS = [
  'server/features/leagues/weeks',
  'server/features/leagues/league',
  'server/storage/connect',
  'server/storage/embedded/embedded',
  'server/storage/migrate',
];
/** A Thursday: its week has groups. */
const FIRST = new Date('2026-03-05T00:00:00Z');
const NEXT = new Date('2026-03-12T00:00:00Z');

export async function measure() {
  const home = mkdtempSync(join(tmpdir(), 'muster-leagues-'));
  const parts = await builtParts(PARTS);
  const { startEmbedded } = await import(`${parts.at}/embedded.js`);
  const { connectTo } = await import(`${parts.at}/connect.js`);
  const { migrate } = await import(`${parts.at}/migrate.js`);
  const { turnLeagues } = await import(`${parts.at}/weeks.js`);
  const { readLeague } = await import(`${parts.at}/league.js`);
  const server = await startEmbedded({ home: join(home, 'postgres'), database: 'muster' });
  const sql = connectTo(server.url());
  try {
    await migrate(sql);
    const place = await fill(sql);
    /** @param {Date} now */
    const turn = async (now) => {
      const begun = performance.now();
      await turnLeagues({ sql, log: console, now: () => now });
      return (performance.now() - begun) / 1_000;
    };
    const first = await turn(FIRST);
    const both = await turn(NEXT);
    const [{ groups, placed, settled }] = await sql`
      select count(distinct group_no)::int as groups, count(*)::int as placed,
        (select count(*)::int from league_places where outcome is not null) as settled
      from league_places where week = '2026-03-09'`;
    if (placed !== MEMBERS || settled !== MEMBERS) throw new Error(`${placed} placed, ${settled} settled`);
    console.log(`${groups} groups of ${placed} members`);
    const people =
      await sql`select user_id as id from league_places where week = '2026-03-09' order by random() limit ${READS}`;
    /** @type {number[]} */
    const reads = [];
    for (const { id } of people) {
      const asked = { communityId: place, userId: id, role: 'member', now: NEXT };
      const begun = performance.now();
      await sql.begin((/** @type {any} */ tx) => readLeague(tx, asked));
      reads.push(performance.now() - begun);
    }
    return [
      { metric: 'groups of a first week', ours: first, unit: 's', most: 60 },
      { metric: 'a week settled and the groups of the next', ours: both, unit: 's', most: 60 },
      { metric: 'a member’s group, p95', ours: quantile(reads, 0.95), unit: 'ms', most: 100 },
    ];
  } finally {
    await sql.end();
    await server.stop();
    parts.remove();
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Five awards of points, each for a claim, for each member in each of two weeks.
 * @param {any} sql
 */
async function fill(sql) {
  await sql`
    insert into users (id, telegram_user_id, display_name)
    select gen_random_uuid(), n, 'Person ' || n from generate_series(1, ${MEMBERS}::int) n`;
  const [{ id }] = await sql`
    insert into communities (slug, name, created_by, leagues_since)
    select 'bench', 'Bench', id, '2026-03-04' from users limit 1 returning id`;
  await sql`insert into community_members (community_id, user_id, joined_at) select ${id}, id, '2026-01-01' from users`;
  const [{ task }] = await sql`
    insert into tasks (community_id, kind, title, points, recurrence, created_by)
    select ${id}, 'check_in', 'Bench', 20, 'daily', id from users limit 1 returning id as task`;
  await sql.begin(async (/** @type {any} */ tx) => {
    // A million rows, each looked up in what it refers to and put in its place in a dozen indexes, take minutes. Claims are read by
    // their id alone here.
    await tx`set local session_replication_role = replica`;
    for (const { name } of await tx`
      select indexname as name from pg_indexes where tablename = 'claims' and indexname <> 'claims_pkey'`)
      await tx`drop index ${tx(name)}`;
    await tx`
      insert into claims
        (community_id, task_id, user_id, period, state, points, acted_at, local_day, submitted_at, decided_at)
      select ${id}, ${task}, user_id, n::text, 'approved', (1 + 40 * random())::int, at, at::date, at, at
      from (
        select u.id as user_id, n,
          timestamptz '2026-02-23' + (n - 1) % 2 * interval '7 days' + random() * interval '7 days' as at
        from users u, generate_series(1, 10) n
      ) act`;
    await tx`
      insert into point_events (community_id, user_id, kind, points, task_id, claim_id, period, at, instance)
      select community_id, user_id, 'award', points, task_id, id, period, decided_at, false
      from claims order by decided_at`;
  });
  await sql.unsafe('vacuum analyze');
  return id;
}
