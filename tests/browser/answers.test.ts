/** Answers of every kind on a device, by the keyboard alone and without a connection, to where each belongs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { encodeQR } from 'qr';
import { expect, test } from 'vitest';
import { m } from '../../app/paraglide/messages.js';
import { IMAGE_BYTES, QUIZ_HUMAN_FLOOR_MS } from '../../server/contract/limits.ts';
import { makeCode, readSigner } from '../../server/rules/event-code.ts';
import { noFault } from '../faults/proxy.ts';
import { axeFinds } from '../support/axe.ts';
import { chromiumOptions, come, command, controlled, DESK, ENGINE, signIn } from '../support/browser.ts';
import { flawsOf } from '../support/flaws.ts';
import type { Instance } from '../support/instance.ts';
import { choose, fill, isFocused, press } from '../support/keys.ts';
import { withProduct } from '../support/product.ts';
import { startBrowser } from '../support/starts.mjs';

const SLUG = 'ridge-valley-walkers';
const TODAY = `/community/${SLUG}/dashboard`;
/** What the sample asks nobody for. */
const MORE = [
  ['How far did you walk?', { kind: 'number', unit: 'km', min: 0, max: 60, decimals: 1, review: true }],
  ['When were you at the cairn?', { kind: 'date', earliest: '2026-01-01', latest: null, review: true }],
  ['Did you like the walk?', { kind: 'scale', low: 'Not at all', high: 'Very much' }],
  ['Send the track', { kind: 'file' }],
  ['Buy a map', { kind: 'partner', url: 'https://hooks.example.org/asked', asks: 'Order number' }],
] as const;
const PDF = {
  name: 'Track.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n%%EOF\n'),
};

let instance: Instance;
let browser: Browser;
withProduct((product) => {
  ({ instance, browser } = product);
});

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

const cardOf = (page: Page, title: string) =>
  page.locator('.stack > li').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
const sheetOf = (page: Page) => page.getByRole('dialog');
const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' });

/** What shows the code of the moment at which it is asked, as a steward's device does: without a server too. */
async function stewardsCode(page: Page): Promise<() => Promise<{ qr: string; typed: string }>> {
  const key = await page.evaluate(async (slug) => {
    const { items } = await (await fetch(`/api/communities/${slug}/tasks`)).json();
    const task = items.find((one: { kind: string }) => one.kind === 'telegram_event');
    return (await fetch(`/api/communities/${slug}/tasks/${task.id}/event-key`)).json();
  }, SLUG);
  const signer = await readSigner(key.privateKey);
  return () => makeCode(signer, key.taskId, Date.now());
}

