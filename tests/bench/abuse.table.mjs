// @ts-check
/**
 * Everything at once that a stranger or a member can do to an instance, a minute long, with the limits of every day: from one
 * address, then from 500. What members feel meanwhile beside what they felt in quiet, and what it left: memory, disk, and
 * whether a real error of a member is still an issue of its own.
 */
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { emptied, JSON_TYPE } from './client-log.mjs';
import { people, quantile, startInstance, wait } from './instance.mjs';

const QUIET_SECONDS = 20;
const ABUSE_SECONDS = Number(process.env['BENCH_SECONDS'] ?? 60);
const MEMBERS = 100;
/** Reads and claims of members, by the clock, whether or not those before are answered. */
const MEMBERS_PER_SECOND = 20;
const CLAIM_EVERY = 5;
const TASKS = 40;
/** Requests of strangers that are under way at once, for each kind of abuse. */
const LANES = 8;
const DRIPPING = 400;
const MEMORY_MB = 300;
/** What a minute may add to the database: an hour's share of one address; the strangers' share of a day. */
const GROWTH_MB = { 'one address': 25, '500 addresses': 200 };

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * A request from one of this machine's own addresses, of which there are 16 million.
 * @param {string} url @param {{ from: string, method?: string, headers?: Record<string, string>, body?: string }} options
 * @returns {Promise<{ status: number, ms: number }>} status 0: the connection was refused or cut
 */
function sendFrom(url, { from, method = 'GET', headers = {}, body }) {
  const begun = performance.now();
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((done) => {
    const end = (/** @type {number} */ status) => done({ status, ms: performance.now() - begun });
    const options = { method, headers: { ...headers, ...length }, agent, localAddress: from, family: 4 };
    const outgoing = request(url, options, (answer) => {
      answer.resume();
      answer.on('end', () => end(answer.statusCode ?? 0));
      answer.on('error', () => end(0));
    });
    outgoing.on('error', () => end(0));
    outgoing.end(body);
  });
}

export async function measure() {
  return [...(await abused('one address', ['127.9.9.9'])), ...(await abused('500 addresses', addresses(500)))];
}

/** Each in a network of its own. @param {number} count */
const addresses = (count) => Array.from({ length: count }, (_, n) => `127.${10 + (n >> 8)}.${n & 255}.1`);

/** @param {keyof typeof GROWTH_MB} name @param {string[]} from */
async function abused(name, from) {
  const instance = await startInstance();
  const sql = instance.database(2);
  try {
    const stage = await setUp(sql, instance.url);
    await membersFor(stage, 5, 0);
    const quiet = await membersFor(stage, QUIET_SECONDS, 100);
    const before = await sizeMb(sql);
    let mostMb = 0;
    const looking = setInterval(() => {
      mostMb = Math.max(mostMb, instance.memoryMb([]).mb);
    }, 500);
    const [felt, answers] = await Promise.all([membersFor(stage, ABUSE_SECONDS, 600), abuse(stage, from)]);
    clearInterval(looking);
    const growth = (await sizeMb(sql)) - before;
    const isFound = await realErrorIsAnIssue(sql, stage);
    const one = name === 'one address';
    /** @param {string} what @param {number[]} felt @param {number[]} calm */
    const rows = (what, felt, calm) => [
      { metric: `${name}: ${what}, p99 in quiet`, ours: quantile(calm, 0.99), unit: 'ms' },
      {
        metric: `${name}: ${what}, p99`,
        ours: quantile(felt, 0.99),
        unit: 'ms',
        most: one ? 3 * quantile(calm, 0.99) : 1_000,
      },
    ];
    return [
      ...rows("members' reads", felt.reads, quiet.reads),
      ...rows("members' claims", felt.claims, quiet.claims),
      { metric: `${name}: refused of members, of ${felt.count}`, ours: felt.failed, unit: '', most: 0 },
      { metric: `${name}: memory of all processes, at the most`, ours: mostMb, unit: 'MB', most: MEMORY_MB },
      { metric: `${name}: growth of the database`, ours: growth, unit: 'MB', most: GROWTH_MB[name] },
      { metric: `${name}: a real error of a member is an issue of its own`, ours: isFound, unit: '', least: 1 },
      ...[...answers].map(([what, count]) => ({ metric: `${name}: ${what}`, ours: count, unit: 'requests' })),
    ];
  } finally {
    await sql.end({ timeout: 2 });
    await instance.remove();
  }
}

