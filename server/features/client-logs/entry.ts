import { createHash, randomUUID } from 'node:crypto';
import { LOG_ENTRY_BYTES } from '../../contract/limits.ts';
import { ClientLog, type LogKind } from '../../contract/logs.ts';
import { UUID } from '../../http/access.ts';
import { scrub, scrubText } from './scrub.ts';
import { isFrame } from './stack.ts';

/** An entry as it arrived; `checked` is one that its route has held to `ClientLog` already. */
export type Incoming = { id: string; type: unknown; data: unknown } | { id: string; checked: ClientLog };
/** The sender as the server knows it, not from the entry. Stored as JSON beside it until it is ingested. */
export type Sender = {
  userId: string | null;
  userAgent: string | null;
  /** Truncated, see `truncatedAddress`. */
  address: string | null;
  /** Device time of sending; null when unknown. */
  sentAt: string | null;
};
/** An entry that may be stored: scrubbed, bounded, readable by storage. `data` is its content as JSON. */
export type Row = { id: string; device: string | null; kind: LogKind; data: string };

/** Fields that are shortened first in a large entry. */
const FREE_FORM = ['additionalData', 'data'];
const TOO_LARGE = '[too large to keep]';
/** Any other field may take so many bytes of an entry that is too large. */
const FIELD_BYTES = 200;
const EARLIEST = Date.UTC(2015, 0, 1);

/** The row for an entry, or the reason for its rejection. */
export function rowOf(entry: Incoming, sender: Pick<Sender, 'userId'>): Row | string {
  const most = sender.userId === null ? LOG_ENTRY_BYTES.stranger : LOG_ENTRY_BYTES.member;
  if ('checked' in entry) return storedRow(entry.id, entry.checked, most);
  const parsed = ClientLog.safeParse({ type: entry.type, data: entry.data });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.map(String).join('.') ?? '';
    return scrubText(`INVALID${field === '' ? '' : ` ${field}`}: ${issue?.message ?? 'unreadable'}`, 200);
  }
  return storedRow(entry.id, parsed.data, most);
}

function storedRow(id: string, { type, data }: ClientLog, most: number): Row | string {
  const clean = scrub(data) as Record<string, unknown>;
  if (typeof clean['timestamp'] === 'number') clean['timestamp'] = new Date(clean['timestamp']).toJSON();
  const json = fitted(clean, most);
  if (json === null) return 'TOO_LARGE';
  const device = clean['deviceId'] ?? clean['device'];
  return {
    id: rowId(id),
    device: typeof device === 'string' ? device.slice(0, 64) : null,
    kind: type,
    data: json,
  };
}

/**
 * An entry's content as JSON within the bytes; null when impossible. First its free-form parts and all breadcrumbs but
 * the last go, then everything after the first frames and words, then every other long field.
 */
function fitted(data: Record<string, unknown>, most: number): string | null {
  const shortenings: ((value: unknown, name: string) => unknown)[] = [
    ...FREE_FORM.map((free) => (value: unknown, name: string) => (name === free ? TOO_LARGE : value)),
    (value, name) => (name === 'breadcrumbs' ? lastOf(value, most / 4) : value),
    (value, name) => (name === 'stack' && typeof value === 'string' ? shortStack(value, most * 0.4) : value),
    (value, name) => (name === 'message' || name === 'action' ? cut(value, most * 0.2) : value),
    (value, name) => (name === 'breadcrumbs' ? lastOf(value, FIELD_BYTES) : value),
    (value, name) => (['stack', 'message', 'action'].includes(name) ? value : cut(value, FIELD_BYTES)),
  ];
  let json = JSON.stringify(data);
  for (const shorten of shortenings) {
    if (Buffer.byteLength(json) <= most) return json;
    for (const [name, value] of Object.entries(data)) data[name] = shorten(value, name);
    json = JSON.stringify(data);
  }
  return Buffer.byteLength(json) <= most ? json : null;
}

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** A text up to so many bytes of JSON, anything else whole or not at all. */
function cut(value: unknown, bytes: number): unknown {
  if (jsonBytes(value) <= bytes) return value;
  if (typeof value !== 'string') return TOO_LARGE;
  let text = value;
  while (jsonBytes(text) > bytes - 3) text = text.slice(0, Math.floor(text.length * 0.9));
  return `${text.toWellFormed()}…`;
}

/** The end of a list within the bytes: the latest items say most. */
function lastOf(value: unknown, bytes: number): unknown {
  if (!Array.isArray(value)) return cut(value, bytes);
  const copy = [...value];
  while (copy.length > 0 && jsonBytes(copy) > bytes) copy.shift();
  return copy.length === 0 && value.length > 0 ? TOO_LARGE : copy;
}

/** The first frames of a stack; the message before them, which may be long, gets a fourth of the room. */
function shortStack(stack: string, bytes: number): string {
  const lines = stack.split('\n');
  const first = lines.findIndex(isFrame);
  if (first < 0) return String(cut(stack, bytes));
  let short = String(cut(lines.slice(0, first).join('\n'), bytes / 4));
  for (const line of lines.slice(first)) {
    const longer = `${short}\n${line}`;
    if (jsonBytes(longer) > bytes) break;
    short = longer;
  }
  return short;
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
