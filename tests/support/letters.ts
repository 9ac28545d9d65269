/** Letters of another size, as a person sets them in their browser: what a page asks of a screen in letters hears of it. */
import type { CDPSession, Page } from 'playwright-core';

/** Only Chromium's driver sets that. `size`: 1 as they come, 2 for letters of twice the size. Ends when the page has them. */
export async function setLetters(page: Page, driver: CDPSession, size: 1 | 2): Promise<void> {
  await driver.send('Page.setFontSizes', { fontSizes: { standard: 16 * size, fixed: 13 * size } });
  const has = (px: string) => getComputedStyle(document.documentElement).fontSize === px;
  await page.waitForFunction(has, `${16 * size}px`);
}

/** Words of the page that are broken, cut off or wider than the screen, as it stands. */
export const cutWords = (page: Page): Promise<string[]> => page.evaluate(cutWordsHere);

/** Runs in the page: words that are not whole on one line, in the place that is theirs. */
function cutWordsHere(): string[] {
  // Addresses and sums have no place to break; what is only said to screen readers is a pixel wide.
  const leftOut =
    '.break-anywhere, .visually-hidden, [style*="clip: rect"], .skip-link, select, svg, [style*="line-clamp"]';
  const found: string[] = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.push(`${wide} px wider than the screen`);
  /** Of an address or a sum a part may be broken; what is longer than this has no line of a phone to itself. */
  const isWord = (text: string, at: number, word: string) =>
    word.length <= 30 && !/[/.:]\S*$/.test(text.slice(0, at)) && !/^\S*[/]/.test(text.slice(at));
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const hides = /hidden|clip/;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest(leftOut)) continue;
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(
      /(?<![\p{L}\p{M}@_])\p{L}[\p{L}\p{M}’']{2,}/gu,
    )) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
      const [line] = lines;
      if (!line) continue;
      if (isWord(node.textContent ?? '', index, word) && new Set(lines.map(({ top }) => Math.round(top))).size > 1)
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
