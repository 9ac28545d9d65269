// @ts-check
/**
 * How everything grows: the same year with 1,000, 10,000 and 100,000 members (`BENCH_MEMBERS=1000,10000` names others; `BENCH_DAYS`
 * another time), on the built-in server, or on another PostgreSQL by `BENCH_DATABASE_URL`, whose user may make databases. Worlds are
 * kept in `BENCH_KEEP` (`/var/tmp/muster-growth`) between runs; `BENCH_ONLY=reads,jobs` takes parts of it (`PARTS`). Reads, commands and
 * jobs run inside this process, so nothing else reads pages meanwhile; start, memory and backups are the built product's. A row stands
 * next to that of the size before, so its ratio is the slope.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import { besideJobs, firstStart } from './growth-beside.mjs';
import { queued } from './growth-queue.mjs';
import { fill, placeOf } from './growth-world.mjs';
import { quantile, root, startInstance } from './instance.mjs';
import { builtParts } from './parts.mjs';

const SIZES = (process.env['BENCH_MEMBERS'] ?? '1000,10000,100000').split(',').map(Number);
const PARTS = ['reads', 'commands', 'jobs', 'bytes', 'beside', 'first-start', 'queue', 'product', 'backups'];
const ONLY = (process.env['BENCH_ONLY'] ?? PARTS.join()).split(',');
const EXTERNAL = process.env['BENCH_DATABASE_URL'];
/** From so many members on budgets count: below, rooms that are nearly empty weigh more than what is in them. */
const PROMISED = 100_000;
const RUNS = Number(process.env['BENCH_ROUNDS'] ?? 15);
const BUILT = [
  ...['http/app', 'config', 'http/express', 'jobs', 'runtime', 'storage/connect'],
  'features/claims/member-days',
].map((part) => `server/${part}`);
const PLACE = '/api/communities/grown-0';
/** What people wait for: as whom, and where. Number 0 leads, 9 is an administrator, other multiples of three are members. */
const READS = [
  ...['dashboard', 'leaderboard?period=all', 'claims', 'league', 'activity'].map((path) => `member ${PLACE}/${path}`),
  ...['auth/user', 'user/ledger', 'user/profile', 'user/communities', 'communities', 'leaderboard?period=all'].map(
    (path) => `member /api/${path}`,
  ),
  ...[
    'morning',
    'analytics?days=28',
    'tasks',
    'review',
    'members',
    'members?search=stone%2055',
    'campaigns/reach',
    'admin',
  ].map((path) => `leader ${PLACE}/${path}`),
  ...['people', 'people?search=stone%2055', 'overview', 'communities', 'campaigns/reach', 'client-logs/issues'].map(
    (path) => `operator /api/admin/${path}`,
  ),
  ...['people', 'retention', 'funnel', 'reviews', 'tasks', 'offline'].map(
    (chart) => `operator /api/admin/analytics/${chart}?days=90`,
  ),
];
/** Jobs that ask others than the database. */
const OUTWARD = /^(telegram|x-|webhooks|partners|bot|memberships|chat-members|images)/;

/** @typedef {{ name: string, value: number, unit: string, beside?: string, most?: number }} Figure */
/** @typedef {{ name: string, heavy?: true, run: (runtime: unknown, stopping: AbortSignal) => Promise<void> }} Job */
/** @typedef {(name: string, value: number, unit: string, more?: { beside?: string, most?: number }) => void} Note */

export async function measure() {
  const parts = await builtParts(BUILT);
  /** @type {import('./run.mjs').Row[]} */
  const rows = [];
  /** @type {Map<string, Figure>} */
  let before = new Map();
  try {
    for (const size of SIZES) {
      /** @type {Map<string, Figure>} */
      const figures = new Map();
      await measureSize(parts.at, size, (name, value, unit, { beside, most } = {}) => {
        console.error(`${size} | ${name} | ${Math.round(value * 100) / 100} ${unit}${beside ? ` (${beside})` : ''}`);
        const held = most !== undefined && size >= PROMISED && { most };
        figures.set(`${name} ${unit}`, { name, value, unit, ...(beside && { beside }), ...held });
      });
      for (const [key, { name, value, unit, beside, most }] of figures) {
        const peer = before.get(key)?.value;
        const metric = `${name}, ${size.toLocaleString('en')} members${beside ? ` (${beside})` : ''}`;
        rows.push({ metric, ours: value, unit, ...(most !== undefined && { most }), ...(peer && { peer }) });
      }
      before = figures;
    }
  } finally {
    parts.remove();
  }
  return rows;
}

