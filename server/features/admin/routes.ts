import type { AdminOverview } from '../../contract/routes.ts';
import type { Handlers } from '../../http/handler.ts';
import { readCounts, readStorage } from './queries.ts';
import { telegramState } from './telegram-state.ts';

export const adminHandlers = {
  'GET /api/admin/overview': async ({ sql, runtime }) => {
    const { config } = runtime;
    const [counts, storage, telegram] = await Promise.all([
      readCounts(sql, config.telegram.requiredChannel !== null),
      readStorage(sql),
      telegramState(runtime.telegram, config.telegram.requiredChannel),
    ]);
    const overview: AdminOverview = {
      asOf: runtime.now().toISOString(),
      startedAt: runtime.startedAt.toISOString(),
      build: runtime.build,
      ...counts,
      storage: { kind: config.databaseUrl === null ? 'embedded' : 'external', ...storage },
      telegram,
      x: { configured: runtime.x.configured },
    };
    return { json: overview };
  },
} satisfies Handlers;
