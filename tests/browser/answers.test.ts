import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { encodeQR } from 'qr';
import { describe, expect, test } from 'vitest';
import { makeCode, readSigner } from '../../server/contract/event-code.ts';
import { IMAGE_BYTES, QUIZ_HUMAN_FLOOR_MS } from '../../server/contract/limits.ts';
import { axeFinds } from '../support/axe.ts';
import { chromiumOptions, controlled, ENGINE, PHONE, person, signIn, write } from '../support/browser.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

const SLUG = 'ridge-valley-walkers';
const RIGHT = [/^Stop, gather/, /rescue blanket/, /^Tweezers/, /^open, as it was/, /^112$/];

/** A file as a camera writes it, 6,000 × 4,000 pixels with grain in them: far more than may be sent. */
async function photo(page: Page): Promise<string> {
  const data = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 6_000, height: 4_000 });
    const pen = canvas.getContext('2d');
    const grain = new ImageData(500, 500);
    for (let at = 0; at < grain.data.length; at += 1) grain.data[at] = at % 4 === 3 ? 255 : (at * 7_919) % 251;
    for (let x = 0; x < canvas.width; x += 500)
      for (let y = 0; y < canvas.height; y += 500) pen?.putImageData(grain, x, y);
    return canvas.toDataURL('image/jpeg', 0.9);
  });
  const bytes = Buffer.from(data.split(',')[1] ?? '', 'base64');
  expect(bytes.length).toBeGreaterThan(IMAGE_BYTES * 4);
  // A path, since Firefox does not take this many bytes from a test.
  const path = join(instance.home, 'photo.jpg');
  writeFileSync(path, bytes);
  return path;
}

let instance: Instance;
let browser: Browser;

withProduct(async (product) => {
  ({ instance, browser } = product);
  await sampleCommunities(instance);
});

const dashboard = () => `${instance.url}/community/${SLUG}/dashboard`;
const cardOf = (page: Page, title: string) =>
  page.locator('.stack > li').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const sheetOf = (page: Page) => page.getByRole('dialog');
async function open(page: Page, title: string): Promise<void> {
  await cardOf(page, title).getByRole('button').first().click();
  await sheetOf(page).getByRole('heading', { name: title }).waitFor();
}
const send = (page: Page, name: string) => sheetOf(page).getByRole('button', { name, exact: true }).click();

/** Whether the device holds every script that this page runs; the screens' own come when there is time to spare. */
async function isKept(): Promise<boolean> {
  const paths = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
  const scripts = paths.filter((path) => /^\/assets\/.+\.js$/.test(path));
  return (await Promise.all(scripts.map((path) => caches.match(path)))).every(Boolean);
}

/** What shows the code of the moment at which it is asked, as a steward's device does: without a server too. */
async function stewardsCode(): Promise<() => Promise<{ qr: string; typed: string }>> {
  const { context, page } = await person(browser);
  await signIn(page, instance.url, '1004');
  const key = await page.evaluate(async (slug) => {
    const { items } = await (await fetch(`/api/communities/${slug}/tasks`)).json();
    const task = items.find((one: { kind: string }) => one.kind === 'telegram_event');
    return (await fetch(`/api/communities/${slug}/tasks/${task.id}/event-key`)).json();
  }, SLUG);
  await context.close();
  const signer = await readSigner(key.privateKey);
  return () => makeCode(signer, key.taskId, Date.now());
}

