import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Found = { violations: { id: string; nodes: { html: string }[] }[] };
type Axe = { run(options: object): Promise<Found> };
/** Of a theme after another one only the colours can be wrong. */
export const COLOURS = { runOnly: ['color-contrast'] };

/**
 * What axe finds on the page as it stands, in words; by all of its rules unless told. It comes through Playwright's own world:
 * the page's policy stays as strict as it is. A colour on its way to another is of neither, so what moves is waited for.
 */
export async function axeFinds(page: Page, options: object = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(async (options) => {
    const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run({ resultTypes: ['violations'], ...options });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  }, options);
}
