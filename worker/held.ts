import type { OutboxEntry } from './schema.ts';

/** Whether an entry is held back so its member can still undo it. */
export const isHeld = (
  { state, attempts, nextTryAt }: Pick<OutboxEntry, 'state' | 'attempts' | 'nextTryAt'>,
  now: number = Date.now(),
): boolean => state === 'waiting' && attempts === 0 && nextTryAt !== null && nextTryAt > now;
