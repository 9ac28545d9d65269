// @ts-check
/**
 * How everything grows: the same world with 1,000, 10,000 and 100,000 members (`BENCH_MEMBERS=1000,10000` names others), on the built-in
 * server, or on another PostgreSQL by `BENCH_DATABASE_URL`, whose user may make databases. Reads, commands and jobs run inside this
 * process, so nothing else reads pages meanwhile; start, memory and backups are the built product's. A row stands next to that of the
 * size before, so its ratio is the slope. Instances are kept in `BENCH_HOME` (`/var/tmp/muster-growth`) between runs.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pino } from 'pino';
import { quantile, root, startInstance } from './instance.mjs';
import { builtParts } from './parts.mjs';

const SIZES = (process.env['BENCH_MEMBERS'] ?? '1000,10000,100000').split(',').map(Number);
const DAYS = Number(process.env['BENCH_DAYS'] ?? 30);
const HOME = process.env['BENCH_HOME'] ?? '/var/tmp/muster-growth';
const EXTERNAL = process.env['BENCH_DATABASE_URL'];
const RUNS = Number(process.env['BENCH_ROUNDS'] ?? 15);
const PARTS = ['http/app', 'config', 'http/express', 'runtime', 'storage/connect'].map((part) => `server/${part}`);
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

/** @typedef {{ name: string, value: number, unit: string, beside?: string }} Figure */
/** @typedef {(name: string, value: number, unit: string, beside?: string) => void} Note */

export async function measure() {
  const parts = await builtParts(PARTS);
  /** @type {import('./run.mjs').Row[]} */
  const rows = [];
  /** @type {Map<string, Figure>} */
  let before = new Map();
  try {
    for (const size of SIZES) {
      /** @type {Map<string, Figure>} */
      const figures = new Map();
      await measureSize(parts.at, size, (name, value, unit, beside) =>
        figures.set(`${name} ${unit}`, { name, value, unit, ...(beside && { beside }) }),
      );
      for (const [key, { name, value, unit, beside }] of figures) {
        const peer = before.get(key)?.value;
        const metric = `${name}, ${size.toLocaleString('en')} members${beside ? ` (${beside})` : ''}`;
        rows.push({ metric, ours: value, unit, ...(peer && { peer }) });
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
  const home = join(HOME, `${size}`);
  mkdirSync(home, { recursive: true });
  for (const folder of [HOME, home]) chmodSync(folder, 0o711);
  const load = (/** @type {string} */ name) => import(`${at}/${name}.js`);
  const { connectTo } = await load('connect');
  if (EXTERNAL) process.env['DATABASE_URL'] = await ownDatabase(connectTo, EXTERNAL, size);
  const [{ createApp }, { readConfig }, { EXPRESS_CLASSES }, { handlers, jobs, openRuntime }] = await Promise.all(
    ['app', 'config', 'express', 'runtime'].map(load),
  );
  const server = createServer(EXPRESS_CLASSES).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const url = `http://localhost:${port}`;
  const config = readConfig({ ...process.env, MUSTER_HOME: home, PORT: `${port}`, PUBLIC_ORIGIN: url });
  const { runtime, storage } = await openRuntime(config, pino({ level: 'silent' }));
  // One connection more, which makes the world and looks on.
  const meter = await storage.sql.reserve();
  try {
    await fill(meter, size);
    const own = jobs.filter((/** @type {{ name: string }} */ job) => !OUTWARD.test(job.name));
    const once = (/** @type {{ run: Function }} */ job) => job.run(runtime, new AbortController().signal);
    // What jobs keep for others to read; afterwards they find nothing new.
    for (const job of own) await once(job);
    await meter`vacuum analyze`;
    server.on('request', createApp({ ...runtime, now: fastClock() }, handlers, {}));
    await read(meter, runtime.sql, url, note);
    await command(meter, runtime.sql, url, note);
    for (const job of own) await once(job);
    for (const job of own) {
      let ms = 0;
      const pages = await pagesOf(meter, runtime.sql, async () => {
        const begun = performance.now();
        await once(job);
        ms = performance.now() - begun;
      });
      note(`job ${job.name}, nothing new`, ms, 'ms');
      note(`job ${job.name}, nothing new`, pages, 'pages');
    }
    const [{ bytes }] = await meter`select pg_database_size(current_database())::float as bytes`;
    note('disk', bytes / 2 ** 20, 'MB');
  } finally {
    meter.release();
    await runtime.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await storage.close();
  }
  await product(home, note);
}

/** It is ten seconds later each time, so that no rate limit is met. @returns {() => Date} */
function fastClock() {
  let asked = 0;
  return () => {
    asked += 1;
    return new Date(Date.now() + asked * 10_000);
  };
}

/** @param {(url: string, options: object) => import('postgres').Sql} connectTo @param {string} url @param {number} size */
async function ownDatabase(connectTo, url, size) {
  const name = `muster_growth_${size}`;
  const admin = connectTo(url, { max: 1 });
  const [there] = await admin`select from pg_database where datname = ${name}`;
  if (!there) await admin`create database ${admin(name)}`;
  await admin.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/** @param {import('postgres').Sql} sql @param {number} size */
async function fill(sql, size) {
  const [{ people }] = /** @type {any} */ (
    await sql`select count(*)::int as people from users where telegram_user_id > 10000000`
  );
  if (people >= size) return;
  if (people > 0) throw new Error('This world was not made to its end: remove its database.');
  const seed = readFileSync(join(root, 'tests/support/grown-world.sql'), 'utf8');
  await sql.unsafe(seed.replaceAll(':people', `${size}`).replaceAll(':days', `${DAYS}`));
  await sql`update users set role = 'admin' where telegram_user_id = 10000010`;
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
    note(asked, quantile(times, 0.5), 'ms', `p95 ${Math.round(quantile(times, 0.95))} ms`);
    note(asked, pages, 'pages');
  }
}

/** @param {import('postgres').Sql} meter @param {import('postgres').Sql} sql @param {string} url @param {Note} note */
async function command(meter, sql, url, note) {
  const open = await meter`
    select t.id, (u.telegram_user_id - 10000001)::int as one from users u join sessions s on s.user_id = u.id
    join tasks t on t.title = 'Task 0' join communities c on c.id = t.community_id and c.slug = 'grown-0'
    where s.user_agent = 'grown' and u.is_verified and not exists (
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
    note(name, quantile(times, 0.5), 'ms', `p95 ${Math.round(quantile(times, 0.95))} ms`);
    note(name, pages, 'pages');
  }
}

/** Start, memory and backups, as operators have them. @param {string} home @param {Note} note */
async function product(home, note) {
  const instance = await startInstance({ home });
  note('start', instance.readyMs / 1_000, 's');
  if (!EXTERNAL) note('memory, Node and PostgreSQL', instance.residentMb(), 'MB');
  await instance.stop();
  const file = join(home, 'growth.mbk');
  for (const old of [file, `${file}.erasures`]) if (existsSync(old)) rmSync(old);
  for (const verb of [
    ['backup', file],
    ['backup', '--verify', file],
  ]) {
    const begun = performance.now();
    const muster = join(root, 'dist/server/muster.js');
    const done = spawnSync(process.execPath, [muster, ...verb], {
      env: { ...process.env, NODE_ENV: '', MUSTER_HOME: home },
    });
    if (done.status !== 0) throw new Error(`${verb.join(' ')}: ${done.stderr}`);
    note(verb.length > 2 ? 'backup --verify' : 'backup', (performance.now() - begun) / 1_000, 's');
  }
}
