import { createHash, randomUUID } from 'node:crypto';
import type { JSONValue, Sql } from 'postgres';
import { ClientLog } from '../../contract/logs.ts';
import { UUID } from '../../http/access.ts';
import { scrub, scrubText } from './scrub.ts';

export type Incoming = { id: string; type: unknown; data: unknown };
export type Result = { id: string; status: 'stored' | 'duplicate' | 'rejected'; reason?: string };
export type Sender = {
  userId: string | null;
  userAgent: string | null;
  /** Device time of the sending, as the device wrote it; null when it does not say. */
  sentAt: string | null;
  receivedAt: Date;
};

/** Largest entry kept, as JSON. What is larger loses its free-form part. */
const ENTRY_CHARACTERS_MAX = 32_000;
const FREE_FORM = ['additionalData', 'data'];
const EARLIEST = Date.UTC(2015, 0, 1);

type Row = { id: string; kind: 'error' | 'debug'; data: unknown; timestamp: Date | null };

/**
 * Stores entries once each by their id. Every entry gets its own result, in order: one that cannot be stored is
 * rejected with a reason and never holds up its neighbours. Text is scrubbed and mended before it is written.
 */
export async function storeEntries(sql: Sql, entries: readonly Incoming[], sender: Sender): Promise<Result[]> {
  const read = entries.map((entry) => ({ entry, row: rowOf(entry, sender) }));
  const stored = await insertAll(
    sql,
    read.flatMap(({ row }) => (typeof row === 'string' ? [] : [row])),
    sender,
  );
  return read.map(({ entry, row }): Result => {
    if (typeof row === 'string') return { id: entry.id, status: 'rejected', reason: row };
    const outcome = stored.get(row);
    if (outcome === 'failed') return { id: entry.id, status: 'rejected', reason: 'UNSTORABLE' };
    return { id: entry.id, status: outcome === 'stored' ? 'stored' : 'duplicate' };
  });
}

/** The row for an entry, or the reason why it is none. */
function rowOf(entry: Incoming, sender: Sender): Row | string {
  const parsed = ClientLog.safeParse({ type: entry.type, data: entry.data });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.map(String).join('.') ?? '';
    return scrubText(`INVALID${field === '' ? '' : ` ${field}`}: ${issue?.message ?? 'unreadable'}`, 200);
  }
  const { type, data } = parsed.data;
  const clean = scrub(data) as Record<string, unknown>;
  for (const field of FREE_FORM) {
    if (JSON.stringify(clean).length > ENTRY_CHARACTERS_MAX && field in clean) clean[field] = '[too large to keep]';
  }
  if (JSON.stringify(clean).length > ENTRY_CHARACTERS_MAX) return 'TOO_LARGE';
  const timestamp = correctedTime(data.timestamp ?? '', sender);
  return { id: rowId(entry.id), kind: type, data: clean, timestamp };
}

/** The key an entry is stored under: its own when that is a UUID, else a UUID made from it (RFC 9562, version 8). */
export function rowId(id: string): string {
  if (UUID.test(id)) return id.toLowerCase();
  const hex = createHash('sha256').update(`client-log:${id}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * When it happened by the server's clock: the device's time, shifted by how far the device's clock was off when it
 * sent. Never later than the receipt; null when the device's time cannot be read.
 */
export function correctedTime(timestamp: string, sender: Pick<Sender, 'sentAt' | 'receivedAt'>): Date | null {
  const happened = Date.parse(timestamp);
  if (Number.isNaN(happened)) return null;
  const received = sender.receivedAt.getTime();
  const sent = sender.sentAt === null ? Number.NaN : Date.parse(sender.sentAt);
  const corrected = Math.min(happened + (Number.isNaN(sent) ? 0 : received - sent), received);
  return corrected >= EARLIEST ? new Date(corrected) : null;
}

async function insertAll(sql: Sql, rows: readonly Row[], sender: Sender): Promise<Map<Row, 'stored' | 'failed'>> {
  const outcomes = new Map<Row, 'stored' | 'failed'>();
  if (rows.length === 0) return outcomes;
  try {
    const ids = new Set(await insert(sql, rows, sender));
    // Of entries with one id only the first can have been the stored one.
    for (const row of rows) if (ids.delete(row.id)) outcomes.set(row, 'stored');
  } catch (error) {
    if (!isAboutData(error)) throw error;
    for (const row of rows) {
      const ids = await insert(sql, [row], sender).catch((alone: unknown) => {
        if (!isAboutData(alone)) throw alone;
        return null;
      });
      if (ids === null) outcomes.set(row, 'failed');
      else if (ids.length > 0) outcomes.set(row, 'stored');
    }
  }
  return outcomes;
}

/** PostgreSQL's classes 22 (data exception) and 54 (limit exceeded): the row's fault, and a repeat fails again. */
const isAboutData = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(22|54)/.test(String(error.code));

async function insert(sql: Sql, rows: readonly Row[], sender: Sender): Promise<string[]> {
  const sentAt = sender.sentAt === null ? Number.NaN : Date.parse(sender.sentAt);
  const sent = sentAt >= EARLIEST ? new Date(sentAt) : null;
  const values = rows.map(({ id, kind, data, timestamp }) => ({
    id,
    kind,
    data,
    timestamp: timestamp?.toISOString() ?? null,
  }));
  const stored = await sql<{ id: string }[]>`
    insert into client_log_entries (id, kind, data, user_id, user_agent, timestamp, sent_at, received_at)
    select id, kind, data, ${sender.userId}, ${sender.userAgent}, timestamp, ${sent}, ${sender.receivedAt}
    from jsonb_to_recordset(${sql.json(values as JSONValue)})
      as entry (id uuid, kind text, data jsonb, timestamp timestamptz)
    on conflict (id) do nothing returning id`;
  return stored.map(({ id }) => id);
}

/** An id for an entry that came without one (the specification's single form). */
export const newEntryId = (): string => randomUUID();
