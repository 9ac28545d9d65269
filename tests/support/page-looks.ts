/** How a page is looked at once it is there: all that is wrong with it, in words. */
import type { CDPSession, Page } from 'playwright-core';
import { CACHED_ONLY_HEADER } from '../../server/contract/sw-messages.ts';
import { axeFinds, COLOURS } from './axe.ts';
import { DESK, ENGINE, PHONE } from './browser.ts';
import { cutWords, setLetters } from './letters.ts';
import { answerOneByOne, drawn, observeShifts } from './shifts.ts';
import { smallTargets } from './touch-targets.ts';

type Wanted = { heading: string; mayWait: boolean };
/** Runs in the page: whether the screen stands under its heading, the only one, with nothing that still loads. */
function isThere({ heading, mayWait }: Wanted): boolean {
  const [h1, ...more] = document.querySelectorAll('h1');
  const isBusy = document.querySelector('[aria-busy="true"], .still-loading') !== null;
  return more.length === 0 && h1?.textContent?.trim() === heading && (mayWait || !isBusy);
}

/**
 * Waits for the screen under its heading, and answers what is there instead when it does not come. Where a frame takes
 * another's place there are no headings, or two, for a moment.
 */
export async function comes(page: Page, heading: string, mayWait: boolean): Promise<string[]> {
  const came = await page.waitForFunction(isThere, { heading, mayWait }).catch(() => null);
  if (came) return [];
  const busy = await page.locator('[aria-busy="true"], .still-loading').count();
  return [
    `headed ${JSON.stringify(await page.locator('h1').allTextContents())}, not ${heading}; ${busy} still loading`,
  ];
}

/** Runs in the page: by how much it is wider than the screen, and what of it lies on something else or runs out of its place. */
function crowded(): string[] {
  const wide = document.documentElement.scrollWidth - innerWidth;
  const widest = [...document.querySelectorAll('main *')].filter(
    (one) => one.getBoundingClientRect().right > innerWidth,
  );
  const names = widest.map(({ tagName, className }) => `${tagName}.${className}`).slice(0, 3);
  const found = wide > 0 ? [`${wide} px wider than the screen: ${names.join(', ')}`] : [];
  for (const name of document.querySelectorAll('.community-card h3')) {
    const under = name.nextElementSibling?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY;
    const letters = document.createRange();
    letters.selectNodeContents(name);
    if (letters.getBoundingClientRect().bottom > under + 1) found.push(`${name.textContent} lies on its line`);
  }
  for (const place of document.querySelectorAll('.chip, .side-bar a'))
    if (place.scrollWidth > place.clientWidth) found.push(`${place.textContent} does not fit its place`);
  return found;
}

/** A quarter of what counts as good (web.dev/cls): a heading that its name makes a line longer. */
const SEEN = 0.025;
/** What has moved while the page arrived, read by read. */
async function moved(page: Page): Promise<string[]> {
  await page.evaluate(async () => {
    await globalThis.allAnswered();
    await document.fonts.ready;
  });
  await drawn(page);
  const shifts = await page.evaluate(() => globalThis.takeShifts());
  return shifts.reduce((sum, { value }) => sum + value, 0) > SEEN ? [`moved: ${JSON.stringify(shifts)}`] : [];
}

/** A page that is looked at, and who sets the size of its letters, where the driver can. */
export type Eye = { page: Page; driver: CDPSession | null };

/** A page to look at others in: what it reads comes one by one, so that whatever can move does. */
export async function eyeOf(page: Page): Promise<Eye> {
  // What fades in has another colour on the way: here everything is at once what it will be.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  if (ENGINE !== 'chromium') return { page, driver: null };
  await page.addInitScript(observeShifts);
  await page.addInitScript(answerOneByOne, CACHED_ONLY_HEADER);
  return { page, driver: await page.context().newCDPSession(page) };
}

/** The smallest phone that is in use; what is as wide as it fits every other. */
const NARROW = { width: 320, height: 568 };

/**
 * Looks at a page as a phone shows it in light and with large letters, and as a desk does in dark: one load serves all.
 * `isStill`: whether nothing of it may have moved on its way, as it does for a heading of many lines.
 */
export async function flawsOfPage({ page, driver }: Eye, isStill: boolean): Promise<string[]> {
  const found: string[] = [];
  const note = (how: string, flaws: string[]) => found.push(...flaws.map((flaw) => `${how}: ${flaw}`));
  if (driver && isStill) note('on its way', await moved(page));
  note('phone', [...(await smallTargets(page)), ...(await axeFinds(page))]);
  if (driver) {
    await setLetters(page, driver, 2);
    note('large letters', await cutWords(page));
    await page.setViewportSize(NARROW);
    note('narrow, large letters', await page.evaluate(crowded));
    await setLetters(page, driver, 1);
  }
  await page.setViewportSize(NARROW);
  note('narrow', await page.evaluate(crowded));
  await page.setViewportSize(DESK);
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
  note('desk, dark', [...(await page.evaluate(crowded)), ...(await axeFinds(page, COLOURS))]);
  await page.setViewportSize(PHONE);
  await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'light'));
  // A link that is followed from here finds a phone.
  await drawn(page);
  return found;
}
