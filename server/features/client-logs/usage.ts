import type { Sql } from 'postgres';
import type { Config } from '../../config.ts';
import { LOG_DAILY_ROWS, LOG_SHARES } from '../../contract/limits.ts';
import { lru } from '../../domain/lru.ts';
import type { Sender } from './entry.ts';

/** Entries, and the bytes that they take on the disk. */
export type Amount = { rows: number; bytes: number };
/** What may be stored: in a day by all, of that by all strangers; in an hour by one member, by one stranger's network. */
export type Budget = Readonly<Record<'day' | 'strangers' | 'member' | 'stranger', Amount>>;

/** Per entry beside its content: columns, indexes, and the id. */
const ROW_BYTES = 500;
/** Senders of an hour that a process remembers; who is forgotten is read again when it next writes down what they used. */
const SENDERS_MAX = 20_000;

export const bytesOf = (data: string): number => Buffer.byteLength(data) + ROW_BYTES;

/** Whose quota an entry uses: the member's, or a stranger's network's. */
export const senderKey = ({ userId = null, address = null }: Partial<Sender>): string =>
  userId === null ? `network ${address ?? 'unknown'}` : `member ${userId}`;

export function budgetOf({ clientLogDayMb, clientLogRate }: Pick<Config, 'clientLogDayMb' | 'clientLogRate'>): Budget {
  const part = (share: number): Amount => {
    const whole = Math.min(1, share);
    return { rows: LOG_DAILY_ROWS * whole, bytes: clientLogDayMb * 1_000_000 * whole };
  };
  return {
    day: part(1),
    strangers: part(LOG_SHARES.strangers * clientLogRate),
    member: part(LOG_SHARES.memberHour * clientLogRate),
    stranger: part(LOG_SHARES.strangerHour * clientLogRate),
  };
}

export type Usage = {
  /** Which quota is used up for this sender; null for none. */
  exceeded(sender: Sender, at: Date): Promise<'day' | 'sender' | null>;
  add(sender: Sender, used: Amount): void;
  addRefused(rows: number): void;
  /** Writes down what this process counted, and learns what the others did. */
  flush(): Promise<void>;
};

const nothing = () => ({
  day: { rows: 0, bytes: 0 },
  strangers: { rows: 0, bytes: 0 },
  refused: 0,
  senders: new Map<string, Amount>(),
});

const plus = (a: Amount, b: Amount): Amount => ({ rows: a.rows + b.rows, bytes: a.bytes + b.bytes });
const isOver = (used: Amount, most: Amount): boolean => used.rows >= most.rows || used.bytes >= most.bytes;

/**
 * Counts what is stored. Each process counts and writes it now and then, so a budget is exact except for what arrives
 * in between.
 */
export function createUsage(sql: Sql, budget: Budget): Usage {
  /** In UTC, as `2026-11-21` and `2026-11-21T10`. */
  let day = '';
  let hour = '';
  /** The last stored counts, plus what was counted since. */
  let stored = { day: { rows: 0, bytes: 0 }, strangers: { rows: 0, bytes: 0 } };
  let storedSenders = lru<Amount>(SENDERS_MAX);
  let added = nothing();

  async function startDay(at: Date): Promise<void> {
    const now = at.toISOString();
    if (hour !== now.slice(0, 13)) {
      await flush();
      hour = now.slice(0, 13);
      storedSenders = lru<Amount>(SENDERS_MAX);
    }
    if (day !== now.slice(0, 10)) {
      day = now.slice(0, 10);
      stored = await readDay(sql, day);
    }
  }

  async function flush(): Promise<void> {
    const { senders, ...counted } = added;
    const of = day;
    added = nothing();
    if (senders.size > 0) {
      const rows = await addSenders(sql, `${hour}:00Z`, senders);
      for (const { sender, rows: count, bytes } of rows) storedSenders.set(sender, { rows: count, bytes });
    }
    if (counted.day.rows + counted.refused === 0) return;
    const now = await addDay(sql, of, counted);
    if (of === day) stored = now;
  }

  return {
    async exceeded(sender, at) {
      await startDay(at);
      const key = senderKey(sender);
      const none = { rows: 0, bytes: 0 };
      const own = plus(storedSenders.get(key) ?? none, added.senders.get(key) ?? none);
      if (isOver(own, sender.userId === null ? budget.stranger : budget.member)) return 'sender';
      if (isOver(plus(stored.day, added.day), budget.day)) return 'day';
      const isLeft = sender.userId !== null || !isOver(plus(stored.strangers, added.strangers), budget.strangers);
      return isLeft ? null : 'day';
    },
    add(sender, used) {
      const key = senderKey(sender);
      added.senders.set(key, plus(added.senders.get(key) ?? { rows: 0, bytes: 0 }, used));
      added.day = plus(added.day, used);
      if (sender.userId === null) added.strangers = plus(added.strangers, used);
    },
    addRefused(rows) {
      added.refused += rows;
    },
    flush,
  };
}

type DayRow = { rows: number; bytes: number; strangerRows: number; strangerBytes: number };
const amountOf = (row: DayRow | undefined) => ({
  day: { rows: row?.rows ?? 0, bytes: row?.bytes ?? 0 },
  strangers: { rows: row?.strangerRows ?? 0, bytes: row?.strangerBytes ?? 0 },
});

async function readDay(sql: Sql, day: string) {
  const [row] = await sql<DayRow[]>`
    select stored::float8 as rows, bytes::float8, stranger_rows::float8 as "strangerRows", stranger_bytes::float8 as "strangerBytes"
    from client_log_daily where day = ${day}`;
  return amountOf(row);
}

async function addDay(sql: Sql, of: string, { day, strangers, refused }: Omit<ReturnType<typeof nothing>, 'senders'>) {
  const [row] = await sql<DayRow[]>`
    insert into client_log_daily as kept (day, stored, bytes, stranger_rows, stranger_bytes, refused)
    values (${of}, ${day.rows}, ${day.bytes}, ${strangers.rows}, ${strangers.bytes}, ${refused})
    on conflict (day) do update set stored = kept.stored + excluded.stored, bytes = kept.bytes + excluded.bytes,
      stranger_rows = kept.stranger_rows + excluded.stranger_rows, stranger_bytes = kept.stranger_bytes + excluded.stranger_bytes,
      refused = kept.refused + excluded.refused
    returning stored::float8 as rows, bytes::float8, stranger_rows::float8 as "strangerRows", stranger_bytes::float8 as "strangerBytes"`;
  return amountOf(row);
}

const addSenders = (sql: Sql, hour: string, senders: ReadonlyMap<string, Amount>) => {
  const amounts = [...senders.values()];
  // In name order, like every writer of several of these rows, which prevents deadlocks.
  return sql<({ sender: string } & Amount)[]>`
    insert into client_log_senders as kept (hour, sender, rows, bytes)
    select ${hour}::timestamptz, * from unnest(${[...senders.keys()]}::text[], ${amounts.map(({ rows }) => rows)}::int[],
      ${amounts.map(({ bytes }) => bytes)}::bigint[]) as r (sender, rows, bytes) order by sender
    on conflict (hour, sender) do update set rows = kept.rows + excluded.rows, bytes = kept.bytes + excluded.bytes
    returning sender, rows, bytes::float8`;
};
