import { useEffect, useState } from 'react';
import { m } from '../../paraglide/messages.js';
import type { ChipState } from './chip.ts';

/** An act that arrives within this time needs no word: its own toast has said so. */
const ANNOUNCED_AFTER_MS = 1_500;

/**
 * What a screen reader is told about the outbox, so that it is heard once and not at every step: that something waits
 * (no count, no tries), that all of what was said to wait has arrived, and what needs the member.
 * @param before what was said last, empty when nothing was
 */
export function announcement(chip: ChipState, before: string): string {
  if (chip.kind === 'needs') return m.shell_outbox_needs({ count: chip.count });
  if (chip.kind === 'waiting' || chip.kind === 'sending') return m.shell_outbox_said_waiting();
  return chip.kind === 'received' && before !== '' ? m.shell_outbox_received() : '';
}

/** The announcement, once it has held for a moment. */
export function useAnnouncement(chip: ChipState): string {
  const [announced, setAnnounced] = useState('');
  const next = announcement(chip, announced);
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(next), ANNOUNCED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [next]);
  return announced;
}
