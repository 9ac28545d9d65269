import { setMaxListeners } from 'node:events';
import type { Sql } from 'postgres';
import { pause } from './base/pause.ts';
import type { Runtime } from './base/runtime.ts';
import { createMetrics } from './http/metrics.ts';
import { beside } from './storage/connect.ts';
import { counting, forgetOtherJobs, type JobRuns, jobRuns, lastRuns, nothingSpent } from './storage/job-runs.ts';

/** Work that nobody asks for: done again and again while the server runs. */
export type Job = {
  /** Names the turn that processes take, so it never changes while two releases run side by side. */
  name: string;
  /** Rest between the end of one run and the next. */
  everyMs: number;
  /**
   * Reads much where an instance is large: of all such jobs one runs at a time, in whichever process, and after a start none
   * runs before it is due again.
   */
  heavy?: true;
  /** One run; what it throws is written down and tried again. `stopping` says that the process wants to end. */
  run(runtime: Runtime, stopping: AbortSignal): Promise<void>;
};

/**
 * A job's step waits for a connection as long as another's longest statement takes, because nobody waits for it on
 * screen.
 */
const WAIT_MS = 120_000;
/** How soon a heavy job asks again whether another process is still at one. */
const RETRY_MS = 2_000;

/**
 * Runs every job at its interval, in one process at a time and on separate connections: people's requests never wait
 * for a job's. `stop` waits for running jobs.
 */
export function startJobs(runtime: Runtime, jobs: readonly Job[]): { stop(): Promise<void> } {
  const stopping = new AbortController();
  // Every job listens to it; Node would warn of more than ten.
  setMaxListeners(0, stopping.signal);
  const locks = beside(runtime.sql, 1);
  const sql = beside(runtime.sql, runtime.config.databaseJobsPool, { waitMs: WAIT_MS });
  runtime.own(createMetrics)?.pools.set('jobs', { sql, most: runtime.config.databaseJobsPool });
  const context = {
    runtime: { ...runtime, sql },
    locks,
    runs: jobRuns(runtime),
    alone: oneAtATime(locks, stopping.signal),
  };
  void forgetOtherJobs(
    runtime,
    jobs.map(({ name }) => name),
  );
  const ran = lastRuns(runtime);
  const running = jobs.map(async (job) => {
    const last = job.heavy ? (await ran).get(job.name) : undefined;
    if (last) await pause(last.getTime() + job.everyMs - runtime.now().getTime(), stopping.signal);
    await repeat(context, job, stopping.signal);
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
      await Promise.all([locks.end({ timeout: 1 }), sql.end({ timeout: 1 })]);
    },
  };
}

type Alone = (work: () => Promise<boolean>) => Promise<boolean>;
type JobContext = { runtime: Runtime; locks: Sql; runs: JobRuns; alone: Alone };

async function repeat({ runtime, locks, runs, alone }: JobContext, job: Job, stopping: AbortSignal): Promise<void> {
  const metrics = runtime.own(createMetrics);
  while (!stopping.aborted) {
    const spent = nothingSpent();
    const counted = { ...runtime, sql: counting(runtime.sql, spent) };
    const run = () =>
      locked(locks, job.name, async () => {
        const begun = performance.now();
        await job.run(counted, stopping).finally(() => {
          spent.ms = performance.now() - begun;
        });
      });
    try {
      if (await (job.heavy ? alone(run) : run())) {
        metrics?.job(job.name, spent.ms / 1_000, true);
        await runs.note(job, null, spent);
      }
    } catch (error) {
      runtime.log.error({ err: error, job: job.name }, 'a job failed');
      metrics?.job(job.name, spent.ms / 1_000, false);
      await runs.note(job, error, spent);
    }
    await pause(job.everyMs, stopping);
  }
}

/** Runs jobs one after another: in this process in order of asking, and in no other process at the same time. */
function oneAtATime(locks: Sql, stopping: AbortSignal): Alone {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = before.then(async () => {
      while (!stopping.aborted) {
        let done = false;
        if (await locked(locks, 'heavy jobs', async () => (done = await work()))) return done;
        await pause(RETRY_MS, stopping);
      }
      return false;
    });
    before = mine.catch(() => undefined);
    return mine;
  };
}

/**
 * One connection does nothing but hold the locks of all jobs, so a long job keeps no other waiting for a connection.
 * The locks end with the process, however it ends. False when another process has this one.
 */
async function locked(locks: Sql, name: string, work: () => Promise<unknown>): Promise<boolean> {
  const [lock] = await locks<{ mine: boolean }[]>`select pg_try_advisory_lock(hashtextextended(${name}, 5)) as mine`;
  if (!lock?.mine) return false;
  try {
    await work();
    return true;
  } finally {
    await locks`select pg_advisory_unlock(hashtextextended(${name}, 5))`;
  }
}
