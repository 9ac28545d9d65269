// @ts-check
/**
 * Pictures of every route, drawn by two builds from the same answers at the same moment, and how many of their pixels differ:
 * `node tests/pictures/compare.mjs <folder> <dist before> <dist after>`. The folder keeps pictures, answers and data: those of
 * the build before are taken once. `PICTURES=<expression>` takes only routes that match, `visitor /` for one.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import postgres from 'postgres';
import { batch } from '../bench/client-log.mjs';
import { freePort, root, wait } from '../bench/instance.mjs';
import { CHROMIUM_FLAGS, findChromium } from '../support/chromium.mjs';
import { PRESSES, ROUTES } from './routes.mjs';

const [folder = '', before = '', after = ''] = process.argv.slice(2);
const only = new RegExp(process.env['PICTURES'] ?? '');
const PHONE = { width: 390, height: 844 };
const SIZES = [PHONE, { width: 1440, height: 900 }];
const THEMES = ['light', 'dark'];
/** On a slow machine: the phone in light and the desk in dark. */
const FEW = process.env['FEW'];
const SLUG = 'ridge-valley-walkers';
const PEOPLE = { visitor: '', member: '1001', leader: '1004', ops: '1005' };
/** A route that has not arrived by then is pictured as it is, in both builds. */
const SETTLED_WITHIN_MS = 6_000;

const home = join(resolve(folder), 'home');
const record = join(folder, 'record.json');
const ports = { app: await freePort(), sandbox: await freePort() };
const origin = `http://localhost:${ports.app}`;

/** Starts a build on the data that both share. @param {string} dist */
async function start(dist) {
  const env = {
    ...process.env,
    NODE_ENV: '',
    PORT: `${ports.app}`,
    SANDBOX_PORT: `${ports.sandbox}`,
    MUSTER_HOME: home,
  };
  const child = spawn(process.execPath, [resolve(dist, 'server/start.js')], { cwd: root, env, stdio: 'pipe' });
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  child.stderr.on('data', (text) => (output += String(text)));
  while (!output.includes('stands in for Telegram and X')) {
    if (child.exitCode !== null) throw new Error(`the instance ended:\n${output.slice(-3_000)}`);
    await wait(100);
  }
  return async () => {
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGTERM');
    await gone;
  };
}

/** An operator, and an issue in the client logs. */
async function prepare() {
  const [, , , port = '5432', socket = ''] = readFileSync(join(home, 'postgres/db/postmaster.pid'), 'utf8').split('\n');
  const sql = postgres({ host: socket, port: Number(port), user: 'muster', database: 'muster', max: 1 });
  await sql`update users set role = 'ops' where telegram_user_id = ${PEOPLE.ops}`;
  await sql.end();
  const headers = { 'content-type': 'application/json', origin };
  await fetch(`${origin}/api/debug/client-logs/batch`, { method: 'POST', headers, body: batch(0) });
}

/** @param {import('playwright-core').Browser} browser @param {string} id */
async function signedIn(browser, id) {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  if (id) {
    await page.goto(`${origin}/api/auth/telegram/start?next=/`);
    await page.locator(`[data-person="${id}"]`).click();
    await page.waitForURL((url) => url.origin === origin && !url.pathname.startsWith('/api/'));
    await page.locator('h1').first().waitFor({ state: 'attached' });
  }
  const state = await context.storageState();
  await context.close();
  return state;
}

/**
 * What both builds are given: who is signed in, the words of the routes, and what the server answered when it was asked first.
 * @type {{ moment: number, states: Record<string, any>, names: Record<string, string>, answers: Record<string, any> }}
 */
const given = existsSync(record)
  ? JSON.parse(readFileSync(record, 'utf8'))
  : { moment: Date.now(), states: {}, names: {}, answers: {} };

/** Fills the words in braces of the routes. @param {import('playwright-core').Browser} browser */
async function namesOf(browser) {
  const read = async (/** @type {string} */ who, /** @type {string} */ path) => {
    const context = await browser.newContext({ storageState: given.states[who], serviceWorkers: 'block' });
    const answer = await context.request.get(`${origin}/api${path}`);
    const body = answer.ok() ? await answer.json() : {};
    await context.close();
    return body;
  };
  /** @type {Record<string, string>} */
  const names = { slug: SLUG };
  const { items = [] } = await read('leader', `/communities/${SLUG}/tasks`);
  for (const { id, kind } of items) names[kind] ??= id;
  const logs = await read('ops', '/admin/client-logs/issues');
  names['issue'] = logs.issues?.[0]?.id ?? '';
  const entries = await read('ops', '/admin/client-logs/entries');
  names['entry'] = (entries.entries ?? entries.items)?.[0]?.id ?? '';
  return names;
}

/** Reads that are on their way. @type {Set<import('playwright-core').Request>} */
const waiting = new Set();

/** @param {import('playwright-core').Page} page @param {string} who */
async function answerAlike(page, who) {
  await page.route('**/api/**', async (route) => {
    const request = route.request();
    if (request.headers()['accept']?.includes('event-stream')) return route.continue();
    waiting.add(request);
    const key = `${who} ${request.method()} ${request.url().slice(origin.length)}`;
    try {
      let answer = given.answers[key];
      if (!answer) {
        const response = await route.fetch();
        const body = (await response.body()).toString('base64');
        answer = { status: response.status(), headers: response.headers(), body };
        given.answers[key] = answer;
      }
      await route.fulfill({ ...answer, body: Buffer.from(answer.body, 'base64') });
    } catch {
      await route.abort().catch(() => undefined);
    } finally {
      waiting.delete(request);
    }
  });
}