test('without a connection a member answers every kind by the keyboard; each is kept in pencil and ends where it belongs', async () => {
  const leader = await come(browser, instance, '1004', '/robots.txt', { viewport: DESK, alone: true });
  for (const [title, setup] of MORE) {
    const task = { setup, title, instructions: '', points: 10, recurrence: 'once' };
    await command(leader.page, 'POST', `/api/communities/${SLUG}/tasks`, task);
  }
  const codeNow = await stewardsCode(leader.page);
  const { context, page, complaints } = await come(browser, instance, '1001', TODAY);
  // The page that a task wants opened belongs to somebody else: it need not exist here.
  await context.route(/openstreetmap/, (route) => route.fulfill({ contentType: 'text/html', body: 'A map' }));
  await cardOf(page, 'Ready for the ridge?').waitFor();
  await controlled(page);
  const camera = await photo(page);
  await page.reload();
  await cardOf(page, 'Ready for the ridge?').waitFor();
  instance.goAway();

  const flaws: string[] = [];
  const sheet = sheetOf(page);
  const openBy = async (title: string, opener: Locator) => {
    await press(opener);
    await sheet.getByRole('heading', { name: title }).waitFor();
    flaws.push(...(await flawsOf(page, title)));
  };
  const answered: string[] = [];
  /** `by` answers in the sheet that is open, and sends it. */
  const answer = async (
    title: string,
    by: () => Promise<unknown>,
    opener = cardOf(page, title).getByRole('button'),
  ) => {
    // What can wait is folded beyond the first few.
    for (const folded = page.locator('details.folded:not([open]) > summary'); (await folded.count()) > 0; )
      await press(folded);
    await openBy(title, opener);
    await by();
    answered.push(title);
  };
  const send = (name: string | RegExp) => press(button(sheet, name));

  await openBy('Ready for the ridge?', cardOf(page, 'Ready for the ridge?').getByRole('button'));
  const begun = Date.now();
  // A sheet that is left gives the focus back to where it was opened.
  await page.keyboard.press('Escape');
  await expect.poll(() => isFocused(cardOf(page, 'Ready for the ridge?').getByRole('button').first())).toBe(true);

  await answer('Where to on New Year’s Day?', async () => {
    await choose(sheet.getByRole('radio', { name: /^The three mills/ }));
    await send('Vote');
    await page.keyboard.press('Escape');
  });
  await answer('Look at the path map', async () => {
    const tab = context.waitForEvent('page');
    await press(sheet.getByRole('link', { name: /^Open / }));
    await (await tab).close();
    await send(m.member_link_done());
  });
  await answer('Fix something on the map', async () => {
    await fill(sheet.getByLabel('Link'), 'https://example.org/1');
    await send('Send');
    await sheet.getByRole('alert').waitFor();
    await fill(sheet.getByLabel('Link'), 'https://www.openstreetmap.org/changeset/2');
    await send('Send');
  });
  const picture = 'Picture of a waymark';
  // Sent back by a reviewer before: the answer to that is another picture, with a note.
  await answer(
    picture,
    async () => {
      const chooser = page.waitForEvent('filechooser');
      await press(sheet.getByLabel(/^Choose /));
      await (await chooser).setFiles(camera);
      await sheet.getByText(/kB, without location/).waitFor();
      await fill(sheet.getByLabel('Note (optional)'), 'It says 14.');
      await send('Send');
    },
    button(cardOf(page, picture), 'Update answer'),
  );
  await answer('Suggest a route for spring', async () => {
    await fill(sheet.getByLabel('Your answer'), 'Up to the cairn and down by the quarry, 7 km, bus 41.');
    await send('Send');
  });
  await answer('How far did you walk?', async () => {
    await fill(sheet.getByLabel(/^Number/), '12,5');
    await send('Send');
  });
  await answer('When were you at the cairn?', async () => {
    await sheet.getByLabel('Date').fill('2026-11-20');
    await send('Send');
  });
  await answer('Did you like the walk?', async () => {
    await choose(sheet.getByLabel('8', { exact: true }));
    await page.keyboard.press('Enter');
  });
  await answer('Send the track', async () => {
    await sheet.locator('input[type=file]').setInputFiles(PDF);
    await sheet.getByText('Track.pdf, 1 kB').waitFor();
    await send('Send');
  });
  await answer('Buy a map', async () => {
    await fill(sheet.getByLabel('Order number'), '4711');
    await send(/^Ask hooks/);
  });
  await answer('At the meeting point', async () => {
    // It is good for the minute it is of and the next.
    const { typed } = await codeNow();
    await fill(sheet.getByLabel('Or type the code'), typed.toLowerCase().replace('-', ' '));
    await send('I am here');
  });
  await answer('Out for a walk today', () => send('Check in'));
  await answer('Ready for the ridge?', async () => {
    await choose(sheet.getByRole('radio', { name: /^Stop, gather/ }));
    for (const item of [/rescue blanket/, /^Tweezers/])
      await press(sheet.getByRole('checkbox', { name: item }), 'Space');
    await choose(sheet.getByRole('radio', { name: /^open, as it was/ }));
    await choose(sheet.getByRole('radio', { name: /^112$/ }));
    // Who answers faster than anybody reads goes to a reviewer; it began when the questions were first seen.
    await expect.poll(() => Date.now() - begun).toBeGreaterThan(QUIZ_HUMAN_FLOOR_MS * 5);
    await send('Send answers');
  });
  await page.reload();
  for (const title of answered)
    await cardOf(page, title)
      .getByText(/Saved on this phone/)
      .waitFor({ state: 'attached' });

  instance.comeBack();
  const states = () =>
    page.evaluate(async (slug) => {
      const { tasks }: { tasks: { title: string; claim: { state: string } | null }[] } = await (
        await fetch(`/api/communities/${slug}/dashboard`, { headers: { 'x-muster-fresh': '1' } })
      ).json();
      return Object.fromEntries(tasks.map(({ title, claim }) => [title, claim?.state]));
    }, SLUG);
  await expect.poll(states, { timeout: 60_000 }).toMatchObject({
    'Ready for the ridge?': 'approved',
    'Where to on New Year’s Day?': 'approved',
    'Look at the path map': 'approved',
    'Fix something on the map': 'submitted',
    'Picture of a waymark': 'submitted',
    'Suggest a route for spring': 'submitted',
    'How far did you walk?': 'submitted',
    'When were you at the cairn?': 'submitted',
    'Did you like the walk?': 'approved',
    'Send the track': 'submitted',
    'Buy a map': 'checking',
    'At the meeting point': 'approved',
    'Out for a walk today': 'approved',
  });
  await cardOf(page, 'At the meeting point')
    .getByText(/^Counted/)
    .waitFor({ state: 'attached' });
  // What the quiz stood before is open now.
  await cardOf(page, 'Lead a short walk').getByRole('button').waitFor({ state: 'attached' });

  await cardOf(page, picture).getByRole('link').click();
  const image = page.getByRole('img', { name: 'Your picture' });
  await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1280);
  const type = await image.evaluate(async (one: HTMLImageElement) =>
    (await fetch(one.src)).headers.get('content-type'),
  );
  expect(type).toMatch(/^image\/(webp|jpeg)$/);
  await page.getByText('“It says 14.”').waitFor();
  flaws.push(...(await flawsOf(page, 'a receipt')));

  await leader.page.goto(`${instance.url}/community/${SLUG}/admin?room=review`);
  await leader.page
    .getByRole('button', { name: /Send the track/ })
    .first()
    .click();
  const link = leader.page.getByText('Save Track.pdf').first();
  await link.waitFor();
  flaws.push(...(await flawsOf(leader.page, 'review of a file')));
  const [download] = await Promise.all([leader.page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toBe('Track.pdf');
  expect([flaws, complaints, leader.complaints]).toEqual([[], [], []]);
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
  test('the code of an event is scanned from the steward’s screen', async () => {
    const steward = await come(browser, instance, '1004', '/robots.txt');
    const film = join(instance.home, 'code.y4m');
    filmOf((await (await stewardsCode(steward.page))()).qr, film);
    const flags = [
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ];
    const seeing = await startBrowser(() =>
      chromium.launch({ ...chromiumOptions, args: [...chromiumOptions.args, ...flags] }),
    );
    const { page, complaints } = await come(seeing, instance, '1002', TODAY, { alone: true });
    await cardOf(page, 'At the meeting point').getByRole('button').first().click();
    await button(sheetOf(page), 'Scan the code').click();
    await cardOf(page, 'At the meeting point')
      .getByText(/^Counted/)
      .waitFor();
    expect(complaints).toEqual([]);
    await seeing.close();
  });

test('a session that ended meanwhile: what is pressed leads to the sign-in, and counts after it', async () => {
  const { context, page } = await come(browser, instance, '1002', TODAY);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await cardOf(page, 'Out for a walk today').waitFor();
  // Whatever the page reads by itself does not tell it before what is pressed does.
  instance.proxy.rule = (method, path) => (method === 'GET' && path.startsWith('/api/') ? { answer: 503 } : null);
  const cookie = (await context.cookies(instance.url)).map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = { cookie, origin: instance.url };
  const { ok } = await fetch(`${instance.url}/api/auth/logout`, { method: 'POST', headers });
  expect(ok).toBe(true);

  await cardOf(page, 'Out for a walk today').getByRole('button').first().click();
  await button(sheetOf(page), 'Check in').click();
  instance.proxy.rule = noFault;
  await page.getByRole('heading', { name: 'Sign in to continue' }).waitFor();
  await page.getByText('What you saved waits here for your next sign-in.').first().waitFor();
  expect(await axeFinds(page)).toEqual([]);
  await signIn(page, instance.url, '1002', TODAY);
  await cardOf(page, 'Out for a walk today')
    .getByText(/^Counted/)
    .waitFor();
});
