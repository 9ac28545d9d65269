import type { Sql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import { LOG_DAILY_ROWS } from '../../contract/limits.ts';
import { COMMIT_AHEAD, onDisk } from '../../storage/durable.ts';
import { type Incoming, type Row, rowOf, type Sender } from './entry.ts';

export type Result = { id: string; status: 'stored' | 'duplicate' | 'rejected'; reason?: string };
type Outcome = 'stored' | 'duplicate' | 'UNSTORABLE' | 'DAILY_CAP';
/** An entry's id as it was sent, and its row or why it has none. */
type Read = { id: string; row: Row | string };
type Drops = { errors: number; debugs: number };
type Job = {
  rows: Row[];
  sender: Sender;
  senderText: string;
  receivedAt: Date;
  receivedText: string;
  drops: Drops | null;
  bytes: number;
  done(outcomes: Map<Row, Outcome>): void;
  failed(error: unknown): void;
};

/** Rows of one statement: more makes the first of them wait, and each connection keep the memory that its largest one took. */
const COMMIT_ROWS = 300;
/** How long after the one before a commit may wait for more: it costs nearly the same for one row as for fifty. */
const GATHER_MS = 5;
const ENOUGH_ROWS = 250;
/** Between two commits of a flood nobody waits for a moment; it is one flood all the same. */
const BUSY_MS = 100;
/** Characters that may wait for a commit; over it new requests are told to come back. */
const WAITING_MAX = 8_000_000;
/** Seconds after which to come back: when too much waits for storage, and however much must be sorted first. */
const FULL_RETRY_S = 1;
const FULL_RETRY_MAX_S = 30;

export type Intake = {
  /** Throws 429 while more waits for storage than memory should hold, or for as long as `fullForMs` says. */
  admit(): void;
  /**
   * Stores entries once each by their id and answers after they are committed. Every entry gets its own result, in
   * order: one that cannot be stored is rejected with a reason and never holds up its neighbours. Throws as `admit`
   * does.
   */
  store(entries: readonly Incoming[], sender: Sender, receivedAt: Date, drops?: Drops): Promise<Result[]>;
  /** Whether requests wait for a commit, or so many come that several shared one just now. */
  isBusy(): boolean;
  /** Writes down how many entries the daily cap refused since the last time. */
  writeRefused(): Promise<void>;
};

/**
 * Group commit: while one statement is on its way to storage, and a few milliseconds around it, everything that arrives
 * gathers for the next. Under load many requests share one commit; alone, a request waits for nobody.
 */
export function createIntake(
  sql: Sql,
  options: { dailyRows?: number; onStored?: (entries: number) => void; fullForMs?: () => number } = {},
): Intake {
  const dailyRows = options.dailyRows ?? LOG_DAILY_ROWS;
  const waiting: Job[] = [];
  const today = { day: '', stored: 0 };
  const refused = new Map<string, number>();
  let waitingBytes = 0;
  let isRunning = false;
  /** The commit before: when it began, and how many requests shared it. */
  let before = { at: 0, jobs: 0 };
  /** Commits that are on their way to the disk. */
  let goingToDisk = 0;
  /** More waits, or less is on its way. */
  let onChange = () => {};

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    // What arrives in this turn of the event loop still belongs to the first commit.
    await new Promise((next) => setImmediate(next));
    while (waiting.length > 0) {
      await gather();
      const jobs = takeJobs(waiting);
      before = { at: performance.now(), jobs: jobs.length };
      waitingBytes -= jobs.reduce((sum, job) => sum + job.bytes, 0);
      // A mark of its own for the disk is worth it where the next commit is due meanwhile.
      const isAhead = rowsOf(jobs) >= ENOUGH_ROWS;
      try {
        const storedBefore = today.stored;
        const outcomes = await commit(jobs, isAhead);
        options.onStored?.(Math.max(0, today.stored - storedBefore));
        if (isAhead) void answerOnDisk(jobs, outcomes);
        else for (const job of jobs) job.done(outcomes);
      } catch (error) {
        for (const job of jobs) job.failed(error);
      }
    }
    isRunning = false;
  }

  /** Nobody hears that an entry is kept before it is on disk; a flood goes on being written meanwhile. */
  async function answerOnDisk(jobs: readonly Job[], outcomes: Map<Row, Outcome>): Promise<void> {
    goingToDisk += 1;
    try {
      await onDisk(sql);
      for (const job of jobs) job.done(outcomes);
    } catch (error) {
      for (const job of jobs) job.failed(error);
    }
    goingToDisk -= 1;
    onChange();
  }

  /**
   * Until enough rows wait; with nothing on its way to the disk also until as many requests wait as shared the commit
   * before, and not for long.
   */
  async function gather(): Promise<void> {
    const leftMs = before.at + GATHER_MS - performance.now();
    let isLate = leftMs <= 0;
    const isEnough = () =>
      rowsOf(waiting) >= ENOUGH_ROWS || (goingToDisk === 0 && (waiting.length >= before.jobs || isLate));
    if (isEnough()) return;
    await new Promise<void>((next) => {
      onChange = () => {
        if (!isEnough()) return;
        clearTimeout(timer);
        next();
      };
      // Told by the timer, not by the clock: it may come before its time.
      const timer = setTimeout(() => {
        isLate = true;
        onChange();
      }, leftMs);
    });
    onChange = () => {};
  }

  async function commit(jobs: readonly Job[], isAhead: boolean): Promise<Map<Row, Outcome>> {
    const outcomes = new Map<Row, Outcome>();
    const firsts = new Map<string, Line>();
    for (const job of jobs)
      for (const row of job.rows) {
        if (firsts.has(row.id)) outcomes.set(row, 'duplicate');
        else firsts.set(row.id, { row, job });
      }
    const lines = [...firsts.values()];
    await openDay(jobs);
    if (today.stored + lines.length > dailyRows) {
      await refuse(lines, outcomes);
      return outcomes;
    }
    try {
      settle(lines, await write(sql, lines, { day: today.day, isAhead }), outcomes);
    } catch (error) {
      if (!isAboutData(error)) throw error;
      for (const line of lines) {
        const known = await write(sql, [line], { day: today.day, isAhead }).catch((alone: unknown) => {
          if (!isAboutData(alone)) throw alone;
          return null;
        });
        if (known === null) outcomes.set(line.row, 'UNSTORABLE');
        else settle([line], known, outcomes);
      }
    }
    await writeDrops(sql, jobs, outcomes);
    return outcomes;
  }

  function settle(lines: readonly { row: Row }[], known: ReadonlySet<string>, outcomes: Map<Row, Outcome>): void {
    for (const { row } of lines) outcomes.set(row, known.has(row.id) ? 'duplicate' : 'stored');
    today.stored += lines.length - known.size;
  }

  async function openDay(jobs: readonly Job[]): Promise<void> {
    const day = (jobs[0]?.receivedAt ?? new Date()).toISOString().slice(0, 10);
    if (today.day === day) return;
    const [row] = await sql<
      { stored: number }[]
    >`select stored::float8 as stored from client_log_daily where day = ${day}`;
    today.day = day;
    today.stored = row?.stored ?? 0;
  }

  /** Over the cap only what is new is refused: what was stored before is acknowledged as ever. */
  async function refuse(lines: readonly { row: Row }[], outcomes: Map<Row, Outcome>): Promise<void> {
    const known = await sql<{ id: string }[]>`
      select id from client_log_ids where id = any(${lines.map(({ row }) => row.id)}::uuid[])`;
    await onDisk(sql);
    const kept = new Set(known.map(({ id }) => id));
    for (const { row } of lines) outcomes.set(row, kept.has(row.id) ? 'duplicate' : 'DAILY_CAP');
    refused.set(today.day, (refused.get(today.day) ?? 0) + lines.length - kept.size);
  }

  async function kept(read: readonly Read[], sender: Sender, receivedAt: Date, drops?: Drops): Promise<Result[]> {
    const rows = read.flatMap(({ row }) => (typeof row === 'string' ? [] : [row]));
    const lost = drops && drops.errors + drops.debugs > 0 ? drops : null;
    const outcomes =
      rows.length === 0 && !lost
        ? new Map<Row, Outcome>()
        : await new Promise<Map<Row, Outcome>>((done, failed) => {
            const senderText = JSON.stringify(sender);
            const bytes = rows.reduce((sum, { text }) => sum + text.length + senderText.length, 0);
            waitingBytes += bytes;
            const receivedText = receivedAt.toISOString();
            waiting.push({ rows, sender, senderText, receivedAt, receivedText, drops: lost, bytes, done, failed });
            onChange();
            void run();
          });
    return read.map(({ id, row }): Result => {
      if (typeof row === 'string') return { id, status: 'rejected', reason: row };
      const outcome = outcomes.get(row) ?? 'duplicate';
      if (outcome === 'UNSTORABLE' || outcome === 'DAILY_CAP') return { id, status: 'rejected', reason: outcome };
      return { id, status: outcome };
    });
  }

  function admit(): void {
    const fullForMs = options.fullForMs?.() ?? 0;
    if (waitingBytes <= WAITING_MAX && fullForMs === 0) return;
    throw new HttpError(429, 'TOO_MANY_REQUESTS', 'More log entries arrive than can be stored just now.', {
      retryAfterSeconds: Math.min(Math.max(FULL_RETRY_S, Math.ceil(fullForMs / 1000)), FULL_RETRY_MAX_S),
    });
  }

  return {
    admit,

    async store(entries, sender, receivedAt, drops) {
      admit();
      // What arrived is gone when this returns: only what is written waits for the commit.
      const read = entries.map((entry) => ({ id: entry.id, row: rowOf(entry) }));
      return kept(read, sender, receivedAt, drops);
    },

    isBusy: () => isRunning || goingToDisk > 0 || (before.jobs > 1 && performance.now() - before.at < BUSY_MS),

    async writeRefused() {
      for (const [day, count] of [...refused]) {
        refused.delete(day);
        await sql`insert into client_log_daily as kept (day, refused) values (${day}, ${count})
          on conflict (day) do update set refused = kept.refused + excluded.refused`;
      }
    },
  };
}

