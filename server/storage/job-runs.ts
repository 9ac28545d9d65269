import type { Logger } from 'pino';
import type { Sql } from 'postgres';
import { withoutToken } from '../base/text.ts';

const WRITTEN_EVERY_MS = 60_000;
const ERROR_MAX = 300;

type Ports = { sql: Sql; log: Pick<Logger, 'warn'>; now: () => Date };
export type JobRuns = {
  /** Says how a run ended; `error` null: well. Never throws: a job does not fail for it. */
  note(job: { name: string; everyMs: number }, error: unknown): Promise<void>;
};

/**
 * Records how job runs end, so operators see which fail and since when. A change is written at once, an unchanged
 * result once a minute: some jobs run twice a second.
 */
export function jobRuns({ sql, log, now }: Ports): JobRuns {
  const written = new Map<string, { at: number; isWell: boolean }>();
  return {
    async note({ name, everyMs }, error) {
      const at = now();
      const isWell = error === null;
      const last = written.get(name);
      if (last && last.isWell === isWell && at.getTime() - last.at < WRITTEN_EVERY_MS) return;
      const words = isWell
        ? null
        : withoutToken(error instanceof Error ? error.message : String(error)).slice(0, ERROR_MAX);
      try {
        await sql`
          insert into job_runs as r (name, every_ms, ran_at, ok_at, failing_since, error)
          values (${name}, ${everyMs}, ${at}, ${isWell ? at : null}, ${isWell ? null : at}, ${words})
          on conflict (name) do update set every_ms = excluded.every_ms, ran_at = excluded.ran_at,
            ok_at = coalesce(excluded.ok_at, r.ok_at), error = excluded.error,
            failing_since = case when excluded.error is null then null else coalesce(r.failing_since, excluded.failing_since) end`;
        written.set(name, { at: at.getTime(), isWell });
      } catch (failure) {
        log.warn({ err: failure, job: name }, 'how a job ended could not be written down');
      }
    },
  };
}

/** When each job was done last, by whichever process. Nothing where that cannot be read: then a job is due. */
export async function lastRuns({ sql, log }: Ports): Promise<Map<string, Date>> {
  try {
    const rows = await sql<
      { name: string; at: Date }[]
    >`select name, ok_at as at from job_runs where ok_at is not null`;
    return new Map(rows.map(({ name, at }) => [name, at]));
  } catch (error) {
    log.warn({ err: error }, 'when jobs ran last could not be read');
    return new Map();
  }
}

/** Forgets jobs that this release does not have: they would seem to have stopped. */
export async function forgetOtherJobs({ sql, log }: Ports, names: readonly string[]): Promise<void> {
  try {
    await sql`delete from job_runs where name <> all(${[...names]})`;
  } catch (error) {
    log.warn({ err: error }, 'jobs of another release could not be forgotten');
  }
}
