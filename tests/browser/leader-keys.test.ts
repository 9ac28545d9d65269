/** A leader's morning by the keyboard alone: twenty mixed answers are decided in at most 45 key presses. */
import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { DESK, person, signIn } from '../support/browser.ts';
import { stage } from '../support/engagement.ts';
import type { Instance } from '../support/instance.ts';
import { databaseOf } from '../support/instance-database.ts';
import { withProduct } from '../support/product.ts';

const LEADER = '1004';
const ENOUGH = 45;
let instance: Instance;
let browser: Browser;
withProduct((product) => {
  ({ instance, browser } = product);
});

/** A community of the leader's with two appeals, twelve texts, among them two copies, and six links. */
async function twentyWaiting(): Promise<{ id: string; slug: string }> {
  const { sql, close } = await databaseOf(instance);
  const on = stage(sql);
  const place = await on.community();
  const [leader] = await sql<[{ id: string }]>`select id from users where telegram_user_id = ${LEADER}`;
  await on.join(place.id, leader.id, 'leader');
  const words = await on.task(place, { kind: 'submit_text' });
  const links = await on.task(place, { setup: { kind: 'submit_url', hosts: [] } });
  await sql`update tasks set title = 'Trail note' where id = ${words}`;
  await sql`update tasks set title = 'Link a map' where id = ${links}`;
  const at = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  for (let nth = 0; nth < 20; nth += 1) {
    const by = await on.member(place.id, `Walker ${String(nth + 1).padStart(2, '0')}`);
    const evidence = { kind: 'submit_url', url: `https://example.org/way/${nth}` } as const;
    const now = at(600 - nth);
    const claim = await (nth < 14
      ? on.claim(place, words, by, { text: `Stile ${nth} is loose by the mill`, now })
      : on.claim(place, links, by, { evidence, now }));
    if (nth > 1) continue;
    await on.reject(place, claim.id, place.moderator, at(300));
    await sql`
      update claims set appeal_text = 'It was there, look again.', appeal_at = ${at(200 - nth)}, appeal_outcome = 'open'
      where id = ${claim.id}`;
  }
  await close();
  return place;
}

test('twenty mixed answers are decided with the keyboard in at most 45 key presses', async () => {
  const { context, page, complaints } = await person(browser, { viewport: DESK });
  await signIn(page, instance.url, LEADER);
  const place = await twentyWaiting();
  await page.goto(`${instance.url}/community/${place.slug}/dashboard`);
  const review = page.getByRole('link', { name: /^Review 20 answers/ });
  await review.waitFor();

  let presses = 0;
  const press = async (key: string) => {
    presses += 1;
    await page.keyboard.press(key);
  };
  await review.focus();
  await press('Enter');
  await page.getByRole('article').waitFor();
  const position = page.getByRole('status').filter({ hasText: /^\d+ of \d+$/ });
  const left = (count: number) => expect.poll(() => position.textContent()).toMatch(new RegExp(`of ${count}$`));
  const words = page.getByRole('textbox', { name: 'Reason' });
  /** Asks why, takes a saved reply, and sends it. */
  const withReply = async (key: string) => {
    await press(key);
    await words.waitFor();
    expect(await words.evaluate((field) => field === document.activeElement)).toBe(true);
    await press('1');
    await press('Control+Enter');
    await words.waitFor({ state: 'detached' });
  };
  await left(20);
  await press('a');
  await left(19);
  await withReply('r');
  await left(18);
  for (let nth = 17; nth > 13; nth -= 1) {
    await press('a');
    await left(nth);
  }
  await left(14);
  await withReply('c');
  await left(13);
  // Two are chosen to be sent back together, in the leader's own words of a saved reply.
  await press('x');
  await press('j');
  await press('x');
  await page.getByRole('button', { name: /^Changes: 2/ }).waitFor();
  await withReply('Shift+c');
  await left(11);
  await withReply('r');
  await left(10);
  await press('a');
  await left(9);
  await press('a');
  await left(8);
  await press('n');
  await withReply('r');
  await left(7);
  await press('Shift+x');
  await press('Shift+a');
  await page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
  console.log(`${presses} key presses`);
  expect(presses).toBeLessThanOrEqual(ENOUGH);

  const { sql, close } = await databaseOf(instance);
  const states = async () =>
    Object.fromEntries(
      (
        await sql<{ state: string; count: number }[]>`
          select state, count(*)::int from claims where community_id = ${place.id} group by state order by state`
      ).map(({ state, count }) => [state, count]),
    );
  await expect.poll(states, { timeout: 60_000 }).toEqual({ approved: 14, changes_requested: 3, rejected: 3 });
  await close();
  expect(complaints).toEqual([]);
  await context.close();
});
