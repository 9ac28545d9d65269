import type { OutboxEntry } from './schema.ts';

/** Kept, and not sent yet so that its member can undo it. */
export const isHeld = (
  { state, attempts, nextTryAt }: Pick<OutboxEntry, 'state' | 'attempts' | 'nextTryAt'>,
  now: number = Date.now(),
): boolean => state === 'waiting' && attempts === 0 && nextTryAt !== null && nextTryAt > now;
