import type { AdminOverview } from '../../contract/overview.ts';
import type { Handlers } from '../../http/handler.ts';
import { readChecks } from './health.ts';
import { readCounts, readQueues } from './queues.ts';
import { switchesOf } from './switches.ts';

const ENTRIES_SHOWN = 5;

export const adminHandlers = {
  'GET /api/admin/overview': async ({ runtime }) => {
    const [checks, waiting, counts] = await Promise.all([
      readChecks(runtime),
      readQueues(runtime),
      readCounts(runtime),
    ]);
    const overview: AdminOverview = {
      asOf: runtime.now().toISOString(),
      checks,
      waiting,
      counts,
      versions: { build: runtime.build, startedAt: runtime.startedAt.toISOString(), node: process.version },
    };
    return { json: overview };
  },

  'GET /api/admin/switches': ({ runtime }) => ({ json: switchesOf(runtime.config) }),

  'GET /api/admin/recent-acts': async ({ sql }) => {
    const rows = await sql<
      { id: string; at: Date; action: string; by: string | null; subject: string | null; reason: string | null }[]
    >`
      select e.id::text, e.at, e.action, u.display_name as by, e.subject, e.reason
      from audit_entries e left join users u on u.id = e.actor_id
      where e.community_id is null order by e.id desc limit ${ENTRIES_SHOWN}`;
    return { json: rows.map((row) => ({ ...row, at: row.at.toISOString() })) };
  },
} satisfies Handlers;
