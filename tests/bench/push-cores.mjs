// @ts-check
/**
 * What a second core is worth to push. First what costs only reckoning: threads as the pool starts them, each encrypting
 * with the built code, one beside two. Then the built product, its database and a push service together, bound to one
 * core and free to use both: all that a machine of that size would have to do. (A sender's thread has helpers of its own
 * that collect garbage, and the push service takes a share as well: two threads beside one would measure neither.)
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { cpuMsOf, median, startInstance, wait } from './instance.mjs';
import { builtParts } from './parts.mjs';
import { announce, stage, startService, subscriptions } from './push-stage.mjs';

const ROUNDS = 5;
const MESSAGES = 8_000;
const TEXT = JSON.stringify({ web_push: 8030, notification: { title: 'Muster', body: 'x'.repeat(300) } });
const PRODUCT_ROUNDS = 3;
const PRODUCT_SUBSCRIPTIONS = 20_000;

export async function cores() {
  return [...(await encryption()), ...(await product())];
}

/** Rounds by turns, so that what else the machine does falls on both. @param {number} rounds @param {(count: 1 | 2) => Promise<number>} play gives messages a second */
async function byTurns(rounds, play) {
  /** @type {{ 1: number[], 2: number[], gain: number[] }} */
  const seen = { 1: [], 2: [], gain: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const [one, two] = [await play(1), await play(2)];
    // The first round warms up.
    if (round === 0) continue;
    seen[1].push(one);
    seen[2].push(two);
    seen.gain.push(two / one);
  }
  return { one: median(seen[1]), two: median(seen[2]), gain: median(seen.gain), gains: seen.gain };
}

/** Encrypts as many messages as it is told, whenever it is told: as the product does, or by raw `node:crypto`. */
const ENCRYPTS = `
  const { parentPort, workerData: { at, rawAt, text, keys } } = require('node:worker_threads');
  Promise.all([import(at + '/message.js'), import(rawAt)]).then(
    ([{ messageFor, padded }, { raw }]) => {
      const content = { text: padded(text), ttl: 60, urgency: 'high', topic: 'announcement:1' };
      const record = Buffer.from(content.text + ' ');
      const ways = { ours: (key) => messageFor(key, content, 'vapid'), raw: (key) => raw(key, record) };
      parentPort.on('message', ({ way, count }) => {
        for (let done = 0; done < count; done += 1) ways[way](keys[done % keys.length]);
        parentPort.postMessage('done');
      });
      parentPort.postMessage('ready');
    },
  );`;

async function encryption() {
  const parts = await builtParts(['pool', 'message'].map((name) => `server/integrations/push/${name}`));
  try {
    const { SMALL } = await import(`${parts.at}/pool.js`);
    const workerData = {
      at: parts.at,
      rawAt: import.meta.resolve('./push-raw.mjs'),
      text: TEXT,
      keys: subscriptions().map(({ p256dh, auth }) => ({ p256dh, auth })),
    };
    const threads = async (/** @type {'ours' | 'raw'} */ way, /** @type {1 | 2} */ count) => {
      const all = Array.from(
        { length: count },
        () => new Worker(ENCRYPTS, { eval: true, workerData, resourceLimits: SMALL }),
      );
      const heard = () => Promise.all(all.map((thread) => new Promise((done) => thread.once('message', done))));
      const encrypt = (/** @type {number} */ messages) => {
        const done = heard();
        for (const thread of all) thread.postMessage({ way, count: messages });
        return done;
      };
      await heard();
      await encrypt(MESSAGES / 8);
      const begun = performance.now();
      await encrypt(MESSAGES);
      const seconds = (performance.now() - begun) / 1_000;
      await Promise.all(all.map((thread) => thread.terminate()));
      return (MESSAGES * count) / seconds;
    };
    /** @type {number[]} */
    const rawGains = [];
    const { one, two, gain, gains } = await byTurns(ROUNDS, async (count) => {
      // What the machine's second core is worth at that moment, to code that keeps nothing and waits for nothing.
      if (count === 1) rawGains.push((await threads('raw', 2)) / (await threads('raw', 1)));
      return threads('ours', count);
    });
    const rounds = (/** @type {number[]} */ all) => all.map((n) => n.toFixed(2)).join(', ');
    console.log(`two threads beside one, round by round: ours ${rounds(gains)}; raw ${rounds(rawGains.slice(1))}`);
    return [
      { metric: 'messages encrypted by one thread', ours: one, unit: '/s' },
      { metric: 'messages encrypted by two threads', ours: two, unit: '/s' },
      { metric: 'encrypting: two threads beside one', ours: gain, unit: '×', least: 1.9 },
      {
        metric: 'the same beside raw node:crypto',
        ours: gain,
        unit: '×',
        peer: median(rawGains.slice(1)),
        share: 0.95,
      },
    ];
  } finally {
    parts.remove();
  }
}

/** Milliseconds that all cores together had nothing to do. */
const idleMs = () => Number(readFileSync('/proc/stat', 'utf8').split(/\s+/)[4]) * 10;

async function product() {
  const folder = mkdtempSync(join(tmpdir(), 'muster-push-'));
  const service = await startService(folder, 'kind');
  Object.assign(process.env, { PUSH_HOSTS: `localhost:${service.port}`, NODE_EXTRA_CA_CERTS: service.cert });
  const instance = await startInstance();
  const sql = instance.database();
  try {
    const { place } = await stage(instance, sql, { service, count: PRODUCT_SUBSCRIPTIONS });
    /** Of the time of both cores that other programs left, what was used. @type {number[]} */
    const used = [];
    const { one, two, gain, gains } = await byTurns(PRODUCT_ROUNDS, async (count) => {
      const which = count === 1 ? '0' : `0-${availableParallelism() - 1}`;
      const pids = [...instance.pids(), service.pid ?? 0];
      for (const pid of pids) execFileSync('taskset', ['-acp', which, String(pid)], { stdio: 'ignore' });
      const cpu = () => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
      const [before, idleBefore, begun] = [cpu(), idleMs(), performance.now()];
      const id = await announce(sql, place);
      for (;;) {
        await wait(100);
        const [row] = await sql`
          select state, sent, extract(epoch from finished_at - started_at)::float as seconds
          from notifications where id = ${id}`;
        if (row?.['state'] !== 'done') continue;
        if (row['sent'] !== PRODUCT_SUBSCRIPTIONS) throw new Error(`only ${row['sent']} were sent`);
        const ms = performance.now() - begun;
        const [busy, idle] = [(cpu() - before) / ms, (idleMs() - idleBefore) / ms];
        if (count === 2) used.push(busy / (busy + idle));
        const micros = ((cpu() - before) * 1_000) / PRODUCT_SUBSCRIPTIONS;
        const words = `${row['seconds'].toFixed(1)} s, ${busy.toFixed(2)} cores busy, ${idle.toFixed(2)} idle`;
        console.log(`on ${count}: ${words}, ${micros.toFixed(0)} µs a message`);
        return PRODUCT_SUBSCRIPTIONS / row['seconds'];
      }
    });
    console.log(`the product on two cores beside one, round by round: ${gains.map((n) => n.toFixed(2)).join(', ')}`);
    return [
      { metric: 'the product and all around it on one core', ours: one, unit: '/s' },
      { metric: 'the product and all around it on two cores', ours: two, unit: '/s' },
      { metric: 'of what two cores had to give, used', ours: median(used), unit: '' },
      { metric: 'the product: two cores beside one', ours: gain, unit: '×', least: 1.9 },
    ];
  } finally {
    await sql.end({ timeout: 1 });
    await instance.remove();
    service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
