// @ts-check
/**
 * Every route of a member's, visited once: how soon it stands on the next visit, and how soon when the server takes
 * connections and answers nothing. A phone's link, a page four times slower than this machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, memberOfSample, startInstance, wait } from './instance.mjs';
import { startPhone } from './phone.mjs';
import { startRelay } from './relay.mjs';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Only routes that end so; all without it. */
const ENDS = (process.env['BENCH_ROUTES'] ?? '').split(',');
/** Longest time without a larger paint until a page counts as painted. */
const PAINTED_AFTER_MS = 1_000;
const PUBLIC = ['/learn-more', '/how-to-use', '/community-guidelines', '/privacy-policy', '/terms', '/cookie-policy'];
const OWN = [
  '/community-selector',
  '/communities',
  '/explore-communities',
  '/no-communities',
  '/new-user-exploration',
  '/platform-exploration',
  '/profile',
  '/profile-accounts',
  '/leaderboard',
  '/channel-removed',
  '/engagement-complete',
  '/admin',
];

export async function measure() {
  const instance = await startInstance();
  const relay = await startRelay(Number(new URL(instance.url).port));
  const sql = instance.database();
  const { cookie, slug } = await memberOfSample(sql);
  await sql.end();
  const profile = mkdtempSync(join(tmpdir(), 'bench-routes-'));
  const phone = await startPhone({ relay, profile, url: instance.url, cookie });
  const all = [...PUBLIC, ...OWN, `/community/${slug}`, `/community/${slug}/dashboard`];
  const routes = all.filter((route) => ENDS.some((end) => route.endsWith(end)));
  /** @param {string} route */
  const lcp = async (route) => {
    // What the page before still had to do is not this one's.
    await phone.page.goto('about:blank');
    await phone.page.goto(`${instance.url}${route}`, { waitUntil: 'commit' });
    await phone.page.locator('main h1').first().waitFor({ state: 'attached', timeout: 30_000 });
    for (let last = -1; ; await wait(PAINTED_AFTER_MS)) {
      const now = await phone.page.evaluate(() => /** @type {any} */ (globalThis).seen.lcp);
      if (now > 0 && now === last) return now;
      last = now;
    }
  };
  /** @type {{ route: string, again: number, hanging: number }[]} */
  const seen = [];
  try {
    relay.reset('fast');
    await phone.page.goto(`${instance.url}/`);
    await phone.kept();
    for (const route of routes) await lcp(route);
    for (const route of routes) {
      const again = [];
      const hanging = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        relay.reset('phone');
        again.push(await lcp(route));
        relay.reset('hang');
        hanging.push(await lcp(route));
        relay.cut();
      }
      seen.push({ route, again: median(again), hanging: median(hanging) });
    }
  } finally {
    await phone.close();
    relay.close();
    await instance.remove();
    rmSync(profile, { recursive: true, force: true });
  }
  return seen.map(({ route, again, hanging }) => ({
    metric: `${route}: server hangs, beside the repeat visit`,
    ours: hanging,
    unit: 'ms',
    most: again * 1.2,
  }));
}
