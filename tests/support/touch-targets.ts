import type { Page } from 'playwright-core';

/** What a thumb needs, CSS px, with half a pixel for rounding. */
const TOUCH = 43.5;

/**
 * Controls and links on the screen that are smaller than a thumb needs, in words. A link inside a sentence is left out
 * (WCAG 2.5.8, "inline"); what an `::after` adds to the pressable area counts, and a box to tick or a file is pressed by its
 * label.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((touch) => {
    const standsInText = (element: Element) =>
      getComputedStyle(element).display === 'inline' &&
      [...(element.parentElement?.childNodes ?? [])].some((node) => node !== element && node.textContent?.trim());
    const added = (style: CSSStyleDeclaration, side: 'width' | 'height') =>
      style.content !== 'none' && style.position === 'absolute' ? Number.parseFloat(style[side]) || 0 : 0;
    return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [role=button]')]
      .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter((element) => !element.matches('.skip-link') && !standsInText(element))
      .map((element) => {
        // A press on the words of a tick box or a choice of files is a press on it.
        const pressed = element.matches('[type=checkbox], [type=radio], [type=file]')
          ? ((element as HTMLInputElement).labels?.[0] ?? element)
          : element;
        const box = pressed.getBoundingClientRect();
        const after = getComputedStyle(element, '::after');
        return {
          name: (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40),
          width: Math.max(box.width, added(after, 'width')),
          height: Math.max(box.height, added(after, 'height')),
          tag: element.tagName.toLowerCase(),
        };
      })
      .filter(({ width, height }) => width < touch || height < touch)
      .map(({ tag, name, width, height }) => `${tag} “${name}” is ${Math.round(width)} × ${Math.round(height)}`);
  }, TOUCH);
}