/** @param {import('playwright-core').Page} page */
async function settle(page) {
  const arrived = () =>
    document.querySelector('main h1, h1') !== null &&
    !document.querySelector('[aria-busy="true"], .waits, .still-loading');
  await page.waitForFunction(arrived, undefined, { timeout: SETTLED_WITHIN_MS }).catch(() => undefined);
  const until = Date.now() + SETTLED_WITHIN_MS;
  for (let quiet = 0; quiet < 3 && Date.now() < until; await wait(100)) quiet = waiting.size === 0 ? quiet + 1 : 0;
  await page.evaluate(async () => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    await document.fonts.ready;
  });
  await wait(100);
}

/** @param {import('playwright-core').Page} page @param {string} name @returns {Promise<string[]>} names of the pictures */
async function picturesOf(page, name) {
  const names = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const theme of THEMES.filter((one) => FEW === undefined || (one === 'light') === (size === PHONE))) {
      await page.evaluate((value) => document.documentElement.setAttribute('data-theme', value), theme);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const picture = `${name}-${size.width}-${theme}.png`;
      await page.screenshot({ path: join(folder, picture), fullPage: true, animations: 'disabled', caret: 'hide' });
      names.push(picture);
    }
  }
  return names;
}

/** @param {import('playwright-core').Browser} browser @param {string} dist @param {'before' | 'after'} into */
async function walk(browser, dist, into) {
  mkdirSync(join(folder, into), { recursive: true });
  const stop = await start(dist);
  if (!existsSync(record)) {
    await prepare();
    for (const [who, id] of Object.entries(PEOPLE)) given.states[who] = await signedIn(browser, id);
    await wait(6_000);
    given.names = await namesOf(browser);
  }
  const names = [];
  for (const who of /** @type {(keyof typeof PEOPLE)[]} */ (Object.keys(PEOPLE))) {
    const context = await browser.newContext({
      serviceWorkers: 'block',
      reducedMotion: 'reduce',
      storageState: given.states[who],
      viewport: PHONE,
    });
    await context.clock.setFixedTime(given.moment);
    for (const route of ROUTES[who].filter((one) => only.test(`${who} ${one}`)))
      names.push(...(await picturesOfRoute(context, who, route, into)));
    await context.close();
  }
  await stop();
  if (!existsSync(record)) writeFileSync(record, JSON.stringify(given));
  return names;
}

/** @param {import('playwright-core').BrowserContext} context @param {string} who @param {string} route @param {string} into */
async function picturesOfRoute(context, who, route, into) {
  const page = await context.newPage();
  await answerAlike(page, who);
  await page.goto(origin + route.replace(/\{(\w+)\}/g, (_, word) => given.names[word] ?? word));
  await settle(page);
  const name = `${into}/${who}${route.replace(/\W+/g, '-')}`;
  const names = await picturesOf(page, name);
  for (const press of PRESSES[`${who} ${route}`] ?? []) {
    await page.setViewportSize(PHONE);
    const button = page.locator('main').getByRole('button', { name: press }).first();
    const isPressed = await button.click({ timeout: 2_000 }).then(
      () => true,
      () => false,
    );
    if (!isPressed) console.log(`${who} ${route}: nothing to press is named ${press}`);
    await wait(300);
    names.push(...(await picturesOf(page, `${name}--${String(press).replace(/\W+/g, '-')}`)));
    await page.keyboard.press('Escape');
  }
  await page.close();
  return names;
}

/** Runs in a page: how many pixels of two pictures differ; all of the larger where their sizes do. @param {string[]} pair */
async function differing(pair) {
  const [one, two] = await Promise.all(
    pair.map(async (data) => {
      const bitmap = await createImageBitmap(await (await fetch(data)).blob());
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d');
      context?.drawImage(bitmap, 0, 0);
      return context?.getImageData(0, 0, bitmap.width, bitmap.height);
    }),
  );
  if (!one || !two) return -1;
  if (one.width !== two.width || one.height !== two.height) return Math.max(one.data.length, two.data.length) / 4;
  let count = 0;
  for (let at = 0; at < one.data.length; at += 4)
    if ([0, 1, 2].some((channel) => one.data[at + channel] !== two.data[at + channel])) count += 1;
  return count;
}

const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', ...CHROMIUM_FLAGS],
});
try {
  if (!existsSync(record)) await walk(browser, before, 'before');
  const names = await walk(browser, after, 'after');
  const page = await browser.newPage();
  let total = 0;
  const different = [];
  for (const name of names) {
    const files = [name.replace('after/', 'before/'), name].map((file) => readFileSync(join(folder, file)));
    if (files[0]?.equals(files[1] ?? Buffer.alloc(0))) continue;
    const pixels = await page.evaluate(
      differing,
      files.map((file) => `data:image/png;base64,${file.toString('base64')}`),
    );
    if (pixels === 0) continue;
    total += pixels;
    different.push(`${String(pixels).padStart(9)} ${name.replace('after/', '')}`);
  }
  const report = [`${names.length} pictures, ${different.length} differ in ${total} pixels (${folder})`, ...different];
  writeFileSync(join(folder, 'report.txt'), report.join('\n'));
  console.log(report.join('\n'));
  process.exitCode = different.length === 0 ? 0 : 1;
} finally {
  await browser.close();
}
