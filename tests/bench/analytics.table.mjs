// @ts-check
/**
 * Each chart of `/admin/analytics` on a year of claims, in 50 communities: the counting of the whole year, of today again, and every chart over
 * 30 days, 90 days and a year, for the instance and for its largest community, as its route reads it. `BENCH_CLAIMS=100000` takes another size.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from './instance.mjs';
import { builtParts } from './parts.mjs';

const CLAIMS = Number(process.env['BENCH_CLAIMS'] ?? 1_000_000);
const COMMUNITIES = 50;
const TASKS = 20;
const PARTS = [
  'server/features/analytics/asked',
  'server/features/analytics/counts',
  'server/features/analytics/widgets',
  'server/storage/connect',
  'server/storage/embedded/embedded',
  'server/storage/migrate',
];
const RUNS = 15;
/** What a chart may take, ms. */
const MOST = 150;
const SPANS = /** @type {const} */ (['30', '90', '365']);

export async function measure() {
  const home = mkdtempSync(join(tmpdir(), 'muster-analytics-'));
  const parts = await builtParts(PARTS);
  const { startEmbedded } = await import(`${parts.at}/embedded.js`);
  const { connectTo } = await import(`${parts.at}/connect.js`);
  const { migrate } = await import(`${parts.at}/migrate.js`);
  const { countQueued } = await import(`${parts.at}/counts.js`);
  const { readScope } = await import(`${parts.at}/asked.js`);
  const { widgets } = await import(`${parts.at}/widgets.js`);
  const server = await startEmbedded({ home: join(home, 'postgres'), database: 'muster' });
  const sql = connectTo(server.url());
  try {
    await migrate(sql);
    const now = new Date();
    await fill(sql);
    const whole = await timed(() => countQueued({ sql }));
    await sql`vacuum analyze`;
    const again = [];
    for (let run = 0; run < RUNS; run += 1) again.push(await timed(() => countQueued({ sql })));
    /** @type {import('./run.mjs').Row[]} */
    const rows = [
      { metric: `counting a year of ${CLAIMS.toLocaleString('en')} claims`, ours: whole / 1_000, unit: 's' },
      { metric: 'counting when nothing is new, each second, p50', ours: quantile(again, 0.5), unit: 'ms' },
    ];
    const [largest] = await sql`select slug from communities order by members desc limit 1`;
    for (const [place, community] of /** @type {[string, string | undefined][]} */ ([
      ['all', undefined],
      ['one community', largest?.['slug']],
    ]))
      for (const [name, read] of /** @type {[string, (sql: unknown, asked: unknown) => Promise<unknown>][]} */ (
        Object.entries(widgets)
      )) {
        /** @type {number[]} */
        const worst = [];
        for (const days of SPANS) {
          const asked = await readScope(sql, { days, ...(community && { community }) }, now);
          const times = [];
          for (let run = 0; run < RUNS; run += 1) times.push(await timed(() => read(sql, asked)));
          worst.push(quantile(times, 0.5));
        }
        rows.push({
          metric: `${name}, ${place}: p50 of 30, 90, 365 days: ${worst.map((ms) => ms.toFixed(0)).join(', ')} ms; the longest`,
          ours: Math.max(...worst),
          unit: 'ms',
          most: MOST,
        });
      }
    return rows;
  } finally {
    await sql.end();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
    parts.remove();
  }
}

/** @param {() => Promise<unknown>} work @returns {Promise<number>} ms */
async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/**
 * A year of claims: a person for each 25, each in a community or two, more answers near the day of joining; a third waits for a reviewer.
 * @param {import('postgres').Sql} sql
 */
async function fill(sql) {
  const people = Math.max(100, Math.round(CLAIMS / 25));
  await sql`
    insert into users (telegram_user_id, display_name, is_verified, x_user_id, created_at)
    select 10000000 + n, 'Person ' || n, n % 3 > 0, case when n % 4 > 0 then 'x' || n end,
      now() - (n % 365) * interval '1 day' - (n % 86400) * interval '1 second'
    from generate_series(1, ${people}) n`;
  await sql`
    insert into communities (slug, name, created_by)
    select 'bench-' || n, 'Bench ' || n, (select id from users limit 1) from generate_series(1, ${COMMUNITIES}) n`;
  await sql`
    insert into tasks (community_id, kind, title, points, recurrence, created_by)
    select c.id, 'check_in', 'Task ' || n, 5, 'daily', c.created_by from communities c, generate_series(1, ${TASKS}) n`;
  await sql.begin(async (tx) => {
    await tx`create temp table places on commit drop as
      select id, row_number() over (order by slug) - 1 as place from communities`;
    await tx`create temp table ones on commit drop as
      select id, created_at, row_number() over (order by telegram_user_id) - 1 as one from users`;
    await tx`create temp table things on commit drop as
      select id, community_id, row_number() over (partition by community_id order by title) - 1 as thing from tasks`;
    await tx`create index on ones (one)`;
    await tx`alter table community_members disable trigger user`;
    await tx`
      insert into community_members (community_id, user_id, joined_at)
      select p.id, o.id, o.created_at from ones o join places p on p.place = (o.one * o.one) % ${COMMUNITIES}`;
    await tx`alter table community_members enable trigger user`;
    await tx`update communities c set members = (select count(*) from community_members m where m.community_id = c.id)`;
    await tx`
      insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day, submitted_at)
      select p.id, t.id, o.id, n::text, 'approved', 5, made.at - case when n % 7 = 0 then (n % 3000) * interval '1 second' else interval '0' end,
        made.at::date, made.at
      from generate_series(1, ${CLAIMS}) n
      join ones o on o.one = (n::bigint * 7919) % ${people}
      join places p on p.place = (o.one * o.one) % ${COMMUNITIES}
      join things t on t.community_id = p.id and t.thing = n % ${TASKS}
      cross join lateral (
        select o.created_at + (now() - o.created_at) * pow(((n::bigint * 104729) % 9973) / 9973.0, 2) as at) made`;
    await tx`
      insert into claim_events (community_id, claim_id, kind, at, actor_id, from_state, to_state)
      select community_id, id, kind, at, null, before, after from (
        select community_id, id, case when period::int % 3 = 0 then 'submitted' else 'checked' end as kind, submitted_at as at,
          null as before, case when period::int % 3 = 0 then 'submitted' else 'approved' end as after from claims
        union all
        select community_id, id, 'approved', least(now(), submitted_at + (period::int % 2000) * interval '1 minute'), 'submitted', 'approved'
        from claims where period::int % 3 = 0
      ) events order by at`;
  });
  await sql`vacuum analyze`;
}
