// @ts-check
/**
 * Client logs under abuse, with the limits of every day: 64 connections that send batches without a pause and heed no 429,
 * from one address and from thousands; what a member feels meanwhile, and the memory of all processes.
 */
import { randomUUID } from 'node:crypto';
import { batch, JSON_TYPE, watchLag } from './client-log.mjs';
import { people, quantile, startInstance, wait } from './instance.mjs';
import { send } from './load.mjs';

const SECONDS = 15;
const CONNECTIONS = 64;
const MEMBERS = 20;
const READ_EVERY_MS = 50;
const LOOK_EVERY_MS = 200;
/** More than that and the sender is what is measured. */
const MADE_BATCHES = 200;
const ADDRESSES = Array.from({ length: 5_000 }, (_, n) => `10.${n >> 12}.${(n >> 4) & 255}.${(n & 15) * 16 + 1}`);

export async function measure() {
  return [...(await underAbuse('one address', false)), ...(await underAbuse('5,000 addresses', true))];
}

/** @param {string} from @param {boolean} isMany */
async function underAbuse(from, isMany) {
  process.env['TRUSTED_PROXIES'] = '127.0.0.1,::1';
  const instance = await startInstance();
  delete process.env['TRUSTED_PROXIES'];
  const sql = instance.database(1);
  try {
    const members = await people(sql, MEMBERS);
    const [meter] = await sql`select pg_backend_pid() as pid`;
    const meters = [Number(meter?.['pid'])];
    const memory = watchMemory(() => instance.memoryMb(meters));
    const lag = watchLag(sql);
    const reads = readMeanwhile(instance.url, members);
    const answers = await abuse(instance.url, isMany);
    const { times, failed } = await reads.end();
    const longest = await lag.end();
    const most = await memory.end();
    await sql.end({ timeout: 2 });
    await wait(2_000);
    const after = instance.memoryMb([]);
    const told = answers.get(429) ?? 0;
    const taken = answers.get(200) ?? 0;
    const others = [...answers.values()].reduce((sum, count) => sum + count, 0) - told - taken;
    const kinds = Object.entries(most.kinds).map(([kind, mb]) => ({
      metric: `${from}: of it ${kind}`,
      ours: mb,
      unit: 'MB',
    }));
    return [
      { metric: `${from}: batches told to come back`, ours: told, unit: 'requests', least: 1 },
      { metric: `${from}: batches taken`, ours: taken, unit: 'requests', least: 1 },
      { metric: `${from}: batches answered otherwise`, ours: others, unit: 'requests', most: 0 },
      { metric: `${from}: another member's reads, p50`, ours: quantile(times, 0.5), unit: 'ms' },
      { metric: `${from}: another member's reads, p99`, ours: quantile(times, 0.99), unit: 'ms' },
      { metric: `${from}: another member's reads that failed, of ${times.length}`, ours: failed, unit: '', most: 0 },
      { metric: `${from}: longest wait to be ingested`, ours: longest, unit: 'ms', most: 5_000 },
      { metric: `${from}: memory of all processes, at the most`, ours: most.mb, unit: 'MB', most: 250 },
      ...kinds,
      { metric: `${from}: the same, did nobody else run these programs`, ours: most.aloneMb, unit: 'MB' },
      { metric: `${from}: memory of all processes, afterwards`, ours: after.mb, unit: 'MB', most: 250 },
    ];
  } finally {
    await sql.end({ timeout: 2 });
    await instance.remove();
  }
}

/** Answers how often each status came. @param {string} url @param {boolean} isMany */
async function abuse(url, isMany) {
  const bodies = Array.from({ length: MADE_BATCHES }, (_, n) => batch(n * 25));
  /** @type {Map<number, number>} */
  const answers = new Map();
  let n = 0;
  const end = performance.now() + SECONDS * 1000;
  const connection = async () => {
    while (performance.now() < end) {
      n += 1;
      // Ids that nobody has sent before, at the cost of a few characters.
      const tail = randomUUID().slice(8);
      let id = n * 25;
      const body =
        bodies[n % MADE_BATCHES]?.replaceAll(
          /"id":"[^"]{36}/g,
          () => `"id":"${(id++).toString(16).padStart(8, '0')}${tail}`,
        ) ?? '';
      const { status } = await send(`${url}/api/debug/client-logs/batch`, {
        method: 'POST',
        headers: {
          ...JSON_TYPE,
          'content-length': String(Buffer.byteLength(body)),
          'x-forwarded-for': isMany ? (ADDRESSES[n % ADDRESSES.length] ?? '') : '10.9.9.9',
        },
        body,
      });
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return answers;
}

/** @param {string} url @param {{ cookie: string }[]} members */
function readMeanwhile(url, members) {
  /** @type {number[]} */
  const times = [];
  let failed = 0;
  let going = true;
  const reading = (async () => {
    for (let n = 0; going; n += 1) {
      const headers = { cookie: members[n % members.length]?.cookie ?? '', 'x-forwarded-for': '10.8.8.8' };
      const { status, ms } = await send(`${url}/api/auth/user`, { headers });
      times.push(ms);
      if (status !== 200) failed += 1;
      await wait(READ_EVERY_MS);
    }
  })();
  return {
    async end() {
      going = false;
      await reading;
      return { times, failed };
    },
  };
}

/** @typedef {{ mb: number, aloneMb: number, kinds: Record<string, number> }} Memory */

/** @param {() => Memory} look */
function watchMemory(look) {
  let most = look();
  const timer = setInterval(() => {
    const now = look();
    if (now.mb > most.mb) most = now;
  }, LOOK_EVERY_MS);
  return {
    async end() {
      clearInterval(timer);
      return most;
    },
  };
}
