import { useEffect, useState } from 'react';
import { m } from '../../paraglide/messages.js';
import type { ChipState } from './chip.ts';

/** A command that arrives sooner needs no announcement: its toast has reported it. */
const ANNOUNCED_AFTER_MS = 1_500;

/**
 * What a screen reader announces about the outbox, once rather than at every step: that something waits (no counts),
 * that everything announced has arrived, and what needs the member.
 * @param before the last announcement; empty without one
 */
export function announcement(chip: ChipState, before: string): string {
  if (chip.kind === 'needs') return m.shell_outbox_needs({ count: chip.count });
  if (chip.kind === 'waiting' || chip.kind === 'sending') return m.shell_outbox_said_waiting();
  return chip.kind === 'received' && before !== '' ? m.shell_outbox_received() : '';
}

/** The announcement, after it has been stable for a moment. */
export function useAnnouncement(chip: ChipState): string {
  const [announced, setAnnounced] = useState('');
  const next = announcement(chip, announced);
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(next), ANNOUNCED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [next]);
  return announced;
}
