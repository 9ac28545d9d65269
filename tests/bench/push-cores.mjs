// @ts-check
/**
 * What a second core is worth to push. The pool alone, with one thread and with two: it encrypts, signs and calls a port
 * at which nobody listens, so that no receiver takes part of the cores. Then the built product, its database and a push
 * service together, bound to one core and free to use both: all that a machine of that size would have to do.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { freePort, median, root, startInstance, wait } from './instance.mjs';
import { announce, stage, startService, subscriptions } from './push-stage.mjs';

const ROUNDS = 5;
const BATCHES = 40;
/** As the product cuts and sends them. */
const [BATCH, BESIDE] = [200, 6];
const TEXT = JSON.stringify({ web_push: 8030, notification: { title: 'Muster', body: 'x'.repeat(300) } });
const PRODUCT_ROUNDS = 3;
const PRODUCT_SUBSCRIPTIONS = 10_000;

export async function cores() {
  return [...(await pool()), ...(await product())];
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

async function pool() {
  const built = mkdtempSync(join(root, 'node_modules/.tmp-push-'));
  try {
    const at = (/** @type {string} */ name) => join(root, `server/integrations/push/${name}.ts`);
    await build({
      configFile: false,
      root,
      logLevel: 'error',
      build: { ssr: true, outDir: built, rolldownOptions: { input: { pool: at('pool'), thread: at('thread') } } },
    });
    const { threads } = await import(`${built}/pool.js`);
    const through = { host: '127.0.0.1', port: await freePort() };
    const targets = Array.from({ length: BATCH / 50 }, subscriptions)
      .flat()
      .map((keys) => ({ id: randomUUID(), endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`, ...keys }));
    const batch = {
      text: TEXT,
      ttl: 60,
      urgency: 'high',
      topic: 'announcement:1',
      targets: targets.map((target) => ({ ...target, authorization: 0 })),
      authorizations: [`vapid t=${'x'.repeat(220)}, k=${'x'.repeat(87)}`],
      resting: [],
    };
    const { one, two, gain, gains } = await byTurns(ROUNDS, async (count) => {
      const sender = threads(join(built, 'thread.js'), { hosts: [], world: { through } }, count);
      try {
        // Threads that have begun to run.
        await Promise.all(Array.from({ length: 4 }, () => sender.send(batch)));
        let left = BATCHES;
        let tried = 0;
        const begun = performance.now();
        const work = async () => {
          for (; left > 0; ) {
            left -= 1;
            for (const result of await sender.send(batch)) if (result.error === 'CONNECTION') tried += 1;
          }
        };
        await Promise.all(Array.from({ length: BESIDE }, work));
        if (tried !== BATCHES * BATCH) throw new Error(`${tried} of ${BATCHES * BATCH} messages came to a connection`);
        return (BATCHES * BATCH * 1_000) / (performance.now() - begun);
      } finally {
        sender.close();
      }
    });
    console.log(`the pool with two threads beside one, round by round: ${gains.map((n) => n.toFixed(2)).join(', ')}`);
    return [
      { metric: 'the pool with one thread', ours: one, unit: '/s' },
      { metric: 'the pool with two threads', ours: two, unit: '/s' },
      { metric: 'two threads beside one', ours: gain, unit: '×', least: 1.9 },
    ];
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

async function product() {
  const folder = mkdtempSync(join(tmpdir(), 'muster-push-'));
  const service = await startService(folder, 'kind');
  Object.assign(process.env, { PUSH_HOSTS: `localhost:${service.port}`, NODE_EXTRA_CA_CERTS: service.cert });
  const instance = await startInstance();
  const sql = instance.database();
  try {
    const { place } = await stage(instance, sql, { service, count: PRODUCT_SUBSCRIPTIONS });
    const { one, two, gain, gains } = await byTurns(PRODUCT_ROUNDS, async (count) => {
      const which = count === 1 ? '0' : `0-${availableParallelism() - 1}`;
      for (const pid of [...instance.pids(), service.pid])
        execFileSync('taskset', ['-acp', which, String(pid)], { stdio: 'ignore' });
      const id = await announce(sql, place);
      for (;;) {
        await wait(100);
        const [row] = await sql`
          select state, sent, extract(epoch from finished_at - started_at)::float as seconds
          from notifications where id = ${id}`;
        if (row?.['state'] !== 'done') continue;
        if (row['sent'] !== PRODUCT_SUBSCRIPTIONS) throw new Error(`only ${row['sent']} were sent`);
        return PRODUCT_SUBSCRIPTIONS / row['seconds'];
      }
    });
    console.log(`the product on two cores beside one, round by round: ${gains.map((n) => n.toFixed(2)).join(', ')}`);
    return [
      { metric: 'the product and all around it on one core', ours: one, unit: '/s' },
      { metric: 'the product and all around it on two cores', ours: two, unit: '/s' },
      { metric: 'two cores beside one', ours: gain, unit: '×', least: 1.9 },
    ];
  } finally {
    await sql.end({ timeout: 1 });
    await instance.remove();
    service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
