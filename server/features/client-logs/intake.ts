import type { Sql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import { LOG_INBOX_MAX } from '../../contract/limits.ts';
import { type Incoming, type Row, rowOf, type Sender } from './entry.ts';
import { bytesOf, type Usage } from './usage.ts';

export type Result = { id: string; status: 'stored' | 'duplicate' | 'rejected'; reason?: string };
type Outcome = 'stored' | 'duplicate' | 'UNSTORABLE' | 'DAILY_CAP';
type Drops = { errors: number; debugs: number };
/** One request's entries, until the commit that stores them. */
type Job = {
  rows: readonly Row[];
  sender: Sender;
  receivedAt: Date;
  drops: Drops | null;
  done(outcomes: ReadonlyMap<Row, Outcome>): void;
  failed(error: unknown): void;
};
type Line = { row: Row; job: Job };

/** Rows of one commit: more would make the first of them wait for the last. */
const COMMIT_ROWS = 300;
/** Characters that may wait for a commit: some 8,000 entries, and what a process of 250 MB can hold beside its work. */
const WAITING_MAX = 8_000_000;
/** A commit takes milliseconds and the inbox empties by some thousand entries a second: there is room again by then. */
const FULL_RETRY_S = 2;
/** An operator must make room on the disk first. */
const DISK_RETRY_S = 60;
/** A sender's share resets every hour; earlier retries are cheap. */
const SHARE_RETRY_S = 15 * 60;

export type Intake = {
  /**
   * Throws 429 while more waits, in memory or in the inbox, than `WAITING_MAX` and `LOG_INBOX_MAX` allow, and 503
   * `STORAGE_FULL` while the disk is low.
   */
  admit(): void;
  /**
   * Stores entries once each by their id and answers after they are committed. Every entry gets its own result, in
   * order: one that cannot be stored is rejected with a reason and never holds up its neighbours. Throws as `admit`
   * does, and 429 when the sender has used up their share of the hour.
   */
  store(entries: readonly Incoming[], sender: Sender, receivedAt: Date, drops?: Drops): Promise<Result[]>;
};

/**
 * Group commit: entries that arrive during a commit are stored by the next one, in one insert. Under load many requests
 * share a commit; a single one does not wait.
 */
export function createIntake(
  sql: Sql,
  options: {
    usage: Usage;
    onStored?: (entries: number) => void;
    inInbox?: () => number;
    isDiskLow?: () => boolean;
  },
): Intake {
  const { usage } = options;
  const waiting: Job[] = [];
  let waitingCharacters = 0;
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    // Entries of this turn of the event loop belong to the first commit.
    await new Promise((next) => setImmediate(next));
    while (waiting.length > 0) {
      const jobs = takeJobs(waiting);
      try {
        const outcomes = await commit(jobs);
        for (const job of jobs) job.done(outcomes);
      } catch (error) {
        for (const job of jobs) job.failed(error);
      }
    }
    isRunning = false;
  }

  async function commit(jobs: readonly Job[]): Promise<Map<Row, Outcome>> {
    const outcomes = new Map<Row, Outcome>();
    const firsts = new Map<string, Line>();
    for (const job of jobs)
      for (const row of job.rows) {
        if (firsts.has(row.id)) outcomes.set(row, 'duplicate');
        else firsts.set(row.id, { row, job });
      }
    for (const { lines, stored } of await insertAll(sql, [...firsts.values()]))
      if (stored === null) for (const { row } of lines) outcomes.set(row, 'UNSTORABLE');
      else settle(lines, stored, outcomes);
    await insertDrops(sql, jobs, outcomes);
    return outcomes;
  }

  function settle(lines: readonly Line[], stored: ReadonlySet<string>, outcomes: Map<Row, Outcome>): void {
    for (const { row, job } of lines) {
      outcomes.set(row, stored.has(row.id) ? 'stored' : 'duplicate');
      if (stored.has(row.id)) usage.add(job.sender, { rows: 1, bytes: bytesOf(row.data) });
    }
    if (stored.size > 0) options.onStored?.(stored.size);
  }

  /** Once the day's budget is used up only what is new is refused: what was stored before is acknowledged as ever. */
  async function refuse(rows: readonly Row[]): Promise<Map<Row, Outcome>> {
    const already = await sql<{ id: string }[]>`
      select id from client_log_ids where id = any(${rows.map(({ id }) => id)}::uuid[])`;
    const stored = new Set(already.map(({ id }) => id));
    const outcomes = new Map(rows.map((row): [Row, Outcome] => [row, stored.has(row.id) ? 'duplicate' : 'DAILY_CAP']));
    usage.addRefused([...outcomes.values()].filter((outcome) => outcome === 'DAILY_CAP').length);
    return outcomes;
  }

  /** The outcomes of one request's rows, when the commit that they are part of is done. */
  async function committed(
    rows: readonly Row[],
    { sender, receivedAt, drops }: Pick<Job, 'sender' | 'receivedAt' | 'drops'>,
  ): Promise<ReadonlyMap<Row, Outcome>> {
    const characters = rows.reduce((sum, { data }) => sum + data.length, 0);
    waitingCharacters += characters;
    try {
      const exceeded = await usage.exceeded(sender, receivedAt);
      if (exceeded === 'sender')
        throw new HttpError(429, 'TOO_MANY_REQUESTS', 'You have sent as many log entries as an hour has room for.', {
          retryAfterSeconds: SHARE_RETRY_S,
        });
      if (exceeded === 'day') return await refuse(rows);
      return await new Promise((done, failed) => {
        waiting.push({ rows, sender, receivedAt, drops, done, failed });
        void run();
      });
    } finally {
      waitingCharacters -= characters;
    }
  }

  function admit(): void {
    if (options.isDiskLow?.())
      throw new HttpError(503, 'STORAGE_FULL', 'The disk of the server is nearly full, so no log entries are taken.', {
        retryAfterSeconds: DISK_RETRY_S,
      });
    if (waitingCharacters <= WAITING_MAX && (options.inInbox?.() ?? 0) < LOG_INBOX_MAX) return;
    throw new HttpError(429, 'TOO_MANY_REQUESTS', 'More log entries arrive than can be stored just now.', {
      retryAfterSeconds: FULL_RETRY_S,
    });
  }

  return {
    admit,

    async store(entries, sender, receivedAt, drops) {
      admit();
      const read = entries.map((entry) => ({ id: entry.id, row: rowOf(entry, sender) }));
      const rows = read.flatMap(({ row }) => (typeof row === 'string' ? [] : [row]));
      const lost = drops && drops.errors + drops.debugs > 0 ? drops : null;
      const outcomes =
        rows.length > 0 || lost ? await committed(rows, { sender, receivedAt, drops: lost }) : new Map<Row, Outcome>();
      return read.map(({ id, row }): Result => {
        if (typeof row === 'string') return { id, status: 'rejected', reason: row };
        const outcome = outcomes.get(row) ?? 'duplicate';
        if (outcome === 'UNSTORABLE' || outcome === 'DAILY_CAP') return { id, status: 'rejected', reason: outcome };
        return { id, status: outcome };
      });
    },
  };
}