const rowsOf = (jobs: readonly Job[]): number => jobs.reduce((sum, { rows }) => sum + rows.length, 0);

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

type Line = { row: Row; job: Job };

/**
 * Keeps what is new as one packet; answers the ids that were taken before. One statement, so that an id is taken exactly
 * when its entry is kept. JSON holds no line break, so one joins the texts: PostgreSQL copies them as they are, and takes
 * them apart only where some of them were kept before.
 */
async function write(
  sql: Sql,
  lines: readonly Line[],
  { day, isAhead }: { day: string; isAhead: boolean },
): Promise<Set<string>> {
  if (lines.length === 0) return new Set();
  const joined = (textOf: (line: Line) => string): string => lines.map(textOf).join('\n');
  const count = lines.length;
  const known = await sql<{ id: string }[]>`
    with ahead as materialized (
      select case when ${isAhead}::boolean then ${sql.unsafe(COMMIT_AHEAD)} end
    ), packet as (
      select ${joined(({ row }) => row.id)}::text as ids, ${joined(({ job }) => job.receivedText)}::text as times,
        ${joined(({ job }) => job.senderText)}::text as senders, ${joined(({ row }) => row.text)}::text as texts
      from ahead
    ), taken as (
      insert into client_log_ids (id, received_at) select id, received_at from unnest(
        string_to_array((select ids from packet), E'\n')::uuid[],
        string_to_array((select times from packet), E'\n')::timestamptz[]) as line (id, received_at)
      on conflict do nothing returning id
    ), counted as (
      insert into client_log_daily as kept (day, stored) select ${day}::date, count(*) from taken
      on conflict (day) do update set stored = kept.stored + excluded.stored
    ), kept as (
      insert into client_log_inbox (id, received_at, sender, entry, entries)
      select ids, times, senders, texts, ${count} from packet where (select count(*) from taken) = ${count}
      union all
      select string_agg(id, E'\n' order by at), string_agg(received_at, E'\n' order by at), string_agg(sender, E'\n' order by at),
        string_agg(entry, E'\n' order by at), count(*)
      from packet, unnest(string_to_array(ids, E'\n'), string_to_array(times, E'\n'), string_to_array(senders, E'\n'),
        string_to_array(texts, E'\n')) with ordinality as line (id, received_at, sender, entry, at)
      where (select count(*) from taken) < ${count} and id::uuid in (select id from taken) having count(*) > 0
    )
    select id from packet, unnest(string_to_array(ids, E'\n')) as id
    where (select count(*) from taken) < ${count} and id::uuid not in (select id from taken)`;
  return new Set(known.map(({ id }) => id));
}

/**
 * What devices say they lost. The count of a batch whose every entry was stored before came with that delivery
 * already: its answer was lost on the way.
 */
async function writeDrops(sql: Sql, jobs: readonly Job[], outcomes: ReadonlyMap<Row, Outcome>): Promise<void> {
  for (const { rows, drops, sender, receivedAt } of jobs) {
    const isRepeat = rows.length > 0 && rows.every((row) => outcomes.get(row) === 'duplicate');
    if (!drops || isRepeat) continue;
    const device = rows.find((row) => row.device !== null)?.device ?? null;
    await sql`insert into client_log_drops (received_at, user_id, device, errors, debugs)
      values (${receivedAt}, ${sender.userId}, ${device},
        ${Math.min(drops.errors, 1_000_000)}, ${Math.min(drops.debugs, 1_000_000)})`;
  }
}