/** @typedef {Awaited<ReturnType<typeof setUp>>} Stage */

/** @param {import('postgres').Sql} sql @param {string} url */
async function setUp(sql, url) {
  const members = await people(sql, MEMBERS);
  const [place] = await sql`
    insert into communities (slug, name, visibility, created_by)
    values ('bench', 'Bench', 'public', ${members[0]?.id ?? ''}) returning id`;
  await sql`
    insert into community_members (community_id, user_id, role)
    select ${place?.id}, id, 'member' from unnest(${members.map(({ id }) => id)}::uuid[]) id`;
  const tasks = await sql`
    insert into tasks (community_id, kind, title, points, recurrence, created_by)
    select ${place?.id}, 'check_in', 'Task ' || n, 5, 'daily', ${members[0]?.id ?? ''} from generate_series(1, ${TASKS}) n
    returning id`;
  const setup = {
    kind: 'quiz',
    passPercent: 100,
    questions: [{ id: 'a', text: 'Which one?', options: ['x', 'y'].map((id) => ({ id, text: id })), correct: ['x'] }],
  };
  const [quiz] = await sql`
    insert into tasks (community_id, kind, title, points, recurrence, config, created_by)
    values (${place?.id}, 'quiz', 'Quiz', 5, 'once', ${sql.json(setup)}, ${members[0]?.id ?? ''}) returning id`;
  await sql`analyze`;
  const [abuser, ...others] = members;
  return { url, at: `${url}/api/communities/${place?.id}`, tasks, quiz: String(quiz?.['id']), abuser, members: others };
}

/** What members do in so many seconds. @param {Stage} stage @param {number} seconds @param {number} first of the turns */
async function membersFor({ url, at, tasks, members }, seconds, first) {
  /** @type {number[]} */
  const reads = [];
  /** @type {number[]} */
  const claims = [];
  let failed = 0;
  /** @type {Promise<void>[]} */
  const under = [];
  const count = seconds * MEMBERS_PER_SECOND;
  let due = performance.now();
  for (let turn = first * MEMBERS_PER_SECOND; turn < first * MEMBERS_PER_SECOND + count; turn++) {
    const early = due - performance.now();
    if (early > 0) await wait(early);
    due += 1_000 / MEMBERS_PER_SECOND;
    const isClaim = turn % CLAIM_EVERY === 0;
    const number = turn / CLAIM_EVERY;
    const member = members[(isClaim ? number : turn) % members.length];
    const task = tasks[Math.floor(number / members.length) % TASKS]?.['id'];
    const from = `127.1.${turn % 200}.1`;
    const headers = { cookie: member?.cookie ?? '', origin: url };
    const command = { ...headers, ...JSON_TYPE, 'idempotency-key': `bench-${number}` };
    under.push(
      (isClaim
        ? sendFrom(`${at}/tasks/${task}/claims`, { from, method: 'POST', headers: command, body: '{}' })
        : sendFrom(`${url}/api/auth/user`, { from, headers })
      ).then(({ status, ms }) => {
        (isClaim ? claims : reads).push(ms);
        if (status !== (isClaim ? 201 : 200)) failed += 1;
      }),
    );
  }
  await Promise.all(under);
  return { reads, claims, failed, count };
}

