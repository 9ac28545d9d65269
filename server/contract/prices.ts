import * as z from 'zod/mini';

import { type Declaration, type RouteKey, read } from './route.ts';

/** Prices of a few coins in US dollars, where the operator named a source of them. */
export const Prices = z.object({
  /** False: this instance has no source, and screens show no prices. */
  offered: z.boolean(),
  /** The source did not answer the last time; what is here is from `asOf`, or empty. */
  failing: z.boolean(),
  /** When the source gave them. */
  asOf: z.nullable(z.string()),
  /** By ticker, as plain decimals. */
  usd: z.record(z.string(), z.string()),
});
export type Prices = z.infer<typeof Prices>;

export const priceRoutes = {
  'GET /api/prices': read('public', 'Prices of a few coins, with their time, where the operator offers them', {
    output: Prices,
    perMinute: 60,
  }),
} as const satisfies Record<RouteKey, Declaration>;
