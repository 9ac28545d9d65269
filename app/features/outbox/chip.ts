/** Text of the outbox chip: the only sign of the connection. Pure; look.md, "Offline, honestly". */
import type { OutboxEntry } from '../../../worker/schema.ts';
import { unsentCommands } from '../../../worker/unsent.ts';

export type ChipState =
  | { kind: 'none' }
  | { kind: 'offline' }
  | { kind: 'waiting'; count: number }
  | { kind: 'sending'; sent: number; count: number }
  | { kind: 'received'; count: number }
  | { kind: 'needs'; count: number };

/** `delivered`: how many commands of the current batch the server has acknowledged; a batch ends when nothing waits. */
export function chipState(entries: readonly OutboxEntry[], delivered: number, online: boolean): ChipState {
  const commands = unsentCommands(entries);
  const refused = commands.filter(({ state }) => state === 'refused').length;
  if (refused > 0) return { kind: 'needs', count: refused };
  const left = commands.length;
  if (entries.some(({ state }) => state === 'sending'))
    return { kind: 'sending', sent: delivered + 1, count: delivered + left };
  if (left > 0) return { kind: 'waiting', count: left };
  if (delivered > 0) return { kind: 'received', count: delivered };
  return online ? { kind: 'none' } : { kind: 'offline' };
}
