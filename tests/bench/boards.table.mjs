// @ts-check
/**
 * A board of 10³ to 10⁶ members while points are written: top 50, my rank and 10 around me with their names, beside
 * Redis 7 on the same data under as many writes. The limit is Redis with the one board that is read; what it takes while
 * it keeps all boards that a point moves, as ours do, is said as well. Points are written in a thread of this process by
 * the ledger's own function, a group in a transaction, on a clock while boards are read and then as fast as they go; ours and
 * Redis are read by turns, as the machine's own speed moves within minutes. The last rows say what claims over HTTP reach, a
 * transaction each. `BENCH_MEMBERS=1000,100000` takes other sizes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { people, quantile, startInstance } from './instance.mjs';
import { flood, send } from './load.mjs';
import { inThread } from './pacer.mjs';
import { builtParts } from './parts.mjs';
import { startRedis } from './redis.mjs';

const SIZES = (process.env['BENCH_MEMBERS'] ?? '1000,10000,100000,1000000').split(',').map(Number);
/** What is measured of the product, and what that stands on. */
const PARTS = [
  'server/contract/limits',
  'server/features/boards/board',
  'server/features/ledger/instance',
  'server/features/awards/record',
  'server/storage/connect',
  'server/storage/embedded/embedded',
  'server/storage/migrate',
];
/** Ours and Redis are read so many times by turns, so many seconds each, after some that do not count. */
const TURNS = 4;
const SECONDS = 3;
const SETTLE = 1;
/** People do not ask without a pause, and the writers need the machine too. */
const PAUSE = 2;
/**
 * Both are run in for so many seconds, without a pause, so that what counts is compiled before: at one question every two
 * milliseconds V8 is not through with it after twenty seconds.
 */
const RUN_IN = 12;
/** At the end points are written as fast as they go for so long. */
const FLAT_OUT = 3;
/**
 * The points of a large board's first half minute write its pages to the log as wholes, which they do once in five minutes:
 * they do not count.
 */
const LARGE = { least: 1_000_000, warmUp: 30 };
/** Events of one transaction: 100 ms worth of them at the rate that is asked for. */
const AT_ONCE = 200;
/** Events a second while boards are read: 10 groups. */
const WRITTEN = 2_000;
const TOP = 50;
const CHECKED = 20;
const CLAIMED = 6;
const MEMBERS = 500;
const TASKS = 40;
const INSTANCE = '00000000-0000-0000-0000-000000000000';
/** The boards that a point moves where no season runs; the first of them is read. */
const BOARDS = ['board', 'board:day', 'board:week', 'board:month', 'all', 'all:day', 'all:week', 'all:month'];
const ALL_TIME = new Set(['board', 'all']);
const LEAST_EVENTS = 2_000;
/** What a board of 10⁶ may take beside them, in ms. */
const MOST = { p50: 1.5, p99: 10 };
/** Writers of two communities beside each other reach at least so many times what one does, on two cores. */
const LEAST_BESIDE = 1.6;
const COUNT_EVERY_MS = 500;

/** @param {number} size */
const named = (size) => `10${'⁰¹²³⁴⁵⁶⁷'[Math.round(Math.log10(size))] ?? `^${Math.log10(size)}`}`;

export async function measure() {
  const home = mkdtempSync(join(tmpdir(), 'muster-boards-'));
  const parts = await builtParts(PARTS);
  const work = parts.at;
  const { startEmbedded } = await import(`${work}/embedded.js`);
  const { connectTo } = await import(`${work}/connect.js`);
  const { migrate } = await import(`${work}/migrate.js`);
  const server = await startEmbedded({ home: join(home, 'postgres'), database: 'muster' });
  const { pointsToNextLevel } = await import(`${work}/limits.js`);
  const redis = await startRedis(home);
  try {
    await withSql(migrate);
    const rows = [];
    for (const size of SIZES) {
      const filled = await withSql((sql) => fill(sql, size, pointsToNextLevel));
      rows.push(...(await withSql((sql) => measureSize({ work, sql, url: server.url(), redis, size, ...filled }))));
    }
    return [
      ...rows,
      ...(await withSql((sql) => measureSideBySide({ work, sql, url: server.url(), pointsToNextLevel }))),
      ...(await measureClaims()),
    ];
  } finally {
    await redis.stop();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
    parts.remove();
  }

  /** @template T @param {(sql: import('postgres').Sql) => Promise<T>} ask @returns {Promise<T>} */
  async function withSql(ask) {
    const sql = connectTo(server.url());
    try {
      return await ask(sql);
    } finally {
      await sql.end();
    }
  }
}

