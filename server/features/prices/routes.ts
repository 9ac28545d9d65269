import type { Handlers } from '../../http/handler.ts';

export const priceHandlers = {
  'GET /api/prices': async ({ runtime }) => ({ json: await runtime.prices.current(runtime.now()) }),
} satisfies Handlers;
