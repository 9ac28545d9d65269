import { type MouseEvent, useEffect, useReducer } from 'react';
import { UNDO_MS } from '../../../server/contract/limits.ts';
import { isHeld } from '../../../worker/unsent.ts';
import type { OutboxEntry } from '../../lib/device.ts';
import { m } from '../../paraglide/messages.js';
import { Button, type ButtonKind } from '../../ui/button.tsx';
import { undoEntry } from './holds.ts';

/** Seconds until a command is sent, updated each second; null when it is not held. */
export function useHeldSeconds(entry: OutboxEntry | null): number | null {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const until = entry !== null && isHeld(entry) ? (entry.nextTryAt ?? 0) : null;
  useEffect(() => {
    if (until === null) return;
    const timer = setInterval(draw, 1_000);
    return () => clearInterval(timer);
  }, [until]);
  return until === null ? null : Math.ceil((until - Date.now()) / 1_000);
}

const STROKES = Array.from({ length: UNDO_MS / 1_000 }, (_, at) => at);

/** Ignores the second tap of a double tap: Undo appears where the pressed button was. */
export const firstTap = (press: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) press();
};

/** Removes a held command; hidden when nothing is held. It takes the focus when its card was pressed. */
export function UndoButton({ entry, kind = 'edge' }: { entry: OutboxEntry; kind?: ButtonKind }) {
  const seconds = useHeldSeconds(entry);
  if (seconds === null) return null;
  return (
    <Button
      kind={kind}
      icon="undo"
      data-focus
      aria-label={m.leader_undo({ what: entry.label })}
      aria-keyshortcuts="z"
      onClick={firstTap(() => void undoEntry(entry))}
    >
      {m.member_undo()}
      <span aria-hidden="true" className="undo-strokes">
        {STROKES.map((at) => (
          <i key={at} className={at < seconds ? '' : 'undo-strokes__gone'} />
        ))}
      </span>
      <kbd className="undo-key" />
    </Button>
  );
}