/**
 * @param {{ work: string, sql: import('postgres').Sql, url: string, size: number, communityId: string, userIds: string[],
 *   redis: Awaited<ReturnType<typeof startRedis>> }} given
 */
async function measureSize({ work, sql, url, redis, size, communityId, userIds }) {
  const { readBoard } = await import(`${work}/board.js`);
  const ask = (/** @type {number} */ turn) =>
    readBoard(sql, { communityId, period: 'all', at: new Date(), me: userIds[(turn * 104_729) % size], top: TOP });
  const writing = inThread('./boards-writer.mjs', { work, url, communityId, userIds, atOnce: AT_ONCE });
  if (size >= LARGE.least) {
    writing.pace(Number.POSITIVE_INFINITY);
    await seconds(LARGE.warmUp);
    await writing.rest();
  }
  const points = await sql`select user_id, points from scores where community_id = ${communityId}`;
  const scores = points.map((row) => /** @type {[string, number]} */ ([row['user_id'], row['points']]));
  const one = await besideRedis({ redis, userIds, scores, boards: BOARDS.slice(0, 1) });
  const [ours, theirs] = await byTurns({ writing, ask }, one);
  const oneMb = await one.end();
  for (let turn = 0; turn < CHECKED; turn += 1) {
    const { me } = await ask(turn);
    const [row] = await sql`
      select 1 + count(*)::int as rank from scores
      where community_id = ${communityId} and competes and points > ${me.points}`;
    if (row?.['rank'] !== me.rank) throw new Error(`rank ${me.rank} shown, ${row?.['rank']} counted`);
  }
  writing.pace(Number.POSITIVE_INFINITY);
  await seconds(SETTLE);
  writing.count();
  await seconds(FLAT_OUT);
  const flatOut = await writing.rest();
  await writing.stop();
  const many = await besideRedis({ redis, userIds, scores, boards: BOARDS });
  const [all] = await byTurns(many);
  const allMb = await many.end();
  const [{ buffers }] = /** @type {[{ buffers: number }]} */ (
    await sql`select setting::int * 8 / 1024.0 as buffers from pg_settings where name = 'shared_buffers'`
  );
  const at = `${named(size)} members`;
  return [
    {
      metric: `${at}: board during writes, p50`,
      ours: quantile(ours.times, 0.5),
      unit: 'ms',
      peer: quantile(theirs.times, 0.5),
      most: MOST.p50,
    },
    {
      metric: `${at}: board during writes, p99`,
      ours: quantile(ours.times, 0.99),
      unit: 'ms',
      peer: quantile(theirs.times, 0.99),
      most: MOST.p99,
    },
    { metric: `${at}: Redis that keeps all boards, p50`, ours: quantile(all.times, 0.5), unit: 'ms' },
    { metric: `${at}: Redis that keeps all boards, p99`, ours: quantile(all.times, 0.99), unit: 'ms' },
    { metric: `${at}: point events written meanwhile`, ours: ours.perSecond, unit: '/s', least: LEAST_EVENTS },
    {
      metric: `${at}: point events flat out`,
      ours: (1_000 * flatOut.events) / flatOut.ms,
      unit: '/s',
      least: LEAST_EVENTS,
    },
    { metric: `${at}: buffers of PostgreSQL`, ours: Number(buffers), unit: 'MB' },
    { metric: `${at}: what Redis takes for one board`, ours: oneMb, unit: 'MB' },
    { metric: `${at}: what Redis takes for all`, ours: allMb, unit: 'MB' },
    { metric: `${at}: a group of ${AT_ONCE} is written, p50`, ours: quantile(flatOut.groups, 0.5), unit: 'ms' },
  ];
}

/**
 * Points flat out in one community, then in two at once: none waits for another's lock. The instance's boards follow meanwhile, as
 * in the running app.
 * @param {{ work: string, sql: import('postgres').Sql, url: string, pointsToNextLevel: (level: number) => number }} given
 */
