// @ts-check
/**
 * A board of 10³ to 10⁶ members while points are written: top 50, my rank and 10 around me with their names, beside
 * Redis 7 on the same data under as many writes. `BENCH_MEMBERS=1000,100000` takes other sizes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'vite';
import { startRedis } from './redis.mjs';

const root = resolve(import.meta.dirname, '../..');
const SIZES = (process.env['BENCH_MEMBERS'] ?? '1000,10000,100000,1000000').split(',').map(Number);
/** What is measured of the product, and what that stands on. */
const PARTS = [
  'server/features/boards/board',
  'server/features/ledger/record',
  'server/storage/connect',
  'server/storage/embedded/embedded',
  'server/storage/migrate',
];
const SECONDS = 6;
const AT_ONCE = 1_000;
const TOP = 50;
const SNAPSHOT = 'isolation level repeatable read read only';
const LEAST_EVENTS = 8_000;

/** @param {number[]} values @param {number} share */
const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)] ?? Number.NaN;
/** @param {number} size */
const named = (size) => `10${'⁰¹²³⁴⁵⁶⁷'[Math.round(Math.log10(size))] ?? `^${Math.log10(size)}`}`;

export async function measure() {
  const home = mkdtempSync(join(tmpdir(), 'muster-boards-'));
  const built = mkdtempSync(join(root, 'node_modules/.tmp-boards-'));
  const work = await bundle(built);
  const { startEmbedded } = await import(`${work}/embedded.js`);
  const { connectTo } = await import(`${work}/connect.js`);
  const { migrate } = await import(`${work}/migrate.js`);
  const server = await startEmbedded({ home: join(home, 'postgres'), database: 'muster' });
  const redis = await startRedis(home);
  const sql = connectTo(server.url(), { max: 2 });
  try {
    await migrate(sql);
    const rows = [];
    for (const size of SIZES) rows.push(...(await measureSize({ work, sql, url: server.url(), redis, size })));
    return rows;
  } finally {
    await sql.end();
    await redis.stop();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
    rmSync(built, { recursive: true, force: true });
  }
}

/** @param {string} outDir */
async function bundle(outDir) {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      copyPublicDir: false,
      emptyOutDir: true,
      rolldownOptions: { input: Object.fromEntries(PARTS.map((path) => [basename(path), join(root, `${path}.ts`)])) },
    },
  });
  return pathToFileURL(outDir).href;
}

/**
 * @param {{ work: string, sql: import('postgres').Sql, url: string, size: number,
 *   redis: Awaited<ReturnType<typeof startRedis>> }} given
 */
async function measureSize({ work, sql, url, redis, size }) {
  const { communityId, userIds } = await fill(sql, size);
  const { readBoard } = await import(`${work}/board.js`);
  const ours = await during(writer({ work, url, communityId, userIds }), (turn) => {
    const me = userIds[(turn * 104_729) % size];
    return sql.begin(SNAPSHOT, (tx) => readBoard(tx, { communityId, key: 'all', me, top: TOP }));
  });
  const reader = redis.connect();
  const points =
    await sql`select user_id, points from standings where community_id = ${communityId} and period = 'all'`;
  await reader.ask([['FLUSHALL']]);
  for (let from = 0; from < points.length; from += 1_000) {
    const some = points.slice(from, from + 1_000);
    await reader.ask([
      ['ZADD', 'board', ...some.flatMap((row) => [row['points'], row['user_id']])],
      ['HSET', 'names', ...some.flatMap((row, at) => [row['user_id'], `Person ${from + at}`])],
    ]);
  }
  const theirs = await during(redisWriter(redis, userIds, ours.perSecond), (turn) =>
    readRedis(reader, userIds[(turn * 104_729) % size] ?? ''),
  );
  reader.close();
  const at = `${named(size)} members`;
  return [
    {
      metric: `${at}: board during writes, p50`,
      ours: quantile(ours.times, 0.5),
      unit: 'ms',
      peer: quantile(theirs.times, 0.5),
      most: 2 * quantile(theirs.times, 0.5),
    },
    {
      metric: `${at}: board during writes, p99`,
      ours: quantile(ours.times, 0.99),
      unit: 'ms',
      peer: quantile(theirs.times, 0.99),
      most: 3 * quantile(theirs.times, 0.99),
    },
    { metric: `${at}: point events written meanwhile`, ours: ours.perSecond, unit: '/s', least: LEAST_EVENTS },
  ];
}

