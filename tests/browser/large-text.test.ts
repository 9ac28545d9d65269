/** Letters of twice their size on a phone, as a person sets them in the browser: no word is broken, cut off or lies on another. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, person, signIn } from '../support/browser.ts';
import { type Instance, sampleCommunities, startInstance } from '../support/instance.ts';

let instance: Instance;
let browser: Browser;
let slug = '';
beforeAll(async () => {
  instance = await startInstance();
  browser = await launch();
  slug = (await sampleCommunities(instance))[0]?.slug ?? '';
});
afterAll(async () => {
  await browser?.close();
  await instance?.remove();
});

/** Runs in the page: words that are not whole on one line, in the place that is theirs. */
function cutWords(): string[] {
  const found: string[] = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.push(`${wide} px wider than the screen`);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const hides = /hidden|clip/;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest('.visually-hidden, .skip-link, select, svg, [style*="line-clamp"]')) continue;
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(
      /(?<![\p{L}\p{M}@_])\p{L}[\p{L}\p{M}’']{2,}/gu,
    )) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
      const [line] = lines;
      if (!line) continue;
      if (new Set(lines.map(({ top }) => Math.round(top))).size > 1)
        found.push(`“${word}” is broken in .${element.className}`);
      for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        const { left, right } = box.getBoundingClientRect();
        const isOut = line.left < left - 1 || line.right > right + 1;
        // What is one of several beside each other may not run out of its own place either.
        if (isOut && (hides.test(style.overflowX) || box.matches('a, button, .chip'))) {
          found.push(`“${word}” is cut off`);
          break;
        }
        if (style.overflowX === 'auto' || style.overflowX === 'scroll') break;
      }
    }
  }
  return [...new Set(found)];
}

test('every word of the main screens is whole', async () => {
  const { context, page, complaints } = await person(browser);
  await signIn(page, instance.url, '1004');
  const cdp = await context.newCDPSession(page);
  await cdp.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  const seen: string[] = [];
  for (const path of [
    '/',
    `/community/${slug}/dashboard`,
    `/community/${slug}`,
    `/leaderboard?community=${slug}`,
    '/explore-communities',
    '/communities',
    '/profile',
  ]) {
    await page.goto(instance.url + path);
    await page.waitForFunction(
      () => document.querySelector('#main h1') !== null && document.querySelector('#main .still-loading') === null,
    );
    seen.push(...(await page.evaluate(cutWords)).map((flaw) => `${path}: ${flaw}`));
  }
  expect(seen).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});