/** @param {string} at @param {number} size @param {Note} note */
async function measureSize(at, size, note) {
  const load = (/** @type {string} */ name) => import(`${at}/${name}.js`);
  const { beside, connectTo } = await load('connect');
  const world = await placeOf(connectTo, size);
  if (world.url) process.env['DATABASE_URL'] = world.url;
  const [{ createApp }, { readConfig }, { EXPRESS_CLASSES }, { startJobs }, { handlers, jobs, openRuntime }, runs] =
    await Promise.all(['app', 'config', 'express', 'jobs', 'runtime', 'member-days'].map(load));
  const server = createServer(EXPRESS_CLASSES).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = `http://localhost:${port}`;
  const config = readConfig({ ...process.env, MUSTER_HOME: world.home, PORT: `${port}`, PUBLIC_ORIGIN: url });
  const { runtime, storage } = await openRuntime(config, pino({ level: 'error' }, pino.destination(2)));
  // One connection more, which makes the world and looks on.
  const meter = await storage.sql.reserve();
  const own = jobs.filter((/** @type {Job} */ job) => !OUTWARD.test(job.name));
  const once = (/** @type {Job} */ job) => job.run(runtime, new AbortController().signal);
  const parts = {
    reads: () => read(meter, runtime.sql, url, note),
    commands: () => command(meter, runtime.sql, url, note),
    jobs: () => idle(meter, runtime.sql, own, { once, note }),
    bytes: () => bytes(meter, note),
  };
  try {
    if (!world.isMade) {
      await fill(meter, runs.makeRuns, size);
      // What jobs keep for others to read.
      for (const job of own) await once(job);
      await meter`vacuum analyze`;
      world.made();
    }
    let clock = fastClock();
    server.on('request', createApp({ ...runtime, now: () => clock() }, handlers, {}));
    for (const part of ['reads', 'commands', 'jobs', 'bytes'])
      if (ONLY.includes(part)) await parts[/** @type {'reads'} */ (part)]();
    clock = () => new Date();
    const given = { meter, url, note, members: size };
    if (ONLY.includes('beside')) {
      const sql = beside(runtime.sql, config.databaseJobsPool, { waitMs: 120_000 });
      const heavy = own.filter((/** @type {Job} */ job) => job.heavy);
      await besideJobs({
        ...given,
        jobs: heavy,
        once: (job) => job.run({ ...runtime, sql }, new AbortController().signal),
      });
      await sql.end();
    }
    if (ONLY.includes('first-start')) await firstStart({ ...given, start: () => startJobs(runtime, own) });
  } finally {
    meter.release();
    await runtime.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await storage.close();
  }
  if (ONLY.includes('queue')) await queued({ home: world.home, connectTo, note });
  if (ONLY.includes('product')) await product(world.home, note);
  if (ONLY.includes('backups')) await backups(world, connectTo, note);
}

/** It is ten seconds later each time, so that no rate limit is met. @returns {() => Date} */
function fastClock() {
  let asked = 0;
  return () => {
    asked += 1;
    return new Date(Date.now() + asked * 10_000);
  };
}

/**
 * Pages of 8 kB that the database read while this ran: what connections have counted is told at once where they are asked to.
 * @param {import('postgres').Sql} meter @param {import('postgres').Sql} sql @param {() => Promise<unknown>} work
 */