async function measureSideBySide({ work, sql, url, pointsToNextLevel }) {
  const { countForInstance } = await import(`${work}/instance.js`);
  const places = [await fill(sql, 5_001, pointsToNextLevel), await fill(sql, 5_002, pointsToNextLevel)];
  let isRunning = true;
  const counting = (async () => {
    while (isRunning) {
      await countForInstance({ sql });
      await seconds(COUNT_EVERY_MS / 1_000);
    }
  })();
  /** @param {typeof places} at @returns {Promise<number>} events a second of all */
  const flatOut = async (at) => {
    const writers = at.map((place) => inThread('./boards-writer.mjs', { work, url, ...place, atOnce: AT_ONCE }));
    for (const writer of writers) writer.pace(Number.POSITIVE_INFINITY);
    await seconds(SETTLE);
    for (const writer of writers) writer.count();
    await seconds(FLAT_OUT);
    const counts = await Promise.all(writers.map((writer) => writer.rest()));
    await Promise.all(writers.map((writer) => writer.stop()));
    return counts.reduce((sum, { events, ms }) => sum + (1_000 * events) / ms, 0);
  };
  const runs = [];
  for (let turn = 0; turn < 3; turn += 1)
    runs.push({ one: await flatOut(places.slice(0, 1)), two: await flatOut(places) });
  isRunning = false;
  await counting;
  const median = quantile(
    runs.map(({ one, two }) => two / one),
    0.5,
  );
  const [run] = runs.filter(({ one, two }) => two / one === median);
  return [
    {
      metric: 'point events of two communities beside one',
      ours: run?.two ?? 0,
      unit: '/s',
      peer: run?.one ?? 0,
      share: LEAST_BESIDE,
    },
  ];
}

/** @param {number} count */
const seconds = (count) => new Promise((done) => setTimeout(done, count * 1_000));

/** What is read beside a thread that writes. @typedef {{ writing: import('./pacer.mjs').Writing, ask: (turn: number) => Promise<unknown> }} Side */
/** `perSecond`: events written meanwhile. @typedef {{ times: number[], perSecond: number }} Measured */

/**
 * Each side by turns, run in before.
 * @template {Side[]} T @param {T} sides @returns {Promise<{ [K in keyof T]: Measured }>}
 */
async function byTurns(...sides) {
  for (const side of sides) {
    side.writing.pace(WRITTEN);
    await reading(RUN_IN, side.ask, 0);
    await side.writing.rest();
  }
  /** @type {Map<Side, { times: number[], events: number, ms: number }>} */
  const seen = new Map(sides.map((side) => [side, { times: [], events: 0, ms: 0 }]));
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [side, sum] of seen) {
      side.writing.pace(WRITTEN);
      await reading(SETTLE, side.ask);
      side.writing.count();
      sum.times.push(...(await reading(SECONDS, side.ask)));
      const { events, ms } = await side.writing.rest();
      sum.events += events;
      sum.ms += ms;
    }
  }
  return /** @type {{ [K in keyof T]: Measured }} */ (
    [...seen.values()].map(({ times, events, ms }) => ({ times, perSecond: (1_000 * events) / ms }))
  );
}

/**
 * Reads one after the other.
 * @param {number} length seconds @param {Side['ask']} one @param {number} pause ms between two of them
 */
async function reading(length, one, pause = PAUSE) {
  /** @type {number[]} */
  const times = [];
  const end = performance.now() + length * 1_000;
  for (let turn = 0; performance.now() < end; turn += 1) {
    const begun = performance.now();
    await one(turn);
    times.push(performance.now() - begun);
    if (pause > 0) await new Promise((done) => setTimeout(done, pause));
  }
  return times;
}

/**
 * Redis with `boards`, and a thread that raises them.
 * @param {{ redis: Awaited<ReturnType<typeof startRedis>>, userIds: string[], scores: [string, number][], boards: string[] }} given
 */
