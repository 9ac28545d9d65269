// @ts-check
/**
 * The first visit and the return on a phone: 150 ms there and back, 1.6 Mbit/s, a page four times slower than this machine.
 * Every visit is a browser process of its own on the device's profile, through the relay.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { median, memberOfSample, root, startInstance, wait } from './instance.mjs';
import { startPhone } from './phone.mjs';
import { startRelay } from './relay.mjs';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const QUIET_MS = 2_000;
const SETTLED_WITHIN_MS = 45_000;
/** @typedef {{ profile: string, url: string, mode?: import('./relay.mjs').Mode, ready?: string, cookie?: string }} Visit */

/** @param {Awaited<ReturnType<typeof startRelay>>} relay @param {Visit} visit */
async function open(relay, { profile, url, mode = 'phone', ready = 'main h1', cookie }) {
  relay.reset(mode);
  const { page, close } = await startPhone({ relay, profile, url, ...(cookie && { cookie }) });
  try {
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator(ready).first().waitFor({ state: 'attached', timeout: SETTLED_WITHIN_MS });
    if (mode === 'hang' || mode === 'refuse') await wait(5_000);
    else {
      // One visit is over when the device has what it needs for the next.
      await page.waitForFunction(() => navigator.serviceWorker.controller, undefined, { timeout: SETTLED_WITHIN_MS });
      for (const end = Date.now() + SETTLED_WITHIN_MS; Date.now() < end; await wait(100))
        if (Date.now() - relay.state.last > QUIET_MS) break;
    }
    const figures = await page.evaluate(() => {
      const { seen } = /** @type {any} */ (globalThis);
      const requests =
        performance.getEntriesByType('resource').filter(({ startTime }) => startTime <= seen.taken).length + 1;
      return { ...seen, requests };
    });
    return { ...figures, wire: relay.state.down };
  } finally {
    await close();
    relay.cut();
  }
}

/** Every file of the built page that fits, in kB as brotli. @param {string} page @param {RegExp} pattern */
function weight(page, pattern) {
  const html = readFileSync(join(root, 'dist/client', page), 'utf8');
  const files = new Set([...html.matchAll(pattern)].map(([, file]) => String(file)));
  return [...files].reduce(
    (sum, file) => sum + brotliCompressSync(readFileSync(join(root, 'dist/client', file))).length / 1000,
    0,
  );
}

export async function measure() {
  const instance = await startInstance();
  const relay = await startRelay(Number(new URL(instance.url).port));
  const sql = instance.database();
  const { cookie, slug } = await memberOfSample(sql);
  await sql.end();
  const home = `${instance.url}/`;
  const today = `${instance.url}/community/${slug}/dashboard`;
  /** @type {Record<'first' | 'again' | 'offline' | 'hanging' | 'today', Awaited<ReturnType<typeof open>>[]>} */
  const visits = { first: [], again: [], offline: [], hanging: [], today: [] };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const profile = mkdtempSync(join(tmpdir(), 'bench-visitor-'));
      const device = mkdtempSync(join(tmpdir(), 'bench-member-'));
      try {
        visits.first.push(await open(relay, { profile, url: home }));
        visits.again.push(await open(relay, { profile, url: home }));
        visits.offline.push(await open(relay, { profile, url: home, mode: 'refuse' }));
        visits.hanging.push(await open(relay, { profile, url: home, mode: 'hang' }));
        const own = { profile: device, url: today, ready: 'main .board', cookie };
        await open(relay, { ...own, mode: 'fast' });
        await open(relay, { ...own, mode: 'fast' });
        visits.today.push(await open(relay, { ...own, mode: 'hang' }));
      } finally {
        for (const folder of [profile, device]) rmSync(folder, { recursive: true, force: true });
      }
    }
  } finally {
    relay.close();
    await instance.remove();
  }
  /** @param {keyof typeof visits} name @param {'lcp' | 'shift' | 'blocked' | 'requests' | 'wire'} figure */
  const of = (name, figure) => median(visits[name].map((visit) => visit[figure]));
  return [
    { metric: 'landing, first visit: LCP', ours: of('first', 'lcp'), unit: 'ms', most: 1000 },
    { metric: 'landing, first visit: blocked', ours: of('first', 'blocked'), unit: 'ms', most: 150 },
    { metric: 'landing, first visit: layout shift', ours: of('first', 'shift'), unit: '', most: 0 },
    {
      metric: 'landing, first visit: requests before the app takes over',
      ours: of('first', 'requests'),
      unit: '',
      most: 10,
    },
    {
      metric: 'entry JavaScript',
      ours: weight('app.html', /(?:src|href)="\/(assets\/[^"]+\.js)"/g),
      unit: 'kB br',
      most: 110,
    },
    { metric: "landing's CSS", ours: weight('index.html', /href="\/(assets\/[^"]+\.css)"/g), unit: 'kB br', most: 12 },
    { metric: 'repeat visit: LCP', ours: of('again', 'lcp'), unit: 'ms' },
    { metric: 'repeat visit: on the wire', ours: of('again', 'wire') / 1000, unit: 'kB', most: 2 },
    { metric: 'offline: LCP', ours: of('offline', 'lcp'), unit: 'ms' },
    {
      metric: 'server hangs: LCP beside the repeat visit',
      ours: of('hanging', 'lcp'),
      unit: 'ms',
      most: of('again', 'lcp') * 1.2,
    },
    {
      metric: "a member's Today from the device, server hanging: LCP",
      ours: of('today', 'lcp'),
      unit: 'ms',
      most: 1000,
    },
  ];
}
