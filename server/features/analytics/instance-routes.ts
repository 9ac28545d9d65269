import type { Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { AnalyticsQuery } from '../../contract/analytics.ts';
import type { Handlers } from '../../http/handler.ts';
import { countVisit } from '../../http/visits.ts';
import { FORMATS, tableText } from '../exports/table.ts';
import { type AnalyticsScope, readScope } from './asked.ts';
import { tables } from './csv.ts';
import { listCommunities, widgets } from './widgets.ts';

const COMMUNITIES_MOST = 500;

type Call = { runtime: Pick<Runtime, 'now'>; sql: Sql; query: AnalyticsQuery };

/** Parts are read independently: one that fails leaves the others. */
async function answer<T>(
  { runtime, sql, query }: Call,
  read: (sql: Sql, scope: AnalyticsScope) => Promise<T>,
): Promise<{ json: T }> {
  return { json: await read(sql, await readScope(sql, query, runtime.now())) };
}

export const instanceAnalyticsHandlers = {
  'GET /api/admin/analytics/communities': async ({ sql }) => ({
    json: [...(await listCommunities(sql, COMMUNITIES_MOST))],
  }),
  'GET /api/admin/analytics/people': (call) => answer(call, widgets.people),
  'GET /api/admin/analytics/retention': (call) => answer(call, widgets.retention),
  'GET /api/admin/analytics/funnel': (call) => answer(call, widgets.funnel),
  'GET /api/admin/analytics/reviews': (call) => answer(call, widgets.reviews),
  'GET /api/admin/analytics/push': (call) => answer(call, widgets.push),
  'GET /api/admin/analytics/installs': (call) => answer(call, widgets.installs),
  'GET /api/admin/analytics/offline': (call) => answer(call, widgets.offline),
  'GET /api/admin/analytics/tasks': (call) => answer(call, widgets.tasks),

  'GET /api/admin/analytics/export': async ({ runtime, sql, query }) => {
    const scope = await readScope(sql, query, runtime.now());
    const { columns, lines } = await tables[query.table](sql, scope);
    async function* pages() {
      yield lines;
    }
    return {
      file: {
        type: FORMATS.csv.type,
        content: tableText('csv', columns, pages()),
        name: `analytics-${query.table}-${scope.from}-${scope.to}.${FORMATS.csv.ending}`,
      },
    };
  },

  'POST /api/pwa/installs': ({ runtime }) => {
    countVisit(runtime, 'install');
    return { json: { ok: true } };
  },
} satisfies Handlers;
