import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

/** A page in any engine, as far as the cases need one. */
export type Tab = {
  /** Runs a function in the page, which may use nothing of its file, and answers what came of it. */
  evaluate<Given, Result>(work: (given: Given) => Result | Promise<Result>, given: Given): Promise<Result>;
  goto(address: string): Promise<void>;
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
  /** The page as Playwright drives it, for what only an engine's own protocol can do; null elsewhere. */
  page: Page | null;
};

export const tabOf = (page: Page): Tab => ({
  evaluate: (work, given) => page.evaluate(work as never, given as never),
  goto: async (address) => void (await page.goto(address)),
  screenshot: async (path) => void (await page.screenshot({ path })),
  close: () => page.close(),
  page,
});

const WITHIN_MS = 60_000;

/** Waits until a function in the page answers true. A page that is being changed for another one answers: not yet. */
export async function holds<Given>(tab: Tab, work: (given: Given) => boolean | Promise<boolean>, given: Given) {
  const end = performance.now() + WITHIN_MS;
  for (let trouble: unknown = ''; ; ) {
    try {
      if (await tab.evaluate(work, given)) return;
      trouble = '';
    } catch (error) {
      trouble = error;
    }
    if (performance.now() > end) throw new Error(`the page never came to: ${work} ${given ?? ''} ${trouble}`);
    await sleep(50);
  }
}

/** Presses the control of these words, as soon as there is one. */
export const press = (tab: Tab, words: string) =>
  holds(
    tab,
    (words) => {
      const controls = [...document.querySelectorAll<HTMLElement>('button, a')];
      const control = controls.find((one) => one.textContent?.trim() === words);
      control?.click();
      return control !== undefined;
    },
    words,
  );