async function pagesOf(meter, sql, work) {
  const all = { length: /** @type {any} */ (sql).options.max };
  const told = async () => {
    await Promise.all(Array.from(all, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.02)`));
    await meter`select pg_stat_clear_snapshot()`;
    const [row] = await meter`
      select (blks_hit + blks_read)::float as pages from pg_stat_database where datname = current_database()`;
    return Number(row?.['pages']);
  };
  const before = await told();
  await work();
  return (await told()) - before;
}

/** @param {string} url @param {number} one @param {string} path @param {{ method?: string, body?: unknown }} [ask] */
async function ask(url, one, path, { method = 'GET', body } = {}) {
  const begun = performance.now();
  const answer = await fetch(url + path, {
    method,
    headers: {
      cookie: `sid=${`grown-${one}-`.padEnd(43, 'x')}`,
      'sec-fetch-site': 'same-origin',
      'idempotency-key': randomUUID(),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { ms: performance.now() - begun, ok: answer.ok, text: `${answer.status} ${text.slice(0, 200)}` };
}

/** @param {import('postgres').Sql} meter @param {import('postgres').Sql} sql @param {string} url @param {Note} note */
async function read(meter, sql, url, note) {
  for (const asked of READS) {
    const [who = '', path = ''] = asked.split(' ');
    const one = (/** @type {number} */ run) => ({ leader: 0, operator: 9 })[who] ?? 12 + 3 * run;
    const first = await ask(url, one(0), path);
    if (!first.ok) throw new Error(`${asked}: ${first.text}`);
    const pages = await pagesOf(meter, sql, () => ask(url, one(0), path));
    const times = [];
    for (let run = 0; run < RUNS; run += 1) times.push((await ask(url, one(run), path)).ms);
    note(asked, quantile(times, 0.5), 'ms');
    note(`${asked}, p95`, quantile(times, 0.95), 'ms', { most: 150 });
    note(asked, pages, 'pages');
  }
}

/** @param {import('postgres').Sql} meter @param {import('postgres').Sql} sql @param {string} url @param {Note} note */
async function command(meter, sql, url, note) {
  const open = await meter`
    select t.id, (u.telegram_user_id - 10000001)::int as one from users u join sessions s on s.user_id = u.id
    join tasks t on t.title = 'Task 0' join communities c on c.id = t.community_id and c.slug = 'grown-0'
    where s.user_agent = 'grown' and u.is_verified and u.telegram_user_id > 10000010 and not exists (
      select from claims k where k.task_id = t.id and k.user_id = u.id and k.submitted_at > now() - interval '2 days')
    order by random() limit ${RUNS + 1}`;
  const waiting = await meter`
    select k.id, 0 as one from claims k join communities c on c.id = k.community_id and c.slug = 'grown-0'
    where k.state = 'submitted' order by submitted_at limit ${RUNS + 1}`;
  /** @type {[string, import('postgres').RowList<import('postgres').Row[]>, (id: string) => string, unknown][]} */
  const commands = [
    ['claim', open, (id) => `${PLACE}/tasks/${id}/claims`, {}],
    ['approve', waiting, (id) => `${PLACE}/claims/${id}/decision`, { decision: 'approve' }],
  ];
  for (const [name, [first, ...rest], path, body] of commands) {
    const send = async (/** @type {import('postgres').Row | undefined} */ row) => {
      const reply = await ask(url, Number(row?.['one']), path(String(row?.['id'])), { method: 'POST', body });
      if (!reply.ok) throw new Error(`${name}: ${reply.text}`);
      return reply.ms;
    };
    const pages = await pagesOf(meter, sql, () => send(first));
    const times = [];
    for (const row of rest) times.push(await send(row));
    note(name, quantile(times, 0.5), 'ms', { beside: `p95 ${Math.round(quantile(times, 0.95))} ms` });
    note(name, pages, 'pages');
  }
}

/**
 * Jobs that find nothing new: all that they find was done by the runs before.
 * @param {import('postgres').Sql} meter @param {import('postgres').Sql} sql @param {Job[]} jobs
 * @param {{ once: (job: Job) => Promise<void>, note: Note }} with
 */
async function idle(meter, sql, jobs, { once, note }) {
  for (const job of jobs) await once(job);
  for (const job of jobs) {
    let ms = 0;
    const pages = await pagesOf(meter, sql, async () => {
      const begun = performance.now();
      await once(job);
      ms = performance.now() - begun;
    });
    note(`job ${job.name}, nothing new`, ms, 'ms');
    note(`job ${job.name}, nothing new`, pages, 'pages');
  }
}

/** What a claim takes on disk, with all that is kept of it. @param {import('postgres').Sql} meter @param {Note} note */
async function bytes(meter, note) {
  await meter`vacuum analyze`;
  const sized = await meter`
    select coalesce(p.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::float as bytes, sum(c.reltuples)::float as rows
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by 1`;
  const of = (/** @type {string[]} */ ...names) =>
    sized.reduce((sum, row) => sum + (names.includes(row['name']) ? row['bytes'] : 0), 0);
  const claims = Number(sized.find((row) => row['name'] === 'claims')?.['rows']);
  const activity = of('active_months', 'active_counts');
  note('claims', claims, 'claims');
  note('a claim with its history and points', of('claims', 'claim_events', 'point_events') / claims, 'bytes', {
    most: 1_200,
  });
  note('what is counted of a claim', (activity + of('claim_days', 'wait_days', 'member_days')) / claims, 'bytes');
  note('activity, of the ledger', (activity / of('point_events')) * 100, '%', { most: 10 });
  const [row] = await meter`select pg_database_size(current_database())::float as bytes`;
  note('disk', Number(row?.['bytes']) / 2 ** 20, 'MB');
}

/** Start and memory, as operators have them. @param {string} home @param {Note} note */
async function product(home, note) {
  const instance = await startInstance({ home });
  note('start', instance.readyMs / 1_000, 's');
  note(EXTERNAL ? 'memory, Node' : 'memory, Node and PostgreSQL', instance.residentMb(), 'MB');
  await instance.stop();
}

/** @param {{ home: string, url: string | null }} world @param {import('./growth-world.mjs').Connect} connectTo @param {Note} note */
async function backups({ home, url }, connectTo, note) {
  const file = join(home, 'growth.mbk');
  const other = `${home}-restored`;
  const admin = EXTERNAL ? connectTo(EXTERNAL, { max: 1 }) : null;
  const dropOther = async () => {
    for (const old of [file, `${file}.erasures`]) if (existsSync(old)) rmSync(old);
    rmSync(other, { recursive: true, force: true });
    if (admin) await admin`drop database if exists muster_growth_restored with (force)`;
  };
  await dropOther();
  mkdirSync(other, { mode: 0o711 });
  if (admin) await admin`create database muster_growth_restored`;
  const restored = EXTERNAL ? Object.assign(new URL(EXTERNAL), { pathname: '/muster_growth_restored' }).href : null;
  let backup = 0;
  /** @type {[string, string[], string, string | null][]} */
  const verbs = [
    ['backup', ['backup', file], home, url],
    ['backup --verify', ['backup', '--verify', file], home, url],
    ['restore', ['restore', file], other, restored],
  ];
  for (const [name, args, MUSTER_HOME, DATABASE_URL] of verbs) {
    const begun = performance.now();
    const env = { ...process.env, NODE_ENV: '', MUSTER_HOME, ...(DATABASE_URL && { DATABASE_URL }) };
    const done = spawnSync(process.execPath, [join(root, 'dist/server/muster.js'), ...args], { env });
    if (done.status !== 0) throw new Error(`${name}: ${done.stderr}`);
    const seconds = (performance.now() - begun) / 1_000;
    const most = name === 'backup' ? undefined : 3 * backup;
    note(name, seconds, 's', most === undefined ? {} : { most });
    if (name === 'backup') backup = seconds;
  }
  note('backup', statSync(file).size / 2 ** 20, 'MB');
  await dropOther();
  await admin?.end();
}
