import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUILD_HEADER } from '../../server/contract/sw-messages.ts';
import { command, DESK, launch, PHONE, person, signIn, write } from '../support/browser.ts';
import { flawsOf, theme } from '../support/flaws.ts';
import { type Instance, sampleCommunities, startInstance } from '../support/instance.ts';
import { makeStaff } from '../support/instance-database.ts';

const OWN = { [BUILD_HEADER]: 'build-1' };

describe('what leaders and admins send to many', () => {
  let instance: Instance;
  let browser: Browser;
  let led: { id: string; slug: string };

  beforeAll(async () => {
    instance = await startInstance();
    browser = await launch();
    await sampleCommunities(instance);
    const context = await browser.newContext();
    const page = await context.newPage();
    await signIn(page, instance.url, '1004');
    led = await page.evaluate(async () => {
      const mine: { id: string; slug: string; role: string }[] = await (await fetch('/api/user/communities')).json();
      const found = mine.find(({ role }) => role === 'leader');
      if (!found) throw new Error('leads nothing');
      return found;
    });
    await context.close();
    await makeStaff(instance, '1004', 'admin');
  });
  afterAll(async () => {
    await browser?.close();
    await instance?.remove();
  });

  for (const mode of ['light', 'dark'] as const)
    test(`written, tried, planned, sent, loading, broken, forbidden, ${mode}: axe finds nothing`, async () => {
      const viewport = mode === 'light' ? PHONE : DESK;
      const { context, page, complaints } = await person(browser, { viewport, alone: true });
      await signIn(page, instance.url, '1004');
      await theme(page, mode);
      const problems: string[] = [];
      const look = async (state: string) => problems.push(...(await flawsOf(page, state)));
      const heading = (name: string) => page.getByRole('heading', { name }).waitFor();

      const rooms = {
        leader: `${instance.url}/community/${led.slug}/admin?room=announcements`,
        admin: `${instance.url}/admin/announcements`,
      };
      for (const [who, room] of Object.entries(rooms)) {
        const send = page.getByRole('button', { name: /^(Review|Send to \d)/ });
        const composer = page.locator('form', { has: send });
        let answer: (route: Route) => unknown = () => undefined;
        const all = who === 'admin' ? /\/campaigns(\?|$)/ : /\/announcements\/sent(\?|$)/;
        await context.route(all, (route) => answer(route));
        // They are drawn by the same parts wherever the list stands.
        if (who === 'leader') {
          await page.goto(room);
          await page.getByRole('status', { name: 'Loading' }).filter({ visible: true }).first().waitFor();
          await look(`${who}, loading`);
          for (const [status, title] of [
            [500, 'This did not load'],
            [403, 'Not open to you'],
          ] as const) {
            const json = { status, reason: 'SAID_SO', message: 'The server says so.', requestId: 'r-1' };
            answer = (route) => route.fulfill({ status, json, headers: OWN });
            await page.goto(room);
            await heading(title);
            await look(`${who}, ${status}`);
          }
        }
        answer = (route) => route.fulfill({ json: { items: [], next: null }, headers: OWN });
        await page.goto(room);
        await heading('Nothing was sent yet');
        await send.click();
        await page.getByText('Write something.').waitFor();
        await look(`${who}, nothing sent, nothing written`);
        await context.unroute(all);
        const path = who === 'admin' ? '/api/admin/campaigns' : `/api/communities/${led.id}/campaigns`;
        for (const sendAt of [new Date(Date.now() + 86_400_000).toISOString(), null])
          await command(page, 'POST', path, { title: 'Solstice', body: 'We meet at ten.', sendAt, audience: {} });
        await page.waitForFunction(
          async (path) => {
            const { items } = await (await fetch(path)).json();
            return items.some(
              ({ state, title }: { state: string; title: string }) => state === 'done' && title === 'Solstice',
            );
          },
          path,
          { polling: 500 },
        );
        await page.goto(room);
        await page.getByRole('button', { name: 'Take back “Solstice”' }).first().waitFor();
        await write(composer.getByLabel('Title'), 'Solstice');
        await write(composer.getByLabel('What you want to say'), 'We meet at ten, and walk to the three stones.');
        if (who === 'leader') {
          await composer.getByRole('radio', { name: /^Choose/ }).check();
          await composer.getByLabel('Who gets it').selectOption({ label: 'Member' });
          await write(composer.getByLabel('Active within days'), '30');
          await composer.getByRole('button', { name: 'Test to myself' }).click();
          await page.getByText(/^A test is on its way/).waitFor();
        }
        await look(`${who}, written, planned and sent`);
      }
      expect(problems).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    });
});
