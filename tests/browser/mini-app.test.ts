import type { Browser, Frame, Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startParamOf } from '../../server/contract/start-param.ts';
import { ENGINE, person, signIn } from '../support/browser.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';

let instance: Instance;
let browser: Browser;
/** The page that frames it is of another site: 127.0.0.1 where the app is localhost. */
let host: string;
withProduct(async (product) => {
  ({ instance, browser } = product);
  host = instance.sandbox.replace('localhost', '127.0.0.1');
  await sampleCommunities(instance);
});

const control = (path: string, body: object) =>
  fetch(`${instance.sandbox}/control/${path}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
/** Somebody new, who links X in the browser itself: X shows itself in no frame. */
const NEWCOMER = '2101';
async function completeAccount(page: Page): Promise<void> {
  const names = { username: 'robin_walks', firstName: 'Robin', xId: '92101', xUsername: 'robin_walks' };
  await control('people', { telegramUserId: NEWCOMER, ...names });
  await signIn(page, instance.url, NEWCOMER, '/terms');
  await page.goto(`${instance.url}/api/auth/x/start?next=/terms`);
  await page.locator(`[data-person="${NEWCOMER}"]`).click();
  await page.getByRole('link', { name: 'Continue' }).waitFor();
}

async function opened(page: Page, query: Record<string, string>): Promise<Frame> {
  await page.goto(`${host}/mini-app?${new URLSearchParams({ app: instance.url, ...query })}`);
  await expect
    .poll(() =>
      page
        .frames()
        .find((frame) => frame.url().startsWith(instance.url))
        ?.url(),
    )
    .toBeTruthy();
  const frame = page.frames().find((one) => one.url().startsWith(instance.url));
  if (!frame) throw new Error('the Mini App is not framed');
  return frame;
}
/** A press in the frame; the driver of Firefox brings none of the mouse's into a frame of another site. */
const press = (at: Locator): Promise<void> => (ENGINE === 'firefox' ? at.dispatchEvent('click') : at.click());
type Heard = [event: string, data: Record<string, unknown>];
const heard = (page: Page, event: string): Promise<Record<string, unknown> | undefined> =>
  page.evaluate(
    (name) => (globalThis as unknown as { heard: Heard[] }).heard.filter(([one]) => one === name).at(-1)?.[1],
    event,
  );

describe('the Mini App in a frame of another site', () => {
  test('signs in without a tap and goes from its start parameter to a counted claim', async () => {
    const { context, page, complaints } = await person(browser);
    await completeAccount(page);
    const [walkers] = (await sampleCommunities(instance)).filter(({ name }) => name.startsWith('Ridge'));
    if (!walkers) throw new Error('no walkers');
    const frame = await opened(page, { person: NEWCOMER, start: startParamOf({ community: walkers.slug }) });
    await frame.getByRole('heading', { name: walkers.name }).first().waitFor();
    // What signs in is gone from the address before anything else happens.
    expect(frame.url()).not.toContain('tgWebAppData');
    expect(new URL(frame.url()).pathname).toBe('/mini');
    // A press before they are known to be signed in is none.
    await press(frame.locator('main').getByRole('button', { name: 'Join', disabled: false }));
    const checkIn = (id: string): Promise<string | undefined> =>
      fetch(`/api/communities/${id}/dashboard`)
        .then((answer) => answer.json() as Promise<{ tasks?: { id: string; ask: { kind: string } }[] }>)
        .then(({ tasks }) => tasks?.find(({ ask }) => ask.kind === 'check_in')?.id);
    // Until they have joined there is none.
    await expect.poll(() => frame.evaluate(checkIn, walkers.id)).toBeTruthy();
    const task = await frame.evaluate(checkIn, walkers.id);

    const at = await opened(page, {
      person: NEWCOMER,
      start: startParamOf({ task: task ?? '', community: walkers.slug }),
      theme: 'dark',
    });
    const card = at.locator(`[data-card="${task}"]`);
    await press(card.getByRole('button').first());
    await press(at.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }));
    await at
      .getByText(/^Counted/)
      .first()
      .waitFor();
    expect(await at.locator('html').getAttribute('data-theme')).toBe('dark');
    await expect.poll(() => heard(page, 'web_app_trigger_haptic_feedback')).toBeTruthy();
    const [sid] = (await context.cookies()).filter(({ name }) => name === 'sid-tma');
    expect(sid).toMatchObject({ sameSite: 'None', secure: true, httpOnly: true });

    // A screen further in, Telegram's own way back is there, and leads back.
    await press(at.locator('.tab-bar').getByRole('link', { name: 'You' }));
    await at.getByRole('heading', { level: 1 }).first().waitFor();
    await expect.poll(() => heard(page, 'web_app_setup_back_button')).toEqual({ is_visible: true });
    await page.getByRole('button', { name: 'Back' }).first().click();
    await card.waitFor();
    await page.getByRole('button', { name: 'Theme' }).click();
    await expect.poll(() => at.locator('html').getAttribute('data-theme')).toBe('light');
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await press(at.getByRole('button', { name: 'Fill the screen' }));
    await at.getByRole('button', { name: 'Leave full screen' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('is the one document of ours that another site may frame', async () => {
    const { context, page } = await person(browser);
    const frame = await opened(page, { person: '1001' });
    await frame.getByRole('heading', { level: 1 }).first().waitFor();
    const blocked = await page.evaluate(async (url) => {
      const other = document.body.appendChild(Object.assign(document.createElement('iframe'), { src: `${url}/terms` }));
      await new Promise((done) => other.addEventListener('load', done, { once: true }));
      return other.contentDocument === null;
    }, instance.url);
    expect(blocked).toBe(true);
    const framed = page.frames().map((one) => one.url());
    expect(framed.filter((url) => url.startsWith(`${instance.url}/terms`))).toEqual([]);
    await context.close();
  });
});
