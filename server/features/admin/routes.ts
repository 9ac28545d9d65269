import type { AdminOverview, JobRun } from '../../contract/overview.ts';
import type { Handlers } from '../../http/handler.ts';
import { readAlerting } from './alerts.ts';
import { readChecks } from './health.ts';
import { orNull, readCounts, readQueues } from './queues.ts';
import { switchesOf } from './switches.ts';

const ENTRIES_SHOWN = 5;
/** A job may keep the database at work for this share of the time between two runs. */
const JOB_SHARE = 0.1;
/** One run says something of a job that runs so seldom; of the others the first one after a start is dearer than all that follow. */
const SELDOM_MS = 60_000;

const isOver = ({ share, runs, everyMs }: Pick<JobRun, 'share' | 'runs' | 'everyMs'>): boolean =>
  share > JOB_SHARE && (runs > 1 || everyMs >= SELDOM_MS);

export const adminHandlers = {
  'GET /api/admin/overview': async ({ runtime }) => {
    const [checks, waiting, alerts, counts] = await Promise.all([
      readChecks(runtime),
      readQueues(runtime),
      orNull(runtime, 'alerts', readAlerting(runtime)),
      readCounts(runtime),
    ]);
    const overview: AdminOverview = {
      asOf: runtime.now().toISOString(),
      checks,
      waiting,
      alerts,
      counts,
      versions: { build: runtime.build, startedAt: runtime.startedAt.toISOString(), node: process.version },
    };
    return { json: overview };
  },

  'GET /api/admin/switches': ({ runtime }) => ({ json: switchesOf(runtime.config) }),

  'GET /api/admin/jobs': async ({ sql }) => {
    const rows = await sql<(Omit<JobRun, 'ranAt' | 'isOver'> & { ranAt: Date })[]>`
      select name, every_ms as "everyMs", ran_at as "ranAt", runs, longest_ms as "longestMs", statements::float8,
        rows::float8, share::float8
      from job_runs order by share desc, name`;
    return { json: rows.map((row) => ({ ...row, ranAt: row.ranAt.toISOString(), isOver: isOver(row) })) };
  },

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
