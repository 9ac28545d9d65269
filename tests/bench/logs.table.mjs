// @ts-check
/**
 * Client logs: intake beside Express 5 that parses the same body and keeps nothing, and beside a server by hand that parses
 * it and writes each batch with one COPY; then what ops read of a million entries in 2,000 groups, alone and while devices
 * deliver.
 */
import { spawn } from 'node:child_process';
import { seedLogs } from '../support/log-seed.mjs';
import { batch, emptied, entry, JSON_TYPE, single, watchLag } from './client-log.mjs';
import { freePort, median, people, quantile, root, startInstance, wait } from './instance.mjs';
import { send } from './load.mjs';
import { copyRate, startCopier } from './logs-copier.mjs';

const ENTRIES = Number(process.env['BENCH_ENTRIES'] ?? 1_000_000);
const GROUPS = 2_000;
const SECONDS = 4;
/** Many times as long as it takes to fill the inbox. */
const LONG_SECONDS = 20;
/** Phones that send at the same time: a commit is shared by those that wait for it. */
const PHONES = 64;
const READS = 40;
export async function measure() {
  const instance = await startUnlimited();
  const sql = instance.database();
  const port = await freePort();
  const peer = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import express from 'express';
       express().use(express.json()).post('/', (_req, res) => res.status(204).end()).listen(${port}, '127.0.0.1');`,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
  );
  const copier = await startCopier(sql);
  try {
    const intake = await measureIntake(instance, sql, { port, copier: copier.url });
    peer.kill();
    copier.kill();
    await sql`drop table bench_copy`;
    const reads = await measureReads(instance, sql);
    return [...intake, ...reads];
  } finally {
    peer.kill();
    copier.kill();
    await sql.end();
    await instance.remove();
  }
}

/** Without the limits of requests. */
async function startUnlimited() {
  process.env['CLIENT_LOG_RATE'] = '9999';
  process.env['CLIENT_LOG_DAY_MB'] = '100000';
  const instance = await startInstance();
  delete process.env['CLIENT_LOG_RATE'];
  delete process.env['CLIENT_LOG_DAY_MB'];
  return instance;
}

/**
 * As many as are taken within a time. As a phone does: told to come back, it waits for as long as it is told and sends again.
 * @param {number} seconds @param {() => ReturnType<typeof send>} one @param {number} status
 */
async function taken(seconds, one, status) {
  const begun = performance.now();
  const end = begun + seconds * 1000;
  let count = 0;
  const phone = async () => {
    while (performance.now() < end) {
      const answer = await one();
      if (answer.status === status) count += 1;
      else if (answer.status !== 429) throw new Error(`answered ${answer.status}`);
      else await wait(Math.min(answer.retryAfter * 1000, end - performance.now()));
    }
  };
  await Promise.all(Array.from({ length: PHONES }, phone));
  return { count, perSecond: (count * 1000) / (performance.now() - begun) };
}

let n = 0;
const post = (/** @type {string} */ url, /** @type {string} */ body) =>
  send(url, { method: 'POST', headers: { ...JSON_TYPE, 'content-length': String(Buffer.byteLength(body)) }, body });
const takenBatches = (/** @type {{ url: string }} */ { url }, /** @type {number} */ seconds) =>
  taken(seconds, () => post(`${url}/api/debug/client-logs/batch`, batch(n++ * 25)), 200);

/**
 * A flood of batches that is much longer than what may wait, on an instance of its own: the other's entries of the day are
 * many already. @param {(seconds: number) => ReturnType<typeof taken>} copied
 */
async function measureLong(copied) {
  const instance = await startUnlimited();
  const sql = instance.database();
  try {
    await takenBatches(instance, 1);
    await emptied(sql);
    const lag = watchLag(sql);
    const ours = await takenBatches(instance, LONG_SECONDS);
    await emptied(sql);
    const longest = await lag.end();
    const peer = await copied(LONG_SECONDS);
    return { ours: ours.perSecond * 25, peer: peer.perSecond * 25, lag: longest };
  } finally {
    await sql.end();
    await instance.remove();
  }
}

/**
 * @param {Awaited<ReturnType<typeof startInstance>>} instance @param {import('postgres').Sql} sql
 * @param {{ port: number, copier: string }} peers
 */
async function measureIntake(instance, sql, { port, copier }) {
  while (!(await fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }).catch(() => null))?.status) await wait(20);
  const ours = (/** @type {number} */ seconds) =>
    taken(seconds, () => post(`${instance.url}/api/debug/client-logs`, single(n++)), 201);
  const peer = (/** @type {number} */ seconds) =>
    taken(seconds, () => post(`http://127.0.0.1:${port}/`, single(n++)), 204);
  const batches = (/** @type {number} */ seconds) => takenBatches(instance, seconds);
  const copied = (/** @type {number} */ seconds) => taken(seconds, () => post(copier, batch(n++ * 25)), 200);
  for (const one of [ours, peer, batches, copied]) await one(1);
  /** @type {{ ours: number, peer: number, cpu: number, batches: number, sent: number, copied: number, ingested: number, lag: number }[]} */
  const rounds = [];
  // Each beside its peer: the machine of one minute is not that of the next.
  for (let round = 0; round < 3; round += 1) {
    await emptied(sql);
    const before = instance.cpuMs();
    const singles = await ours(SECONDS);
    // What still waits to be ingested is part of what these requests cost.
    await emptied(sql);
    const cpu = (instance.cpuMs() - before) / singles.count;
    const alike = await peer(SECONDS);
    const lag = watchLag(sql);
    const many = await batches(SECONDS);
    const waiting = Number((await sql`select count(*) from client_log_inbox`)[0]?.['count']);
    const begun = performance.now();
    await emptied(sql);
    const ingested = (waiting * 1000) / Math.max(1, performance.now() - begun);
    const longest = await lag.end();
    const manyAlike = await copied(SECONDS);
    const rate = await copyRate(sql, SECONDS, entry(1));
    await sql`truncate bench_copy`;
    rounds.push({
      ours: singles.perSecond,
      peer: alike.perSecond,
      cpu,
      batches: many.perSecond * 25,
      sent: manyAlike.perSecond * 25,
      copied: rate,
      ingested,
      lag: longest,
    });
  }
  const long = await measureLong(copied);
  const middle = (/** @type {keyof typeof rounds[0]} */ name) => median(rounds.map((round) => round[name]));
  return [
    { metric: 'intake, one entry a request', ours: middle('ours'), unit: 'req/s', peer: middle('peer'), share: 0.5 },
    { metric: 'CPU a request, Node and PostgreSQL, ingestion included', ours: middle('cpu'), unit: 'ms', most: 0.3 },
    { metric: 'intake, batches of 25', ours: middle('batches'), unit: 'entries/s', peer: middle('sent') },
    { metric: 'the same beside COPY without HTTP', ours: middle('batches'), unit: 'entries/s', peer: middle('copied') },
    { metric: 'batches of 25, a flood of twenty seconds', ours: long.ours, unit: 'entries/s', peer: long.peer },
    {
      metric: 'longest wait to be ingested, of four floods',
      ours: Math.max(long.lag, ...rounds.map((round) => round.lag)),
      unit: 'ms',
      most: 5_000,
    },
    { metric: 'ingested into issues', ours: middle('ingested'), unit: 'entries/s', least: 4_000 },
  ];
}

