import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launch } from './browser.ts';
import { type Instance, startInstance } from './instance.ts';

type Product = { instance: Instance; browser: Browser };

/** For all tests of a file: the built product on data of its own and a browser, until the last of them. `prepare` takes both. */
export function withProduct(prepare: (product: Product) => void | Promise<void>): void {
  const product: Partial<Product> = {};
  beforeAll(async () => {
    const instance = await startInstance();
    product.instance = instance;
    const browser = await launch();
    product.browser = browser;
    await prepare({ instance, browser });
  });
  afterAll(async () => {
    await product.browser?.close();
    await product.instance?.remove();
  });
}