/** Everything at once. Answers how often each kind was answered how. @param {Stage} stage @param {string[]} from */
async function abuse({ url, at, quiz, abuser }, from) {
  const end = performance.now() + ABUSE_SECONDS * 1000;
  /** @type {Map<string, number>} */
  const answers = new Map();
  let n = 0;
  const address = () => from[n++ % from.length] ?? '';
  const log = (/** @type {object} */ data) => ({
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ type: 'error', data: { timestamp: new Date().toISOString(), ...data } }),
  });
  const logs = `${url}/api/debug/client-logs`;
  /** @type {Record<string, () => [string, { method?: string, headers?: Record<string, string>, body?: string }]>} */
  const kinds = {
    'hostile patterns': () => [logs, log({ message: '=/'.repeat(30_000) })],
    'large entries': () => [logs, log({ message: 'x', additionalData: { text: randomUUID().repeat(800) } })],
    'invented errors': () => [logs, log({ message: `${randomUUID()} is no function`, source: 'window.error' })],
    'failing tries': () => [
      `${at}/tasks/${quiz}/claims`,
      {
        method: 'POST',
        headers: { ...JSON_TYPE, cookie: abuser?.cookie ?? '', origin: url, 'idempotency-key': randomUUID() },
        body: JSON.stringify({
          evidence: {
            kind: 'quiz',
            startedAt: new Date().toISOString(),
            answers: [{ questionId: 'a', optionIds: ['y'] }],
          },
        }),
      },
    ],
    OpenAPI: () => [`${url}/api/openapi.json`, {}],
    'broken JSON': () => [logs, { method: 'POST', headers: JSON_TYPE, body: '{"type":'.repeat(2_000) }],
    'sign-ins begun': () => [`${url}/api/auth/telegram/start`, {}],
    'sessions guessed': () => [`${url}/api/auth/user`, { headers: { cookie: `sid=${randomUUID()}` } }],
    'unknown addresses': () => [`${url}/api/${randomUUID()}`, {}],
  };
  const lane = async (/** @type {string} */ kind) => {
    while (performance.now() < end) {
      const [to, options] = kinds[kind]?.() ?? [url, {}];
      const { status } = await sendFrom(to, { from: address(), ...options });
      const key = `${kind} answered ${status === 0 ? 'by a cut' : status}`;
      answers.set(key, (answers.get(key) ?? 0) + 1);
      // Whoever is refused the connection would otherwise only burn the bench's own processor time.
      if (status === 0) await wait(20);
    }
  };
  const lanes = Object.keys(kinds).flatMap((kind) => Array.from({ length: LANES }, () => lane(kind)));
  await Promise.all([...lanes, drip(new URL(url), from, end)]);
  return new Map([...answers].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Connections that send a header letter by letter. @param {URL} url @param {string[]} from @param {number} end */
async function drip(url, from, end) {
  const sockets = Array.from({ length: DRIPPING }, (_, n) => {
    const socket = connect({
      host: '127.0.0.1',
      port: Number(url.port),
      localAddress: from[n % from.length] ?? '127.0.0.1',
    });
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    return socket;
  });
  while (performance.now() < end) {
    for (const socket of sockets) if (socket.writable) socket.write('x');
    await wait(1_000);
  }
  for (const socket of sockets) socket.destroy();
}

/** @param {import('postgres').Sql} sql */
async function sizeMb(sql) {
  const [row] = await sql`select pg_database_size(current_database()) as bytes`;
  return Number(row?.['bytes']) / 1e6;
}

/** A member's error after all of it. @param {import('postgres').Sql} sql @param {Stage} stage */
async function realErrorIsAnIssue(sql, { url, members }) {
  const message = 'TypeError: The real one of a member cannot be read';
  const stack = `${message}\n    at draw (${url}/assets/app-a1b2c3d4.js:1:1000)`;
  const { status } = await sendFrom(`${url}/api/debug/client-logs`, {
    from: '127.1.1.1',
    method: 'POST',
    headers: { ...JSON_TYPE, cookie: members[0]?.cookie ?? '', origin: url },
    body: JSON.stringify({
      type: 'error',
      data: { message, stack, source: 'window.error', timestamp: new Date().toISOString() },
    }),
  });
  if (status !== 200 && status !== 204 && status !== 201) return 0;
  await emptied(sql);
  await wait(500);
  const [row] = await sql`
    select count(*)::int as found from client_log_issues where title like '%real one of a member%'`;
  return Number(row?.['found']);
}
