import { setMaxListeners } from 'node:events';
import type { Sql } from 'postgres';
import { pause } from './base/pause.ts';
import type { Runtime } from './base/runtime.ts';
import { beside } from './storage/connect.ts';
import { forgetOtherJobs, type JobRuns, jobRuns } from './storage/job-runs.ts';

/** Work that nobody asks for: done again and again while the server runs. */
export type Job = {
  /** Names the turn that processes take, so it never changes while two releases run side by side. */
  name: string;
  /** Rest between the end of one run and the next. */
  everyMs: number;
  /** One run; what it throws is written down and tried again. `stopping` says that the process wants to end. */
  run(runtime: Runtime, stopping: AbortSignal): Promise<void>;
};

/** Runs every job now and then, each in one process at a time. `stop` waits for what is under way. */
export function startJobs(runtime: Runtime, jobs: readonly Job[]): { stop(): Promise<void> } {
  const stopping = new AbortController();
  // Every job listens to it; Node would warn of more than ten.
  setMaxListeners(0, stopping.signal);
  const turns = beside(runtime.sql, 1);
  const runs = jobRuns(runtime);
  void forgetOtherJobs(
    runtime,
    jobs.map(({ name }) => name),
  );
  const running = jobs.map((job) => repeat(runtime, { turns, runs }, job, stopping.signal));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
      await turns.end({ timeout: 1 });
    },
  };
}

type Kept = { turns: Sql; runs: JobRuns };

async function repeat(runtime: Runtime, { turns, runs }: Kept, job: Job, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      if (await runAlone(runtime, turns, job, stopping)) await runs.note(job, null);
    } catch (error) {
      runtime.log.error({ err: error, job: job.name }, 'a job failed');
      await runs.note(job, error);
    }
    await pause(job.everyMs, stopping);
  }
}

/**
 * The turns of all jobs are locks of one connection that does nothing else, so that a long job keeps no other waiting
 * for one; they go with the process, however that ends. False where another process has the turn.
 */
async function runAlone(runtime: Runtime, turns: Sql, job: Job, stopping: AbortSignal): Promise<boolean> {
  const [turn] = await turns<{ mine: boolean }[]>`
    select pg_try_advisory_lock(hashtextextended(${job.name}, 5)) as mine`;
  if (!turn?.mine) return false;
  try {
    await job.run(runtime, stopping);
    return true;
  } finally {
    await turns`select pg_advisory_unlock(hashtextextended(${job.name}, 5))`;
  }
}
