import type { Prices as PriceReport } from '../../contract/prices.ts';

/** The product's view of a source of prices. It never throws: without a source, or while it is away, that is the answer. */
export type Prices = { current(now: Date): Promise<PriceReport> };
