import { createHash, randomUUID } from 'node:crypto';
import { ClientLog, type LogKind } from '../../contract/logs.ts';
import { UUID } from '../../http/access.ts';
import { scrub, scrubText } from './scrub.ts';

/** An entry as it arrived; `checked` is one that its route has held to `ClientLog` already. */
export type Incoming = { id: string; type: unknown; data: unknown } | { id: string; checked: ClientLog };
/** Who sent it, as the server knows: nothing here comes from the entry. Waits as JSON beside it until it is ingested. */
export type Sender = {
  userId: string | null;
  userAgent: string | null;
  /** Truncated, see `truncatedAddress`. */
  address: string | null;
  /** Device time of the sending, as the device wrote it; null when it does not say. */
  sentAt: string | null;
};
/** An entry that may be stored: scrubbed, bounded, readable by storage. `data` is its content as JSON. */
export type Row = { id: string; device: string | null; kind: LogKind; data: string };

/** Largest entry kept, as JSON. What is larger loses its free-form part. */
const ENTRY_CHARACTERS_MAX = 32_000;
const FREE_FORM = ['additionalData', 'data', 'breadcrumbs'];
const EARLIEST = Date.UTC(2015, 0, 1);

/** The row for an entry, or the reason why it is none. */
export function rowOf(entry: Incoming): Row | string {
  if ('checked' in entry) return storedRow(entry.id, entry.checked);
  const parsed = ClientLog.safeParse({ type: entry.type, data: entry.data });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.map(String).join('.') ?? '';
    return scrubText(`INVALID${field === '' ? '' : ` ${field}`}: ${issue?.message ?? 'unreadable'}`, 200);
  }
  return storedRow(entry.id, parsed.data);
}

function storedRow(id: string, { type, data }: ClientLog): Row | string {
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
    kind: type,
    data: json,
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
