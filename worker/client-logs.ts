import { LOG_CAP_PER_KIND } from '../server/contract/limits.ts';
import type { LogKind } from '../server/contract/logs.ts';
import type { LogRow } from './schema.ts';
import { scrub } from './scrub.ts';
import { type DeviceStorage, getMeta, putMeta } from './storage/storage.ts';

/** Identical entries within this time become one entry with a count. */
export const FOLD_WITHIN_MS = 60_000;
/** Characters of JSON in one entry. A larger one loses its details but not its message. */
const LARGEST_ENTRY_CHARS = 12_000;

type Ports = { storage: DeviceStorage; now: () => number; newId: () => string };

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** First frame of a stack: the line after the message, in every engine's spelling. */
const topFrame = (stack: unknown): string =>
  text(stack)
    .split('\n')
    .find((line) => /^\s*at\s|@.*:\d+/.test(line))
    ?.trim() ?? '';

/** What the entry must have in common with another to be its repeat: kind, message or action, top frame or data. */
function foldOf(kind: LogKind, data: Record<string, unknown>): string {
  if (kind === 'error') return JSON.stringify([kind, data['message'], topFrame(data['stack'])]);
  return JSON.stringify([kind, data['action'], data['data'] ?? null]);
}

/** The entry as it is stored and sent: no secrets, within the size of a request, required fields present. */
function cleaned(kind: LogKind, data: Record<string, unknown>, now: number): Record<string, unknown> {
  const clean = scrub(data) as Record<string, unknown>;
  const timestamp = text(clean['timestamp']);
  clean['timestamp'] = timestamp === '' ? new Date(now).toISOString() : timestamp;
  const name = kind === 'error' ? 'message' : 'action';
  if (text(clean[name]) === '') clean[name] = 'unknown';
  for (const details of ['additionalData', 'data', 'breadcrumbs'])
    if (details in clean && JSON.stringify(clean).length > LARGEST_ENTRY_CHARS) clean[details] = '[too large to keep]';
  if (JSON.stringify(clean).length <= LARGEST_ENTRY_CHARS) return clean;
  return { [name]: clean[name], stack: clean['stack'] ?? null, timestamp: clean['timestamp'], cut: true };
}

/**
 * Keeps a log entry: folded into the same entry of the last minute, or as a new one, the oldest of its kind going out
 * over the cap with its loss counted. Answers whether there is a new entry to deliver. Asked twice under one id it counts once.
 */
export function appendLog(
  { storage, now, newId }: Ports,
  kind: LogKind,
  raw: Record<string, unknown>,
  // The id is made once, however often the transaction is retried.
  id: string = newId(),
): Promise<boolean> {
  const at = now();
  const data = cleaned(kind, raw, at);
  const fold = foldOf(kind, data);
  return storage.run(['logs', 'meta'], async (tx) => {
    const [all, userId, named] = await Promise.all([tx.all('logs'), getMeta(tx, 'member'), getMeta(tx, 'deviceId')]);
    const rows = all.filter((row) => row.kind === kind);
    if (rows.some((row) => row.id === id || row.lastRepeat === id)) return true;
    const same = rows.find(
      (row) => row.fold === fold && row.userId === userId && !row.sent && Math.abs(at - row.at) < FOLD_WITHIN_MS,
    );
    if (same) {
      await tx.put('logs', { ...same, repeats: same.repeats + 1, lastRepeat: id });
      return false;
    }
    const deviceId = named || newId();
    if (named === '') await putMeta(tx, 'deviceId', deviceId);
    await tx.append('logs', { id, kind, userId, data: { ...data, deviceId }, fold, at, repeats: 1, sent: false });
    const over = rows.slice(0, Math.max(0, rows.length + 1 - LOG_CAP_PER_KIND));
    for (const row of over) await tx.remove('logs', row.sequence);
    if (over.length > 0) {
      const dropped = await getMeta(tx, 'dropped');
      const lost = over.reduce((sum, row) => sum + row.repeats, 0);
      await putMeta(tx, 'dropped', { ...dropped, [kind]: dropped[kind] + lost });
    }
    return true;
  });
}

/** The entry in the form that the server takes. `sequence` shows gaps, `repeats` how often it happened. */
export function wireEntry(row: LogRow): { id: string; type: LogKind; data: Record<string, unknown> } {
  return { id: row.id, type: row.kind, data: { ...row.data, sequence: row.sequence, repeats: row.repeats } };
}
