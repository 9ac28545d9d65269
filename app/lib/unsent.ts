import { useMemo } from 'react';
import { unsentCommands } from '../../worker/unsent.ts';
import { type OutboxEntry, useOutbox } from './device.ts';

/** Each act of the member once that still has to be sent or needs them: what every number of unsent acts counts. */
export function useUnsent(): OutboxEntry[] {
  const entries = useOutbox();
  return useMemo(() => unsentCommands(entries), [entries]);
}
