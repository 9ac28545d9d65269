import type { Logger } from 'pino';
import type { Sql } from 'postgres';
import { withoutToken } from '../base/text.ts';
import { showing } from './statements.ts';

const WRITTEN_EVERY_MS = 60_000;
const ERROR_MAX = 300;

type Ports = { sql: Sql; log: Pick<Logger, 'warn'>; now: () => Date };
/** What a run took, and what it asked of the database: statements, the rows that they read or wrote, ms until they were answered. */
export type Spent = { ms: number; statements: number; rows: number; databaseMs: number };
export type JobRuns = {
  /** Says how a run ended, `error` null: well, and what it took. Never throws: a job does not fail for it. */
  note(job: { name: string; everyMs: number }, error: unknown, spent: Spent): Promise<void>;
};

export const nothingSpent = (): Spent => ({ ms: 0, statements: 0, rows: 0, databaseMs: 0 });

/** The same pool, which adds what is asked of it to `spent`. */
export const counting = (sql: Sql, spent: Spent): Sql =>
  showing(sql, (statement) => {
    const sent = performance.now();
    const answered = (rows?: { count: number | null }) => {
      spent.statements += 1;
      spent.rows += rows?.count ?? 0;
      spent.databaseMs += performance.now() - sent;
    };
    statement.then(answered, () => answered());
  });

type Sum = Spent & { runs: number; longestMs: number };

function plus(sum: Sum | undefined, spent: Spent): Sum {
  const { runs, longestMs, ...before } = sum ?? { ...nothingSpent(), runs: 0, longestMs: 0 };
  return {
    ms: before.ms + spent.ms,
    statements: before.statements + spent.statements,
    rows: before.rows + spent.rows,
    databaseMs: before.databaseMs + spent.databaseMs,
    runs: runs + 1,
    longestMs: Math.max(longestMs, spent.ms),
  };
}

/**
 * Records how job runs end and what they took, so operators see which fail and since when, and which take much. A change is
 * written at once, what went on as before once a minute: some jobs run twice a second.
 */
export function jobRuns({ sql, log, now }: Ports): JobRuns {
  const written = new Map<string, { at: number; isWell: boolean }>();
  /** What the runs took that are not written yet, by job. */
  const sums = new Map<string, Sum>();
  return {
    async note({ name, everyMs }, error, spent) {
      const sum = plus(sums.get(name), spent);
      sums.set(name, sum);
      const at = now();
      const isWell = error === null;
      const last = written.get(name);
      if (last && last.isWell === isWell && at.getTime() - last.at < WRITTEN_EVERY_MS) return;
      const words = isWell
        ? null
        : withoutToken(error instanceof Error ? error.message : String(error)).slice(0, ERROR_MAX);
      try {
        await sql`
          insert into job_runs as r (name, every_ms, ran_at, ok_at, failing_since, error, runs, longest_ms, statements, rows, share)
          values (${name}, ${everyMs}, ${at}, ${isWell ? at : null}, ${isWell ? null : at}, ${words}, ${sum.runs},
            ${Math.round(sum.longestMs)}, ${sum.statements}, ${sum.rows}, ${sum.databaseMs / (sum.ms + sum.runs * everyMs)})
          on conflict (name) do update set every_ms = excluded.every_ms, ran_at = excluded.ran_at,
            ok_at = coalesce(excluded.ok_at, r.ok_at), error = excluded.error,
            failing_since = case when excluded.error is null then null else coalesce(r.failing_since, excluded.failing_since) end,
            runs = excluded.runs, longest_ms = excluded.longest_ms, statements = excluded.statements, rows = excluded.rows,
            share = excluded.share`;
        sums.delete(name);
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