/**
 * Reads one after the other for `SECONDS`, beside what writes.
 * @param {{ stop(): Promise<number> }} writing @param {(turn: number) => Promise<unknown>} one
 */
async function during(writing, one) {
  for (let turn = 0; turn < 20; turn += 1) await one(turn);
  /** @type {number[]} */
  const times = [];
  const end = performance.now() + SECONDS * 1_000;
  for (let turn = 20; performance.now() < end; turn += 1) {
    const begun = performance.now();
    await one(turn);
    times.push(performance.now() - begun);
    // People do not ask without a pause, and the writers need the machine too.
    await new Promise((done) => setTimeout(done, 2));
  }
  return { times, perSecond: await writing.stop() };
}

/** @param {{ work: string, url: string, communityId: string, userIds: string[] }} given */
function writer(given) {
  const worker = new Worker(new URL('./boards-writer.mjs', import.meta.url), {
    workerData: { ...given, atOnce: AT_ONCE },
  });
  const failed = new Promise((_, fail) => worker.once('error', fail));
  return {
    /** @returns {Promise<number>} events a second */
    stop: async () => {
      const said = new Promise((done) => worker.once('message', ({ perSecond }) => done(perSecond)));
      worker.postMessage('stop');
      const perSecond = /** @type {number} */ (await Promise.race([said, failed]));
      await worker.terminate();
      return perSecond;
    },
  };
}

/** As many points a second as ours took. @param {Awaited<ReturnType<typeof startRedis>>} redis @param {string[]} userIds @param {number} perSecond */
function redisWriter(redis, userIds, perSecond) {
  const connection = redis.connect();
  const each = Math.max(1, Math.round(perSecond / 100));
  let stopped = false;
  const run = (async () => {
    for (let turn = 0; !stopped; turn += each) {
      const commands = Array.from({ length: each }, (_, at) => {
        const userId = userIds[((turn + at) * 7_919) % userIds.length] ?? '';
        return ['ZINCRBY', 'board', 1 + (turn % 20), userId];
      });
      await connection.ask(commands);
      await new Promise((done) => setTimeout(done, 10));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await run;
      connection.close();
      return perSecond;
    },
  };
}

/** @param {{ ask(commands: (string | number)[][]): Promise<unknown[]> }} redis @param {string} me */
async function readRedis(redis, me) {
  const [top, score, place] = await redis.ask([
    ['ZREVRANGE', 'board', 0, TOP - 1, 'WITHSCORES'],
    ['ZSCORE', 'board', me],
    ['ZREVRANK', 'board', me],
  ]);
  const from = Math.max(0, Number(place) - 5);
  const [, around] = await redis.ask([
    ['ZCOUNT', 'board', `(${score}`, '+inf'],
    ['ZREVRANGE', 'board', from, from + 10, 'WITHSCORES'],
  ]);
  const ids = [.../** @type {string[]} */ (top), .../** @type {string[]} */ (around)].filter((_, at) => at % 2 === 0);
  await redis.ask([['HMGET', 'names', ...ids]]);
}

/** A community with points of all time for everybody, and ties among them. @param {import('postgres').Sql} sql @param {number} size */
async function fill(sql, size) {
  const first = 10_000_000_000 + size * 10;
  const users = await sql`
    insert into users (telegram_user_id, display_name)
    select ${first}::bigint + n, 'Person ' || n from generate_series(1, ${size}) n returning id`;
  const userIds = users.map((row) => String(row['id']));
  const [place] = await sql`
    insert into communities (slug, name, created_by) values (${`bench-${size}`}, 'Bench', ${userIds[0] ?? ''}) returning id`;
  const communityId = String(place?.['id']);
  await sql.begin(async (tx) => {
    await tx`alter table community_members disable trigger community_members_compete`;
    await tx`
      insert into community_members (community_id, user_id)
      select ${communityId}, id from users where telegram_user_id between ${first + 1}::bigint and ${first + size}::bigint`;
    await tx`alter table community_members enable trigger community_members_compete`;
  });
  await sql`
    insert into standings (community_id, period, user_id, points, reached_at)
    select ${communityId}, 'all', id, 1 + (telegram_user_id * 7919) % 40000, now()
    from users where telegram_user_id between ${first + 1}::bigint and ${first + size}::bigint`;
  await sql`vacuum analyze standings, hist, users, community_members`;
  return { communityId, userIds };
}