describe('answers of every kind', () => {
  test('given with the server stopped are kept, shown in pencil, and each ends where it belongs', async () => {
    const { context, page, complaints } = await person(browser);
    // The page that a task wants opened belongs to somebody else: it need not exist here.
    await context.route(/openstreetmap/, (route) => route.fulfill({ contentType: 'text/html', body: 'A map' }));
    const codeNow = await stewardsCode();
    await signIn(page, instance.url, '1001');
    await page.goto(dashboard());
    await cardOf(page, 'Ready for the ridge?').waitFor();
    await controlled(page);
    await page.reload();
    await cardOf(page, 'Ready for the ridge?').waitFor();
    await expect.poll(() => page.evaluate(isKept), { timeout: 30_000 }).toBe(true);
    await instance.stop();

    await open(page, 'Ready for the ridge?');
    const begun = Date.now();
    expect(await axeFinds(page)).toEqual([]);
    await sheetOf(page).getByRole('button', { name: 'Close' }).click();
    await open(page, 'Where to on New Year’s Day?');
    expect(await axeFinds(page)).toEqual([]);
    await sheetOf(page).getByText('The three mills, 12 km').click();
    await send(page, 'Vote');
    await page.keyboard.press('Escape');
    await open(page, 'Look at the path map');
    expect(await axeFinds(page)).toEqual([]);
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      sheetOf(page)
        .getByRole('link', { name: /^Open / })
        .click(),
    ]);
    await tab.close();
    await send(page, 'I’ve seen it');
    await open(page, 'Fix something on the map');
    await write(sheetOf(page).getByLabel('Link'), 'https://example.org/1');
    await send(page, 'Send');
    await sheetOf(page).getByRole('alert').waitFor();
    await write(sheetOf(page).getByLabel('Link'), 'https://www.openstreetmap.org/changeset/2');
    expect(await axeFinds(page)).toEqual([]);
    await send(page, 'Send');
    await open(page, 'At the meeting point');
    // It is good for the minute it is of and the next: everything before this has taken its time.
    const { typed } = await codeNow();
    await write(sheetOf(page).getByLabel('Or type the code'), typed.toLowerCase().replace('-', ' '));
    expect(await axeFinds(page)).toEqual([]);
    await send(page, 'I am here');
    // Sent back by a reviewer before: the answer to that is another picture, with a note.
    const picture = cardOf(page, 'Picture of a waymark');
    await picture.getByRole('button', { name: 'Update answer', exact: true }).click();
    await sheetOf(page)
      .getByLabel('Choose another')
      .setInputFiles(await photo(page));
    await sheetOf(page)
      .getByText(/kB, without location/)
      .waitFor();
    await write(sheetOf(page).getByLabel('Note (optional)'), 'It says 14.');
    expect(await axeFinds(page)).toEqual([]);
    await send(page, 'Send');
    await open(page, 'Ready for the ridge?');
    for (const answer of RIGHT) await sheetOf(page).getByText(answer).click();
    // Who answers faster than anybody reads goes to a reviewer; it began when the questions were first seen.
    await expect.poll(() => Date.now() - begun).toBeGreaterThan(QUIZ_HUMAN_FLOOR_MS * RIGHT.length);
    await send(page, 'Send answers');
    const titles = [
      'Ready for the ridge?',
      'Where to on New Year’s Day?',
      'Look at the path map',
      'Fix something on the map',
      'At the meeting point',
      'Picture of a waymark',
    ];
    for (const title of titles)
      await cardOf(page, title)
        .getByText(/Saved on this phone/)
        .waitFor();
    await page.reload();
    for (const title of titles)
      await cardOf(page, title)
        .getByText(/Saved on this phone/)
        .waitFor();

    await instance.start();
    for (const title of titles.slice(0, 3).concat('At the meeting point'))
      await cardOf(page, title)
        .getByText(/^Counted/)
        .waitFor({ timeout: 60_000 });
    for (const title of ['Fix something on the map', 'Picture of a waymark'])
      await cardOf(page, title)
        .getByText(/^Received \d/)
        .waitFor({ timeout: 60_000 });
    // What the quiz stood before is open now.
    await cardOf(page, 'Lead a short walk').getByRole('button').waitFor();

    await cardOf(page, 'Picture of a waymark').getByRole('link').click();
    const image = page.getByRole('img', { name: 'Your picture' });
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1280);
    const type = await image.evaluate(async (one: HTMLImageElement) =>
      (await fetch(one.src)).headers.get('content-type'),
    );
    expect(type).toMatch(/^image\/(webp|jpeg)$/);
    await page.getByText('“It says 14.”').waitFor();
    expect(await axeFinds(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a failed quiz says what was looked at and when to try again; the one appeal goes to a reviewer', async () => {
    const { context, page, complaints } = await person(browser);
    await signIn(page, instance.url, '1002');
    await page.goto(dashboard());
    await open(page, 'Ready for the ridge?');
    for (const answer of [/^Walk faster/, /rescue blanket/, /^shut/, /^999$/])
      await sheetOf(page).getByText(answer).click();
    await sheetOf(page).getByRole('button', { name: 'Send answers' }).click();
    await sheetOf(page)
      .getByRole('alert')
      .getByText(/0 of 4 right/)
      .waitFor();
    expect(await axeFinds(page)).toEqual([]);
    await sheetOf(page).getByRole('button', { name: 'Close' }).click();
    const card = cardOf(page, 'Ready for the ridge?');
    await card.getByText(/0 of 4 right/).waitFor();
    await card.getByRole('button', { name: /Try again: from/ }).waitFor();
    await card.getByRole('link', { name: 'Why, and appeal' }).click();
    await page.getByRole('heading', { name: 'Checks' }).waitFor();
    await page.getByRole('button', { name: 'Appeal', exact: true }).click();
    await write(page.getByLabel('Why it should count'), 'The phone sent what I had not chosen.');
    expect(await axeFinds(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send appeal' }).click();
    await page.getByText(/^Appealed \d/).waitFor();
    await page.goto(dashboard());
    await card.getByText(/^Appealed \d/).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});

/** A camera that sees nothing but a code: frames of a film as Chromium's stand-in for a camera reads them. */
function filmOf(text: string, path: string): void {
  const [width, height, scale] = [640, 480, 6];
  const modules = encodeQR(text, 'raw', { ecc: 'low', border: 4 });
  const luma = Buffer.alloc(width * height, 235);
  const [left, top] = [(width - modules.length * scale) >> 1, (height - modules.length * scale) >> 1];
  for (let y = 0; y < modules.length * scale; y += 1)
    for (let x = 0; x < modules.length * scale; x += 1)
      if (modules[Math.floor(y / scale)]?.[Math.floor(x / scale)]) luma[(top + y) * width + left + x] = 16;
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, Buffer.alloc((width * height) / 2, 128)]);
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(path, Buffer.concat([head, ...Array.from({ length: 10 }, () => frame)]));
}

// Only Chromium takes a film for its camera.
if (ENGINE === 'chromium')
  describe('the code of an event', () => {
    test('is scanned from the steward’s screen', async () => {
      const film = join(instance.home, 'code.y4m');
      filmOf((await (await stewardsCode())()).qr, film);
      const flags = [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-video-capture=${film}`,
      ];
      const seeing = await chromium.launch({ ...chromiumOptions, args: [...chromiumOptions.args, ...flags] });
      const { page, complaints } = await person(seeing, { viewport: PHONE });
      await signIn(page, instance.url, '1002');
      await page.goto(dashboard());
      await open(page, 'At the meeting point');
      await sheetOf(page).getByRole('button', { name: 'Scan the code' }).click();
      await cardOf(page, 'At the meeting point')
        .getByText(/^Counted/)
        .waitFor({ timeout: 30_000 });
      expect(complaints).toEqual([]);
      await seeing.close();
    });
  });

test('a session that ended meanwhile: what is pressed leads to the sign-in, and counts after it', async () => {
  const { context, page } = await person(browser);
  await signIn(page, instance.url, '1002', `/community/${SLUG}/dashboard`);
  await controlled(page);
  const cookie = (await context.cookies(instance.url)).map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = { cookie, origin: instance.url };
  const { status } = await fetch(`${instance.url}/api/auth/logout`, { method: 'POST', headers });
  expect(status).toBeLessThan(300);

  await cardOf(page, 'Out for a walk today').getByRole('button').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor();
  await page.getByText('What you saved waits here for your next sign-in.').first().waitFor();
  expect(await axeFinds(page)).toEqual([]);
  await signIn(page, instance.url, '1002', `/community/${SLUG}/dashboard`);
  await cardOf(page, 'Out for a walk today')
    .getByText(/^Counted/)
    .waitFor();
  await context.close();
});

test('a steward’s phone whose clock is hours off shows the codes of this minute', async () => {
  const { context, page } = await person(browser);
  await signIn(page, instance.url, '1004');
  const id = await page.evaluate(async (slug) => {
    const { items } = await (await fetch(`/api/communities/${slug}/tasks`)).json();
    return items.find((one: { kind: string }) => one.kind === 'telegram_event').id;
  }, SLUG);
  await page.clock.setSystemTime(Date.now() - 3 * 3_600_000);
  await page.goto(`${instance.url}/community/${SLUG}/admin?room=event&task=${id}`);
  await page.getByRole('img', { name: 'QR code of this minute' }).waitFor();
  const codeNow = await stewardsCode();
  const shown = async () => [await page.locator('.steward-code__typed').textContent(), (await codeNow()).typed];
  // The minute may end between the two.
  await expect.poll(async () => new Set(await shown()).size, { timeout: 10_000 }).toBe(1);
  await context.close();
});
