import type { Browser, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { command, controlled, DESK, PHONE, person, signIn } from '../support/browser.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { withProduct } from '../support/product.ts';
import { checksIn, rejectedThenApproved } from '../support/story.ts';

let instance: Instance;
let browser: Browser;

withProduct(async (product) => {
  ({ instance, browser } = product);
  await sampleCommunities(instance);
});

type Award = { kind: string; points: number; task: string | null };
const ledger = async (page: Page): Promise<Award[]> =>
  page.evaluate(
    async () => (await (await fetch('/api/user/profile', { headers: { 'x-muster-fresh': '1' } })).json()).ledger,
  );

describe('the whole story, by a newcomer', () => {
  let next = 2_000;
  for (const { name, viewport, dark } of [
    { name: 'on a phone, light', viewport: PHONE, dark: false },
    { name: 'on a phone, dark', viewport: PHONE, dark: true },
    { name: 'on a desk, light', viewport: DESK, dark: false },
    { name: 'on a desk, dark', viewport: DESK, dark: true },
  ]) {
    test(`signs in, links X, joins, completes a task, sees points and board: ${name}`, async () => {
      const id = String(next++);
      await fetch(`${instance.sandbox}/control/people`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          telegramUserId: id,
          username: `walker${id}`,
          firstName: `Robin ${id}`,
          xId: `9${id}`,
          xUsername: `robin${id}`,
        }),
      });
      await fetch(`${instance.sandbox}/control/memberships`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ chatId: '-1001', telegramUserId: id, status: 'member' }),
      });
      const { context, page, complaints } = await person(browser, { viewport });
      await page.goto(instance.url);
      await page
        .getByRole('link', { name: 'Get Started' })
        .or(page.getByRole('button', { name: 'Get Started' }))
        .first()
        .click();
      await page.locator(`[data-person="${id}"]`).click();
      await page.waitForURL(`${instance.url}/**`);
      if (dark) {
        await page.evaluate(() => localStorage.setItem('muster-theme', 'dark'));
        await page.reload();
        expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
      }
      await page
        .getByRole('link', { name: /Link X/ })
        .or(page.getByRole('button', { name: /Link X/ }))
        .first()
        .click();
      await page.locator(`[data-person="${id}"]`).click();
      await page.waitForURL(`${instance.url}/**`);
      await expect
        .poll(() => page.evaluate(async () => (await (await fetch('/api/auth/user')).json()).isVerified), {
          timeout: 15_000,
        })
        .toBe(true);

      await page.goto(`${instance.url}/explore-communities`);
      await page.getByRole('link', { name: /Ridge/ }).first().click();
      await page.getByRole('button', { name: 'Join', exact: false }).first().click();
      const [community] = (await sampleCommunities(instance)).filter((entry) => entry.name.startsWith('Ridge'));
      await expect
        .poll(() =>
          page.evaluate(
            async () =>
              (await (await fetch('/api/user/communities', { headers: { 'x-muster-fresh': '1' } })).json()).length,
          ),
        )
        .toBe(1);
      await page.goto(`${instance.url}/community/${community?.slug}/dashboard`);
      await checksIn(page, /check in/i);
      expect((await ledger(page)).filter((entry) => entry.kind === 'award')).toHaveLength(1);

      await page.goto(`${instance.url}/leaderboard`);
      await page.getByRole('main').getByText('You', { exact: true }).first().waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    });
  }

  test('a leader rejects with a reason, the member reads it, tries again, is approved, and the board moves', async () => {
    const member = await person(browser);
    const leader = await person(browser, { viewport: DESK });
    await signIn(member.page, instance.url, '1001');
    await signIn(leader.page, instance.url, '1004');
    const link = async (page: Page, id: string) => {
      const me = await page.evaluate(async () => (await fetch('/api/auth/user')).json());
      if (me.isVerified) return;
      await page.goto(`${instance.url}/api/auth/x/start?next=/communities`);
      await page.locator(`[data-person="${id}"]`).click();
      await page.waitForURL(`${instance.url}/communities`);
    };
    await link(member.page, '1001');
    await link(leader.page, '1004');
    const mine = await leader.page.evaluate(
      async () => (await (await fetch('/api/user/communities')).json()) as { slug: string; role: string }[],
    );
    const slug = mine.find((entry) => entry.role === 'leader')?.slug;
    expect(slug).toBeDefined();

    const title = 'Tell us about the ford';
    await leader.page.goto(`${instance.url}/community/${slug}/admin`);
    const asked = { setup: { kind: 'submit_text' }, title, instructions: 'How deep is it?' };
    await command(leader.page, 'POST', `/api/communities/${slug}/tasks`, { ...asked, points: 30, recurrence: 'once' });

    await member.page.goto(`${instance.url}/community/${slug}`);
    const join = member.page.getByRole('button', { name: 'Join', exact: false }).first();
    const enter = member.page.getByRole('link', { name: 'Open Today' });
    await join.or(enter).first().waitFor();
    if (await join.isVisible()) {
      await join.click();
      await expect
        .poll(() =>
          member.page.evaluate(
            async () =>
              (await (await fetch('/api/user/communities', { headers: { 'x-muster-fresh': '1' } })).json()).length,
          ),
        )
        .toBeGreaterThan(0);
    }
    const at = async (page: Page, path: string) => {
      await page.goto(`${instance.url}/community/${slug}/${path}`);
      return page;
    };
    const queue = () =>
      leader.page.evaluate(
        async (slug) => (await fetch(`/api/communities/${slug}/review`, { headers: { 'x-muster-fresh': '1' } })).text(),
        slug,
      );
    await rejectedThenApproved(
      {
        member: () => at(member.page, 'dashboard'),
        leader: () => at(leader.page, 'admin'),
        decided: (words) => expect.poll(queue).not.toContain(words),
      },
      title,
    );
    expect((await ledger(member.page)).filter((entry) => entry.task === title && entry.kind === 'award')).toHaveLength(
      1,
    );
    expect([...member.complaints, ...leader.complaints]).toEqual([]);
    await member.context.close();
    await leader.context.close();
  });

  test('a claim made with the server stopped is kept, shown in pencil, and ends as one ledger row', async () => {
    const { context, page, complaints } = await person(browser);
    await signIn(page, instance.url, '1001');
    await page.goto(`${instance.url}/api/auth/x/start?next=/communities`);
    if (page.url().startsWith(instance.sandbox)) await page.locator('[data-person="1001"]').click();
    await page.waitForURL(`${instance.url}/**`);
    const other = (await sampleCommunities(instance)).find((entry) => !entry.name.startsWith('Ridge'));
    await page.evaluate(
      (slug) =>
        fetch(`/api/communities/${slug}/join`, { method: 'POST', headers: { 'idempotency-key': crypto.randomUUID() } }),
      other?.slug,
    );
    await page.goto(`${instance.url}/community/${other?.slug}/dashboard`);
    await page
      .getByRole('button', { name: /check in/i })
      .first()
      .waitFor();
    await controlled(page);
    await page.reload();
    await page
      .getByRole('button', { name: /check in/i })
      .first()
      .waitFor();
    const before = (await ledger(page)).length;

    await instance.stop();
    await page.reload();
    await page
      .getByRole('button', { name: /check in/i })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click();
    await page
      .getByText(/Saved on this phone/)
      .first()
      .waitFor();
    await page.reload();
    await page
      .getByText(/Saved on this phone/)
      .first()
      .waitFor();

    await instance.start();
    await page
      .getByText(/^Counted/)
      .first()
      .waitFor({ timeout: 60_000 });
    await expect.poll(async () => (await ledger(page)).length, { timeout: 60_000 }).toBe(before + 1);
    await page.reload();
    await page
      .getByText(/^Counted/)
      .first()
      .waitFor();
    expect((await ledger(page)).length).toBe(before + 1);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