async function besideRedis({ redis, userIds, scores, boards }) {
  const reader = redis.connect();
  await reader.ask([['FLUSHALL']]);
  // Those of the calendar begin empty, as ours do.
  const filled = boards.filter((board) => ALL_TIME.has(board));
  for (let from = 0; from < scores.length; from += 1_000) {
    const some = scores.slice(from, from + 1_000);
    await reader.ask([
      ...filled.map((board) => ['ZADD', board, ...some.flatMap(([id, points]) => [points, id])]),
      ['HSET', 'names', ...some.flatMap(([id], at) => [id, `Person ${from + at}`])],
    ]);
  }
  const writing = inThread('./redis-writer.mjs', { path: redis.path, userIds, boards, atOnce: WRITTEN / 100 });
  return {
    writing,
    ask: (/** @type {number} */ turn) => readRedis(reader, userIds[(turn * 104_729) % userIds.length] ?? ''),
    /** What it takes then, in MB. */
    end: async () => {
      await writing.stop();
      const [info] = await reader.ask([['INFO', 'memory']]);
      reader.close();
      return Number(/^used_memory:(\d+)/m.exec(String(info))?.[1]) / 2 ** 20;
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

/**
 * A community with points of all time for everybody, and ties among them; as many stand on the board of the instance.
 * @param {import('postgres').Sql} sql @param {number} size @param {(level: number) => number} pointsToNextLevel
 */
async function fill(sql, size, pointsToNextLevel) {
  const first = 10_000_000_000 + size * 10_000;
  const users = await sql`
    insert into users (telegram_user_id, display_name)
    select ${first}::bigint + n, 'Person ' || n from generate_series(1, ${size}) n returning id`;
  const userIds = users.map((row) => String(row['id']));
  const [place] = await sql`
    insert into communities (slug, name, counts_on_instance, created_by) values (${`bench-${size}`}, 'Bench', true, ${userIds[0] ?? ''}) returning id`;
  const communityId = String(place?.['id']);
  const ours = sql`(
    select id, telegram_user_id from users where telegram_user_id between ${first + 1}::bigint and ${first + size}::bigint) ours`;
  await sql.begin(async (tx) => {
    // What triggers would do for each row is done once for all.
    await tx`alter table community_members disable trigger community_members_compete`;
    await tx`alter table scores disable trigger user`;
    await tx`insert into community_members (community_id, user_id) select ${communityId}, id from ${ours} order by id`;
    await tx`
      insert into scores (community_id, user_id, points, reached_at)
      select place, id, 1 + (telegram_user_id * 7919) % 40000, now()
      from ${ours} cross join unnest(${[communityId, INSTANCE]}::uuid[]) place order by id`;
    await tx`
      insert into score_counts (board, period, since, score, members)
      select place, 'all', '1970-01-01', 1 + (telegram_user_id * 7919) % 40000, count(*)
      from ${ours} cross join unnest(${[communityId, INSTANCE]}::uuid[]) place group by 1, 4
      on conflict (board, period, since, score) do update set members = score_counts.members + excluded.members`;
    await tx`
      insert into bucket_counts (board, period, since, bucket, members)
      select board, period, since, score_bucket(score), sum(members) from score_counts
      where board = any(${[communityId, INSTANCE]}::uuid[]) group by 1, 2, 3, 4
      on conflict (board, period, since, bucket) do update set members = excluded.members`;
    // Badges that came with these points, as they would have.
    for (const [code, level] of /** @type {const} */ ([
      ['level_five', 5],
      ['level_ten', 10],
    ])) {
      const least = Array.from({ length: level }, (_, below) => pointsToNextLevel(below)).reduce(
        (sum, one) => sum + one,
      );
      await tx`
        insert into badges (user_id, community_id, code, earned_at)
        select user_id, community_id, ${code}, reached_at from scores
        where community_id = ${communityId} and points >= ${least}`;
    }
    await tx`alter table scores enable trigger user`;
    await tx`alter table community_members enable trigger community_members_compete`;
  });
  await sql`vacuum analyze scores, score_counts, bucket_counts, users, community_members, badges`;
  await sql`checkpoint`;
  return { communityId, userIds };
}

/** Claims as members send them: as many as go through, a transaction each with its history, ledger and badges. */
async function measureClaims() {
  const instance = await startInstance();
  try {
    const sql = instance.database();
    const members = await people(sql, MEMBERS);
    const [place] = await sql`
      insert into communities (slug, name, visibility, counts_on_instance, created_by)
      values ('bench', 'Bench', 'public', true, ${members[0]?.id ?? ''}) returning id`;
    await sql`
      insert into community_members (community_id, user_id, role)
      select ${place?.['id']}, id, 'member' from unnest(${members.map(({ id }) => id)}::uuid[]) id`;
    const tasks = await sql`
      insert into tasks (community_id, kind, title, points, recurrence, created_by)
      select ${place?.['id']}, 'check_in', 'Task ' || n, 5, 'daily', ${members[0]?.id ?? ''}
      from generate_series(1, ${TASKS}) n returning id`;
    await sql.end();
    let turn = 0;
    /** @type {number[]} */
    const times = [];
    const { perSecond } = await flood(CLAIMED, async () => {
      const number = turn++;
      const task = tasks[Math.floor(number / MEMBERS) % TASKS];
      const { status, ms } = await send(
        `${instance.url}/api/communities/${place?.['id']}/tasks/${task?.['id']}/claims`,
        {
          method: 'POST',
          headers: {
            cookie: members[number % MEMBERS]?.cookie ?? '',
            origin: instance.url,
            'content-type': 'application/json',
            'idempotency-key': `bench-${number}`,
          },
          body: '{}',
        },
      );
      times.push(ms);
      return { status: status === 201 ? 200 : status };
    });
    return [
      { metric: 'claims over HTTP, eight at once', ours: perSecond, unit: '/s' },
      { metric: 'one of them, p50', ours: quantile(times, 0.5), unit: 'ms' },
    ];
  } finally {
    await instance.remove();
  }
}
