import type { Page } from 'playwright-core';
import { axeFinds } from './axe.ts';
import { PHONE } from './browser.ts';
import { smallTargets } from './touch-targets.ts';

/** Chooses a theme as the device keeps it; pages opened from now on are drawn in it. */
export async function theme(page: Page, value: 'light' | 'dark'): Promise<void> {
  await page.evaluate((theme) => localStorage.setItem('muster-theme', theme), value);
}

/** What is wrong with the page as it stands. */
export async function flawsOf(page: Page, where: string): Promise<string[]> {
  const problems: string[] = [];
  const headings = await page.locator('h1').count();
  if (headings !== 1) problems.push(`${where}: ${headings} h1`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (overflow > 0) problems.push(`${where}: ${overflow} px wider than the screen`);
  if (page.viewportSize()?.width === PHONE.width)
    for (const small of await smallTargets(page)) problems.push(`${where}: ${small}`);
  for (const found of await axeFinds(page)) problems.push(`${where}: ${found}`);
  return problems;
}
