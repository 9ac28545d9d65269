import { useMemo } from 'react';
import { unsentCommands } from '../../worker/unsent.ts';
import { type OutboxEntry, useOutbox } from './device.ts';

/** The member's commands that still have to be sent or need attention: every count of unsent commands uses this. */
export function useUnsent(): OutboxEntry[] {
  const entries = useOutbox();
  return useMemo(() => unsentCommands(entries), [entries]);
}
