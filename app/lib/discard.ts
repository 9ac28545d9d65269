import { discardEntry, type OutboxEntry } from './device.ts';
import { log } from './logs.ts';

/** Discards a command for good. Operators can tell it from one that was lost. */
export function discard(entry: OutboxEntry): Promise<void> {
  log('outbox.discard', { id: entry.id, path: entry.path, reason: entry.error?.reason ?? null });
  return discardEntry(entry.id);
}
