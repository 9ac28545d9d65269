import './history-list.css';
import { useState } from 'react';
import { stampTime } from '../../lib/format.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { m } from '../../paraglide/messages.js';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Dialog } from '../../ui/sheet.tsx';
import type { Thread } from './history.ts';

/** Conversations on this device, latest first; each can be opened or deleted. */
export function HistoryList(props: {
  threads: readonly Thread[];
  current: string | null;
  onOpen: (thread: Thread) => void;
  onRemove: (id: string) => void;
}) {
  const isPhone = useDeviceWord() === 'phone';
  if (props.threads.length === 0) return <p className="text-small text-muted">{m.assistant_history_none()}</p>;
  return (
    <>
      <ul className="card card--rows history-list">
        {props.threads.map((thread) => {
          const [first] = thread.turns;
          const last = thread.turns.at(-1);
          if (!first || !last) return null;
          const isCurrent = thread.id === props.current;
          return (
            <li key={thread.id} className={isCurrent ? 'history-list__current' : ''}>
              <button
                type="button"
                className="history-list__open"
                onClick={() => props.onOpen(thread)}
                {...(isCurrent && { 'aria-current': true })}
              >
                <Icon name="clock" />
                <span>
                  <b>{first.question}</b>
                  <span className="text-small text-muted">{stampTime(last.at)}</span>
                </span>
              </button>
              <IconButton
                icon="discard"
                label={m.assistant_delete_one({ question: first.question })}
                onClick={() => props.onRemove(thread.id)}
              />
            </li>
          );
        })}
      </ul>
      <p className="text-small text-muted after-list">
        {isPhone ? m.assistant_history_phone() : m.assistant_history_computer()}
      </p>
    </>
  );
}

export function DeleteAll({ count, onDelete }: { count: number; onDelete: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const close = () => setAsking(false);
  if (count === 0) return null;
  return (
    <>
      <Button kind="words" icon="discard" onClick={() => setAsking(true)}>
        {m.assistant_delete_all()}
      </Button>
      <Dialog title={m.assistant_delete_all_title()} open={isAsking} onClose={close}>
        <p>{m.assistant_delete_all_line()}</p>
        <div className="actions">
          <Button
            kind="no"
            onClick={() => {
              close();
              onDelete();
            }}
          >
            {m.assistant_delete_all()}
          </Button>
          <Button kind="edge" onClick={close}>
            {m.assistant_keep()}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
