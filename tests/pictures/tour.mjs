// @ts-check
/**
 * Takes the pictures of the README and of docs/tour.md from the built product: `node tests/pictures/tour.mjs [name …]`. The
 * sandbox's people and communities are on them, an administrator, and an issue in the client logs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import postgres from 'postgres';
import { batch } from '../bench/client-log.mjs';
import { root, startInstance, wait } from '../bench/instance.mjs';
import { CHROMIUM_FLAGS, findChromium } from '../support/chromium.mjs';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };
const SLUG = 'ridge-valley-walkers';
const PEOPLE = { visitor: '', member: '1001', leader: '1004', admin: '1005' };

/** @typedef {import('playwright-core').Page} Page */
/** @type {{ name: string, who: keyof typeof PEOPLE, path: string, desk?: boolean, dark?: boolean, act?: (page: Page) => Promise<void> }[]} */
const PICTURES = [
  { name: 'dashboard-phone', who: 'member', path: `/community/${SLUG}/dashboard` },
  { name: 'board-phone', who: 'member', path: '/leaderboard' },
  { name: 'quiz-phone', who: 'member', path: '/web3-quiz?practice=privacy' },
  { name: 'calculator-phone', who: 'visitor', path: '/ai-defi-tools/impermanent-loss', dark: true },
  { name: 'data-phone', who: 'member', path: '/your-data' },
  { name: 'demo-desk', who: 'visitor', path: '/demo', desk: true },
  { name: 'review-desk', who: 'leader', path: `/community/${SLUG}/admin`, desk: true, dark: true },
  { name: 'overview-desk', who: 'admin', path: '/admin', desk: true },
  { name: 'logs-desk', who: 'admin', path: '/admin/client-logs', desk: true },
  // The last one: its server is stopped.
  {
    name: 'offline-phone',
    who: 'member',
    path: `/community/${SLUG}/dashboard`,
    async act(page) {
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await page.reload();
      await page.getByRole('button', { name: /Out for a walk today/ }).waitFor();
      await instance.stop();
      await page.getByRole('button', { name: /Out for a walk today/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
      await page.getByText('Saved on this phone', { exact: false }).first().waitFor();
      await wait(600);
    },
  },
];

const asked = process.argv.slice(2);
const instance = await startInstance();
const [, , , port = '5432', socket = ''] = readFileSync(
  join(instance.home, 'postgres/db/postmaster.pid'),
  'utf8',
).split('\n');
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', ...CHROMIUM_FLAGS],
});

/** @param {Page} page @param {string} id */
async function signIn(page, id) {
  await page.goto(`${instance.url}/api/auth/telegram/start?next=/`);
  await page.locator(`[data-person="${id}"]`).click();
  await page.waitForURL((url) => url.origin === instance.url && !url.pathname.startsWith('/api/'));
  await page.locator('h1').first().waitFor({ state: 'attached' });
}

/** The people have been here, one of them runs the instance, and a phone has told of an error. */
async function prepare() {
  for (const id of Object.values(PEOPLE).filter(Boolean)) {
    const page = await browser.newPage();
    await signIn(page, id);
    await page.close();
  }
  const sql = postgres({ host: socket, port: Number(port), user: 'muster', database: 'muster', max: 1 });
  await sql`update users set role = 'admin' where telegram_user_id = ${PEOPLE.admin}`;
  await sql.end();
  const headers = { 'content-type': 'application/json', origin: instance.url };
  await fetch(`${instance.url}/api/debug/client-logs/batch`, { method: 'POST', headers, body: batch(0) });
}

try {
  await prepare();
  for (const { name, who, path, desk, dark, act } of PICTURES) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const context = await browser.newContext({ viewport: desk ? DESK : PHONE, deviceScaleFactor: desk ? 1 : 2 });
    const page = await context.newPage();
    if (PEOPLE[who]) await signIn(page, PEOPLE[who]);
    else await page.goto(instance.url);
    if (dark) await page.evaluate(() => localStorage.setItem('muster-theme', 'dark'));
    await page.goto(instance.url + path);
    const arrived = () =>
      document.querySelector('h1') !== null && !document.querySelector('[aria-busy="true"], .still-loading');
    await page.waitForFunction(arrived, undefined, { timeout: 15_000 });
    await wait(1_500);
    // What a screen reads in a second step may have begun to load meanwhile.
    await page.waitForFunction(arrived, undefined, { timeout: 15_000 });
    await act?.(page);
    await page.screenshot({ path: join(root, 'docs/pictures', `${name}.png`) });
    console.log(name);
    await context.close();
  }
} finally {
  await browser.close();
  await instance.remove();
}
