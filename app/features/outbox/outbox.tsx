import './outbox.css';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { isNotUpload, unsentCommands } from '../../../worker/unsent.ts';
import { onDelivered, useOutbox } from '../../lib/device.ts';
import { number } from '../../lib/format.ts';
import { useOnline } from '../../lib/online.ts';
import { m } from '../../paraglide/messages.js';
import { Icon, Mark, type MarkState } from '../../ui/icon.tsx';
import { useAnnouncement } from './announce.ts';
import { type ChipState, chipState } from './chip.ts';
import { QueueSheet } from './queue-sheet.tsx';

const RECEIVED_SHOWN_MS = 2_000;
const MARKS_SHOWN = 3;

let isOpen = false;
const listeners = new Set<() => void>();
function setOpen(open: boolean): void {
  isOpen = open;
  for (const listener of listeners) listener();
}
const subscribe = (changed: () => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};

/** Acknowledged commands of this batch; zero again two seconds after the last one. */
function useDelivered(left: number): number {
  const [delivered, setDelivered] = useState(0);
  useEffect(() => onDelivered(({ entry }) => isNotUpload(entry) && setDelivered((count) => count + 1)), []);
  useEffect(() => {
    if (delivered === 0 || left > 0) return;
    const timer = setTimeout(() => setDelivered(0), RECEIVED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [delivered, left]);
  return delivered;
}

function useChip(): ChipState {
  const entries = useOutbox();
  const delivered = useDelivered(unsentCommands(entries).length);
  return chipState(entries, delivered, useOnline());
}

/**
 * The outbox chip; hidden when there is nothing to say. A long title shrinks it to a mark and a count, with the text
 * for screen readers only; 'Offline' is always in words. A press opens `OutboxSheet`.
 */
export function OutboxChip() {
  const chip = useChip();
  if (chip.kind === 'none') return null;
  const words = wordsOf(chip);
  return (
    <button type="button" className={classOf(chip)} aria-haspopup="dialog" onClick={() => setOpen(true)}>
      {/* A new element for each text, so nothing in it slides. */}
      <span key={words} className="outbox-chip__face">
        {chip.kind === 'offline' ? <Icon name="offline" /> : <Marks chip={chip} />}
        <span className="outbox-chip__words">{words}</span>
        {'count' in chip && chip.kind !== 'received' && (
          <span className="outbox-chip__short" aria-hidden="true">
            {number(chip.kind === 'sending' ? chip.count - chip.sent + 1 : chip.count)}
          </span>
        )}
      </span>
    </button>
  );
}

function classOf({ kind }: ChipState): string {
  if (kind === 'received') return 'outbox-chip outbox-chip--sent';
  if (kind === 'offline') return 'outbox-chip outbox-chip--offline';
  return kind === 'needs' ? 'outbox-chip outbox-chip--needs' : 'outbox-chip';
}

function Marks({ chip }: { chip: Exclude<ChipState, { kind: 'none' | 'offline' }> }) {
  const rest: MarkState = chip.kind === 'received' ? 'received' : 'pencil';
  const first: MarkState = chip.kind === 'needs' ? 'refused' : chip.kind === 'sending' ? 'sending' : rest;
  // More marks would widen the chip beyond the app bar, and the screen would jump at each try.
  const shown = chip.kind === 'waiting' ? Math.min(MARKS_SHOWN, chip.count) : 1;
  const marks = Array.from({ length: shown }, (_, index) => ({ place: index, state: index === 0 ? first : rest }));
  return marks.map(({ place: index, state }) => <Mark key={index} state={state} />);
}

function wordsOf(chip: ChipState): string {
  if (chip.kind === 'offline') return m.shell_outbox_offline();
  if (chip.kind === 'waiting') return m.shell_outbox_waiting({ count: chip.count });
  if (chip.kind === 'sending') return m.shell_outbox_sending({ sent: chip.sent, count: chip.count });
  if (chip.kind === 'received') return m.shell_outbox_received();
  return chip.kind === 'needs' ? m.shell_outbox_needs({ count: chip.count }) : '';
}

/** The sheet "Not sent yet" and its announcements, once a page, whichever chip opens it. */
export function OutboxSheet() {
  const open = useSyncExternalStore(subscribe, () => isOpen);
  const announcement = useAnnouncement(useChip());
  return (
    <>
      <p className="visually-hidden outbox-announced" role="status">
        {announcement}
      </p>
      <QueueSheet open={open} onClose={closeSheet} />
    </>
  );
}
const closeSheet = () => setOpen(false);
