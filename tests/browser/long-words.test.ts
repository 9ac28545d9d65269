/** Words and names of any length, and letters of any size: the page is never wider than the screen, and no line lies on another. */
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { arrived, command, ENGINE, person, signIn } from '../support/browser.ts';
import { type Instance, sampleCommunities } from '../support/instance.ts';
import { setLetters } from '../support/letters.ts';
import { withProduct } from '../support/product.ts';

const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte';
const NARROW = { width: 320, height: 568 };
const PATHS = [
  '/communities',
  '/community/long',
  '/community/long/dashboard',
  ...['tasks', 'seasons', 'announcements', 'connections'].map((room) => `/community/long/admin?room=${room}`),
];

let instance: Instance;
let browser: Browser;
withProduct(async (product) => {
  ({ instance, browser } = product);
  await sampleCommunities(instance);
});

/** A community in which everything has one long word for a name, and a task that opens after another. */
async function found(page: Page): Promise<void> {
  const about = { name: WORD, slug: 'long', description: WORD, rules: WORD, tags: [], languages: ['de'] };
  const { id } = await command(page, 'POST', '/api/communities', about);
  const task = { instructions: WORD, points: 10, recurrence: 'once', setup: { kind: 'check_in' } };
  const first = await command(page, 'POST', `/api/communities/${id}/tasks`, { ...task, title: WORD });
  const conditions = { match: 'all', of: [{ is: 'task', taskId: first.id }] };
  await command(page, 'POST', `/api/communities/${id}/tasks`, { ...task, title: 'After it', conditions });
  const endsAt = new Date(Date.now() + 7 * 24 * 60 * 60_000).toISOString();
  const season = { name: WORD.slice(0, 40), rules: WORD, startsAt: null, endsAt, graceHours: 1, taskIds: [] };
  const planned = await command(page, 'POST', `/api/communities/${id}/seasons`, season);
  await command(page, 'POST', `/api/communities/${id}/seasons/${planned.id}/start`);
  await command(page, 'POST', `/api/communities/${id}/announcements`, { title: WORD, body: WORD });
}

/** Runs in the page: by how much it is wider than the screen, and what of it lies on something else. */
function flaws(): string[] {
  const wide = document.documentElement.scrollWidth - innerWidth;
  const found = wide > 0 ? [`${wide} px wider than the screen`] : [];
  for (const name of document.querySelectorAll('.community-card h3')) {
    const under = name.nextElementSibling?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
    const letters = document.createRange();
    letters.selectNodeContents(name);
    if (letters.getBoundingClientRect().bottom > under + 1) found.push(`${name.textContent} lies on its line`);
  }
  for (const chip of document.querySelectorAll('.chip'))
    if (chip.scrollWidth > chip.clientWidth) found.push(`${chip.textContent} does not fit its chip`);
  return found;
}

// Only Chromium's driver sets that.
test.each(ENGINE === 'chromium' ? ['100%', '200%'] : ['100%'])(
  'long words wrap where they stand, with letters of %s',
  async (size) => {
    const leader = await person(browser, { viewport: NARROW, alone: true });
    await signIn(leader.page, instance.url, '1004');
    if (size === '100%') await found(leader.page);
    const member = await person(browser, { viewport: NARROW, alone: true });
    await signIn(member.page, instance.url, '1001');
    if (size === '100%') await command(member.page, 'POST', '/api/communities/long/join');
    const seen: string[] = [];
    for (const [{ page }, paths] of [
      [leader, PATHS],
      [member, PATHS.slice(0, 3)],
    ] as const)
      for (const path of paths) {
        if (size === '200%') await setLetters(await page.context().newCDPSession(page), 2);
        await page.goto(instance.url + path);
        await arrived(page);
        seen.push(...(await page.evaluate(flaws)).map((flaw) => `${path}: ${flaw}`));
      }
    expect(seen).toEqual([]);
    for (const { context } of [leader, member]) await context.close();
  },
);