/** The first of what waits, up to a commit's rows. */
function takeJobs(waiting: Job[]): Job[] {
  let rows = 0;
  let count = 0;
  for (const job of waiting) {
    if (count > 0 && rows + job.rows.length > COMMIT_ROWS) break;
    rows += job.rows.length;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** PostgreSQL's classes 22 (data exception) and 54 (limit exceeded): the row's fault, and a repeat fails again. */
export const isAboutData = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(22|54)/.test(String(error.code));

type Inserted = { lines: readonly Line[]; stored: ReadonlySet<string> | null };

/**
 * All in one statement; if one entry makes it fail, each separately: `stored` is null for those that cannot be stored.
 */
async function insertAll(sql: Sql, lines: readonly Line[]): Promise<Inserted[]> {
  const tried = await insert(sql, lines).catch(unlessData);
  if (tried !== null) return [{ lines, stored: tried }];
  const inserted: Inserted[] = [];
  for (const line of lines) inserted.push({ lines: [line], stored: await insert(sql, [line]).catch(unlessData) });
  return inserted;
}

function unlessData(error: unknown): null {
  if (!isAboutData(error)) throw error;
  return null;
}

/** Stores what is new, in one statement: an id is taken exactly when its entry is stored. Answers the ids stored. */
async function insert(sql: Sql, lines: readonly Line[]): Promise<Set<string>> {
  if (lines.length === 0) return new Set();
  const stored = await sql<{ id: string }[]>`
    with received as (
      select * from unnest(
        ${lines.map(({ row }) => row.id)}::uuid[],
        ${lines.map(({ job }) => job.receivedAt.toISOString())}::timestamptz[],
        ${lines.map(({ job }) => JSON.stringify(job.sender))}::text[],
        ${lines.map(({ row }) => row.kind)}::text[],
        ${lines.map(({ row }) => row.data)}::text[]
      ) with ordinality as line (id, received_at, sender, kind, data, at)
    ), taken as (
      -- By id, so that two processes that were sent the same entries wait for each other in one order.
      insert into client_log_ids (id, received_at) select id, received_at from received order by id
      on conflict do nothing returning id
    )
    insert into client_log_inbox (id, received_at, sender, kind, data)
    select id, received_at, sender::jsonb, kind, data::json from received join taken using (id) order by at
    returning id`;
  return new Set(stored.map(({ id }) => id));
}

/**
 * Losses that devices report. The count of a batch whose entries were all stored before came with that delivery
 * already: its answer was lost.
 */
async function insertDrops(sql: Sql, jobs: readonly Job[], outcomes: ReadonlyMap<Row, Outcome>): Promise<void> {
  for (const { rows, drops, sender, receivedAt } of jobs) {
    const isRepeat = rows.length > 0 && rows.every((row) => outcomes.get(row) === 'duplicate');
    if (!drops || isRepeat) continue;
    const device = rows.find((row) => row.device !== null)?.device ?? null;
    await sql`insert into client_log_drops (received_at, user_id, device, errors, debugs)
      values (${receivedAt}, ${sender.userId}, ${device},
        ${Math.min(drops.errors, 1_000_000)}, ${Math.min(drops.debugs, 1_000_000)})`;
  }
}
