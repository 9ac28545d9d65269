import { createHash, randomUUID } from 'node:crypto';
import { LOG_BATCH_MAX } from '../../contract/limits.ts';
import { ClientLog, ClientLogBatch, type LogKind } from '../../contract/logs.ts';
import { UUID } from '../../http/access.ts';
import { lookFirst } from '../../http/input.ts';
import { scrub, scrubText } from './scrub.ts';

/** An entry as it arrived; `checked` is one that its route has held to `ClientLog` already. */
export type Incoming = { id: string; type: unknown; data: unknown } | { id: string; checked: ClientLog };
/** Who sent it, as the server knows: nothing here comes from the entry. Kept as JSON beside it until it is sorted. */
export type Sender = {
  userId: string | null;
  userAgent: string | null;
  /** Truncated, see `truncatedAddress`. */
  address: string | null;
  /** Device time of the sending, as the device wrote it; null when it does not say. */
  sentAt: string | null;
};
/**
 * An entry that may be written: scrubbed, bounded, readable by storage. `text` is kind and data as JSON, in one line. What was
 * read of it is not kept: it would wait for the commit, and be moved about by each collection of what is young.
 */
export type Row = { id: string; device: string | null; text: string };

/** Largest entry kept, as JSON. What is larger loses its free-form part. */
const ENTRY_CHARACTERS_MAX = 32_000;
const FREE_FORM = ['additionalData', 'data', 'breadcrumbs'];
const EARLIEST = Date.UTC(2015, 0, 1);

/** The row for an entry, or the reason why it is none. */
export function rowOf(entry: Incoming): Row | string {
  if ('checked' in entry) return keptRow(entry.id, entry.checked);
  if (isUsual(entry)) return keptRow(entry.id, entry);
  const parsed = ClientLog.safeParse({ type: entry.type, data: entry.data });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.map(String).join('.') ?? '';
    return scrubText(`INVALID${field === '' ? '' : ` ${field}`}: ${issue?.message ?? 'unreadable'}`, 200);
  }
  return keptRow(entry.id, parsed.data);
}

const TEXTS: Readonly<Record<LogKind, readonly string[]>> = {
  error: ['stack', 'source', 'timestamp', 'url', 'userAgent'],
  debug: ['timestamp', 'source'],
};

/** Sees of nearly every entry, for a fraction of what the schema costs, that `ClientLog` takes it as it is. */
export function isUsual(entry: { type: unknown; data: unknown }): entry is ClientLog {
  const { type, data } = entry;
  if ((type !== 'error' && type !== 'debug') || typeof data !== 'object' || data === null || Array.isArray(data))
    return false;
  const said = data as Readonly<Record<string, unknown>>;
  // The schema leaves this name out.
  if (Object.hasOwn(said, '__proto__')) return false;
  if (typeof said[type === 'error' ? 'message' : 'action'] !== 'string') return false;
  return TEXTS[type].every((name) => {
    const value = said[name];
    return value === undefined || value === null || typeof value === 'string';
  });
}

const hasOnly = (value: unknown, names: readonly string[]): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length === names.length &&
  names.every((name) => Object.hasOwn(value, name));

const LOG = ['type', 'data'] as const;
const BATCH = ['sentAt', 'entries'] as const;
const ENTRY = ['id', 'type', 'data'] as const;

/** The same look at the body of each route. */
export const isUsualLog = (body: unknown): boolean =>
  hasOnly(body, LOG) && isUsual({ type: body['type'], data: body['data'] });

export function isUsualBatch(body: unknown): boolean {
  if (!hasOnly(body, BATCH) || typeof body['sentAt'] !== 'string') return false;
  const { entries } = body;
  if (!Array.isArray(entries) || entries.length > LOG_BATCH_MAX) return false;
  return entries.every((entry: unknown) => {
    if (!hasOnly(entry, ENTRY)) return false;
    const { id } = entry;
    return typeof id === 'string' && id.length > 0 && id.length <= 128;
  });
}
lookFirst(ClientLog, isUsualLog);
lookFirst(ClientLogBatch, isUsualBatch);

function keptRow(id: string, { type, data }: ClientLog): Row | string {
  const clean = scrub(data) as Record<string, unknown>;
  if (typeof clean['timestamp'] === 'number') clean['timestamp'] = new Date(clean['timestamp']).toJSON();
  let json = JSON.stringify(clean);
  for (const field of FREE_FORM) {
    if (json.length <= ENTRY_CHARACTERS_MAX) break;
    if (!(field in clean)) continue;
    clean[field] = '[too large to keep]';
    json = JSON.stringify(clean);
  }
  if (json.length > ENTRY_CHARACTERS_MAX) return 'TOO_LARGE';
  const device = clean['deviceId'] ?? clean['device'];
  return {
    id: rowId(id),
    device: typeof device === 'string' ? device.slice(0, 64) : null,
    text: `{"type":"${type}","data":${json}}`,
  };
}

/** The key an entry is stored under: its own when that is a UUID, else a UUID made from it (RFC 9562, version 8). */
export function rowId(id: string): string {
  if (UUID.test(id)) return id.toLowerCase();
  const hex = createHash('sha256').update(`client-log:${id}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** An id for an entry that came without one (the specification's single form). */
export const newEntryId = (): string => randomUUID();

/** A device's time as a date, where it can be read and is one that this product could have been used at. */
export function deviceTime(text: string | null): Date | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return time >= EARLIEST && time < 253_402_300_800_000 ? new Date(time) : null;
}

/**
 * When it happened by the server's clock: the device's time, shifted by how far the device's clock was off when it
 * sent. Never later than the receipt; null when the device's time cannot be read.
 */
export function correctedTime(timestamp: string, sender: { sentAt: string | null; receivedAt: Date }): Date | null {
  const happened = Date.parse(timestamp);
  if (Number.isNaN(happened)) return null;
  const received = sender.receivedAt.getTime();
  const sent = sender.sentAt === null ? Number.NaN : Date.parse(sender.sentAt);
  const corrected = Math.min(happened + (Number.isNaN(sent) ? 0 : received - sent), received);
  return corrected >= EARLIEST ? new Date(corrected) : null;
}
