// @ts-check
/**
 * Push. CPU of one message beside raw `node:crypto` and `web-push` as shipped, interleaved on one thread; what two cores
 * do beside one; then one announcement to 100,000 subscriptions through the built product and a push service of its own
 * that fails now and then, with the product killed in the middle. `BENCH_SUBSCRIPTIONS` takes another number.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import webpush from 'web-push';
import { cpuMsOf, median, startInstance, wait } from './instance.mjs';
import { builtParts } from './parts.mjs';
import { cores } from './push-cores.mjs';
import { raw } from './push-raw.mjs';
import { announce, appProcess, stage, startService, subscriptions } from './push-stage.mjs';

const SUBSCRIPTIONS = Number(process.env['BENCH_SUBSCRIPTIONS'] ?? '100000');
const ROUNDS = 9;
const MESSAGES = 400;
const TEXT = JSON.stringify({ web_push: 8030, notification: { title: 'Muster', body: 'x'.repeat(300) } });

export async function measure() {
  return [...(await cpu()), ...(await cores()), ...(await fanOut())];
}

async function cpu() {
  const parts = await builtParts(['message', 'vapid'].map((name) => `server/integrations/push/${name}`));
  try {
    const { messageFor, padded } = await import(`${parts.at}/message.js`);
    const { makeVapidKey, vapidHeader } = await import(`${parts.at}/vapid.js`);
    const key = makeVapidKey();
    const subject = 'mailto:bench@muster.example';
    const peer = webpush.generateVAPIDKeys();
    const browsers = subscriptions();
    const text = padded(TEXT);
    // The same number of bytes: a blank in the place of the byte that ends a text.
    const record = Buffer.from(`${text} `);
    const origin = 'https://fcm.googleapis.com';
    /** @type {Record<string, (browser: { p256dh: Buffer, auth: Buffer }) => unknown>} */
    const ways = {
      raw: (browser) => raw(browser, record),
      ours: (browser) =>
        messageFor(
          browser,
          { text, ttl: 60, urgency: 'high', topic: 'announcement:1' },
          vapidHeader(key, origin, subject),
        ),
      webPush: ({ p256dh, auth }) =>
        webpush.generateRequestDetails(
          { endpoint: `${origin}/x`, keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') } },
          TEXT,
          { vapidDetails: { subject, ...peer }, TTL: 60 },
        ),
    };
    /** @type {Record<string, number[]>} */
    const spent = { raw: [], ours: [], webPush: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, way] of Object.entries(ways)) {
        const before = process.cpuUsage();
        for (let count = 0; count < MESSAGES; count += browsers.length) for (const browser of browsers) way(browser);
        const { user, system } = process.cpuUsage(before);
        // The first round warms up.
        if (round > 0) spent[name]?.push((user + system) / MESSAGES);
      }
    }
    const [bare, ours, shipped] = ['raw', 'ours', 'webPush'].map((name) => median(spent[name] ?? []));
    const perSecond = (/** @type {number | undefined} */ micros) => 1_000_000 / (micros ?? Number.NaN);
    return [
      { metric: 'one message, CPU', ours: ours ?? null, unit: 'µs', peer: bare },
      {
        metric: 'messages a CPU second, beside raw node:crypto',
        ours: perSecond(ours),
        unit: '/s',
        peer: perSecond(bare),
      },
      {
        metric: 'messages a CPU second, beside web-push',
        ours: perSecond(ours),
        unit: '/s',
        peer: perSecond(shipped),
        share: 3.5,
      },
    ];
  } finally {
    parts.remove();
  }
}

/** @param {number} pid */
const residentOf = (pid) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

async function fanOut() {
  const folder = mkdtempSync(join(tmpdir(), 'muster-push-'));
  const service = await startService(folder);
  Object.assign(process.env, { PUSH_HOSTS: `localhost:${service.port}`, NODE_EXTRA_CA_CERTS: service.cert });
  let instance = await startInstance();
  const sql = instance.database();
  try {
    const { place, origin } = await stage(instance, sql, { service, count: SUBSCRIPTIONS });
    const [{ gone, live }] = /** @type {any} */ (
      await sql`
      select count(*) filter (where right(endpoint, 4)::int % 200 < 4)::int as gone,
        count(*) filter (where right(endpoint, 4)::int % 200 >= 4)::int as live
      from push_subscriptions where origin = ${origin}`
    );
    const id = await announce(sql, place);

    const begun = performance.now();
    let pid = appProcess();
    let peak = 0;
    let busy = 0;
    let killedAt = 0;
    const idle = residentOf(pid);
    let cpuBefore = cpuMsOf(pid) + cpuMsOf(service.pid);
    let windowBegan = begun;
    for (;;) {
      await wait(500);
      const [row] = await sql`select state, sent, gone, failed from notifications where id = ${id}`;
      peak = Math.max(peak, residentOf(pid));
      const now = performance.now();
      const cpu = cpuMsOf(pid) + cpuMsOf(service.pid);
      if (now - windowBegan > 4_000) {
        busy = Math.max(busy, (cpu - cpuBefore) / (now - windowBegan));
        [cpuBefore, windowBegan] = [cpu, now];
      }
      if (killedAt === 0 && row && row['sent'] > SUBSCRIPTIONS / 2) {
        killedAt = (await service.counts()).requests;
        process.kill(pid, 'SIGKILL');
        await instance.stop();
        const { home } = instance;
        instance = await startInstance({ home });
        pid = appProcess();
        [cpuBefore, windowBegan] = [cpuMsOf(pid) + cpuMsOf(service.pid), performance.now()];
      }
      if (row?.['state'] === 'done') break;
      if (now - begun > 1_200_000) throw new Error(`not done after twenty minutes: ${JSON.stringify(row)}`);
    }
    const seconds = (performance.now() - begun) / 1_000;
    const { tokens, twice, most, answers } = await service.counts();
    const [{ kept }] = /** @type {any} */ (
      await sql`
      select count(*)::int as kept from push_subscriptions where origin = ${origin} and right(endpoint, 4)::int % 200 < 4`
    );
    const [{ lost }] = /** @type {any} */ (
      await sql`
      select ${live} - count(*)::int as lost from push_subscriptions
      where origin = ${origin} and right(endpoint, 4)::int % 200 >= 4`
    );
    console.log(`answers ${JSON.stringify(answers)}, killed after ${killedAt} requests, idle ${Math.round(idle)} MB`);
    return [
      { metric: `${SUBSCRIPTIONS} subscriptions, killed half-way`, ours: seconds, unit: 's' },
      { metric: 'live browsers that got it', ours: tokens, unit: '', least: live },
      { metric: 'subscriptions that are gone and kept', ours: kept, unit: '', most: 0 },
      { metric: `live subscriptions lost (of ${live}, ${gone} gone)`, ours: lost, unit: '', most: 0 },
      // Six chunks of two hundred are on their way at once.
      { metric: 'got it twice: what was on its way when it was killed', ours: twice, unit: '', most: 1_200 },
      { metric: 'got it most often', ours: most, unit: '×', most: 2 },
      { metric: 'memory of the app at most', ours: peak, unit: 'MB', most: 250 },
      { metric: 'cores busy at most, with the push service', ours: busy, unit: '' },
    ];
  } finally {
    await sql.end({ timeout: 1 });
    await instance.remove();
    service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
