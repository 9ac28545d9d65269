import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { noFault } from '../faults/proxy.ts';
import { launch } from './browser.ts';
import { type Instance, startInstance } from './instance.ts';

export type Product = { instance: Instance; browser: Browser };

/**
 * For all tests of a file: the built product on data of its own, which begin with the sample, and a browser. `prepare` takes
 * both. Devices that no test has closed are closed with the file.
 */
export function withProduct(prepare: (product: Product) => void | Promise<void>, env: NodeJS.ProcessEnv = {}): void {
  const product: Partial<Product> = {};
  beforeAll(async () => {
    const [instance, browser] = await Promise.all([startInstance(env, inject('preparedHome')), launch()]);
    Object.assign(product, { instance, browser });
    await prepare({ instance, browser });
  });
  // A test that failed while the instance was away fails alone.
  afterEach(() => {
    if (!product.instance) return;
    product.instance.comeBack();
    product.instance.proxy.rule = noFault;
  });
  afterAll(async () => {
    for (const context of product.browser?.contexts() ?? []) await context.close();
    await product.instance?.remove();
  });
}