/** @param {Awaited<ReturnType<typeof startInstance>>} instance @param {import('postgres').Sql} sql */
async function measureReads(instance, sql) {
  await sql`truncate client_log_entries, client_log_ids, client_log_groups, client_log_issues, client_log_hours, client_log_days,
    client_log_facets, client_log_people, client_log_series, client_log_devices, client_log_issue_events, client_log_messages`;
  const now = new Date();
  await seedLogs(sql, { entries: ENTRIES, groups: GROUPS, days: 30, now });
  const staff = await people(sql, 4);
  await sql`update users set role = 'ops' where id = any(${staff.map(({ id }) => id)}::uuid[])`;
  const issues =
    await sql`select id from client_log_issues i order by (select count from client_log_groups g where g.issue_id = i.id) desc limit 200`;
  const entries = await sql`select id from client_log_entries where kind = 'error' order by happened_at desc limit 100`;
  const from = (/** @type {number} */ days) => `from=${new Date(now.getTime() - days * 86_400_000).toISOString()}`;
  const id = (/** @type {number} */ n) => String(issues[(n * 7) % issues.length]?.['id']);
  /** @type {Record<string, (n: number) => string>} */
  const pages = {
    'list, a day': () => '/issues',
    'list, 30 days': () => `/issues?${from(30)}`,
    'list, by count': () => `/issues?${from(30)}&sort=count`,
    'list, release and engine': () => `/issues?${from(30)}&release=r2&engine=firefox`,
    'list, search': (n) => `/issues?${from(30)}&q=kind ${n}`,
    'bars, a day': () => '/histogram',
    'bars, 30 days': () => `/histogram?${from(30)}`,
    'bars, one release': () => `/histogram?${from(30)}&release=r3`,
    'bars, two filters, 7 days': () => `/histogram?${from(7)}&release=r3&engine=webkit`,
    'entries, a day': () => '/entries',
    'entries, two filters, 30 days': () => `/entries?${from(30)}&release=r1&display=standalone`,
    'entries, words': (n) => `/entries?${from(30)}&q=kind ${n * 3}`,
    'entries of an issue': (n) => `/entries?${from(30)}&issue=${id(n)}`,
    'issue page': (n) => `/issues/${id(n)}?${from(30)}`,
    'entry page': (n) => `/entries/${entries[n % 100]?.['id']}`,
    choices: () => `/choices?${from(30)}`,
    fleet: () => '/fleet',
  };
  let turn = 0;
  const read = async (/** @type {string} */ path) => {
    const answer = await send(`${instance.url}/api/admin/client-logs${path}`, {
      headers: { cookie: staff[turn++ % staff.length]?.cookie ?? '' },
    });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    return answer.ms;
  };
  const p95 = async (/** @type {(n: number) => string} */ page) => {
    for (let n = 0; n < 4; n += 1) await read(page(n));
    const times = [];
    for (let n = 0; n < READS; n += 1) times.push(await read(page(n)));
    await sql`delete from rate_limits`;
    return quantile(times, 0.95);
  };
  const rows = [];
  for (const [name, page] of Object.entries(pages))
    rows.push({ metric: `${name}: p95`, ours: await p95(page), unit: 'ms', most: 150 });
  // The same, while devices deliver a hundred batches a second.
  let going = true;
  let n = 0;
  const devices = (async () => {
    while (going) {
      const body = batch(n++ * 25);
      await send(`${instance.url}/api/debug/client-logs/batch`, {
        method: 'POST',
        headers: { ...JSON_TYPE, 'content-length': String(Buffer.byteLength(body)) },
        body,
      });
      await wait(10);
    }
  })();
  for (const name of ['list, 30 days', 'bars, 30 days', 'issue page'])
    rows.push({
      metric: `${name}, during delivery: p95`,
      ours: await p95(pages[name] ?? (() => '/issues')),
      unit: 'ms',
      most: 150,
    });
  going = false;
  await devices;
  // What the measuring connections hold is not the product's.
  await sql.end({ timeout: 2 });
  rows.push({ metric: 'memory of all processes', ours: instance.residentMb(), unit: 'MB', most: 250 });
  return rows;
}
