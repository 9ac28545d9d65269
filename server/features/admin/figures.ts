import type { Runtime } from '../../base/runtime.ts';
import { CheckName, CheckState } from '../../contract/overview.ts';
import type { Metrics } from '../../http/metrics.ts';
import { loadOf } from '../../storage/deadline.ts';

/** What the database tells is read once for all who ask within so many ms. */
const READ_EVERY_MS = 10_000;
const READ_WITHIN_MS = 2_500;

type Figures = {
  jobs: { name: string; okAt: number | null; failing: boolean }[];
  queues: { queue: string; count: number }[];
  checks: { name: string; state: CheckState }[];
  backupAt: number | null;
};

/** Queues of which the rows are what waits, and that are short while all is well. */
const QUEUES = ['count_queue', 'state_queue', 'change_queue', 'instance_queue', 'client_log_inbox'] as const;

async function readFigures({ sql }: Pick<Runtime, 'sql'>): Promise<Figures> {
  const plain = QUEUES.map((name) => `select '${name}' as queue, count(*)::int as count from ${name}`).join(
    ' union all ',
  );
  const [jobs, queues, checks, [backup]] = await Promise.all([
    sql<Figures['jobs']>`
      select name, extract(epoch from ok_at)::float8 as "okAt", failing_since is not null as failing from job_runs`,
    sql<Figures['queues']>`
      ${sql.unsafe(plain)}
      union all select 'webhook_deliveries', count(*)::int from webhook_deliveries where state = 'waiting'
      union all select 'bot_messages', count(*)::int from bot_messages where state = 'waiting'
      union all select 'alerts', count(*)::int from client_log_alerts where state = 'waiting'
      union all select 'notifications_urgency_' || urgency, count(*)::int from notification_chunks group by urgency`,
    sql<Figures['checks']>`select name, state from health_states`,
    sql<[{ at: number | null }]>`select extract(epoch from max(at))::float8 as at from backups where error is null`,
  ]);
  return { jobs, queues, checks, backupAt: backup.at };
}

/** The gauges that are set when they are read, and how they are set. */
export function createFigures(runtime: Runtime, { gauge, pools }: Metrics): () => Promise<void> {
  const built = gauge('muster_build_info', 'The release that runs', 'build', 'node');
  const isUp = gauge('muster_database_up', 'Whether the database answered just now');
  const statements = gauge(
    'muster_database_statements',
    'Statements and transactions under way, and waiting for a connection',
    'pool',
    'state',
  );
  const size = gauge('muster_database_pool_size', 'Connections that a pool may open', 'pool');
  const okAt = gauge(
    'muster_job_last_success_timestamp_seconds',
    'When a background job went well last, in any process',
    'job',
  );
  const failing = gauge('muster_job_failing', 'Whether the last run of a background job failed', 'job');
  const queued = gauge('muster_queue_length', 'What waits in a queue', 'queue');
  const checks = gauge('muster_check_state', 'Whether a check of the instance is in a state', 'check', 'state');
  const backupAt = gauge('muster_backup_last_success_timestamp_seconds', 'When the last good backup was made');
  let last: { at: number; figures: Promise<Figures> } | null = null;
  const read = () => {
    const at = runtime.now().getTime();
    if (!last || Math.abs(at - last.at) > READ_EVERY_MS) last = { at, figures: withinTime(readFigures(runtime)) };
    return last.figures;
  };
  return async () => {
    for (const one of [okAt, failing, queued, checks]) one.reset();
    // Without labels a reset is a zero, which would be a backup of 1970.
    backupAt.remove();
    built.set({ build: runtime.build, node: process.version }, 1);
    for (const [pool, { sql, most }] of pools) {
      const { running, waiting } = loadOf(sql);
      statements.set({ pool, state: 'running' }, running);
      statements.set({ pool, state: 'waiting' }, waiting);
      size.set({ pool }, most);
    }
    const found = await read().catch(() => null);
    isUp.set(found === null ? 0 : 1);
    if (found === null) {
      last = null;
      return;
    }
    for (const { name, okAt: at, failing: fails } of found.jobs) {
      if (at !== null) okAt.set({ job: name }, at);
      failing.set({ job: name }, fails ? 1 : 0);
    }
    for (const { queue, count } of found.queues) queued.set({ queue }, count);
    for (const check of CheckName.options) {
      const state = found.checks.find(({ name }) => name === check)?.state ?? 'unknown';
      for (const one of CheckState.options) checks.set({ check, state: one }, one === state ? 1 : 0);
    }
    if (found.backupAt !== null) backupAt.set(found.backupAt);
  };
}

function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the database did not answer in time')), READ_WITHIN_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
