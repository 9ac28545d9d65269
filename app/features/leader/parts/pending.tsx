import { isSettled } from '../../../../worker/unsent.ts';
import { discardEntry, type OutboxEntry, useOutbox } from '../../../lib/device.ts';
import { number } from '../../../lib/format.ts';
import { serverWords } from '../../../lib/server-words.ts';
import { communityOf, readSubject, type Subject } from '../../../lib/subjects.ts';
import { m } from '../../../paraglide/messages.js';
import { RefusedCommand } from '../../../shared/commands/refused-command.tsx';
import { UndoButton, useHeldSeconds } from '../../../shared/commands/undo-button.tsx';
import { whenWord } from '../../../shared/tasks/words.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Mark } from '../../../ui/icon.tsx';
import { useListFocus } from '../../../ui/list-focus.ts';

/** This device's unsent commands in the community, filtered by subject. */
export function usePending(communityId: string, wanted: (subject: Subject) => boolean): OutboxEntry[] {
  return useOutbox().filter(({ lane, subject }) => {
    const about = communityOf(lane) === communityId ? readSubject(subject) : null;
    return about !== null && wanted(about);
  });
}

/** Commands in pencil, each with Undo; refused ones with the server's reason. */
export function PendingList({ entries }: { entries: readonly OutboxEntry[] }) {
  const list = useListFocus<HTMLUListElement>();
  return (
    <ul ref={list} className="ruled-list">
      {entries.map((entry) => (
        <li key={entry.id} data-row className="mark-row">
          <PendingLine entry={entry} />
        </li>
      ))}
    </ul>
  );
}

function PendingLine({ entry }: { entry: OutboxEntry }) {
  const held = useHeldSeconds(entry);
  if (entry.state !== 'refused')
    return (
      <>
        <Mark state={entry.state === 'sending' ? 'sending' : 'pencil'} />
        <div>
          <h3>{entry.label}</h3>
          <p className="text-tiny text-muted">
            {held !== null
              ? m.leader_held({ seconds: number(held) })
              : entry.state === 'sending'
                ? m.member_meta_sending()
                : m.leader_saved({ time: whenWord(entry.createdAt) })}
          </p>
        </div>
        {held !== null && (
          <div className="mark-row__body">
            <UndoButton entry={entry} kind="words" />
          </div>
        )}
        {held === null && entry.state === 'waiting' && (
          <IconButton
            icon="undo"
            label={m.leader_undo({ what: entry.label })}
            onClick={() => void discardEntry(entry.id)}
          />
        )}
      </>
    );
  // Someone else was first, perhaps the member: there is nothing to retry.
  const lost = isSettled(entry);
  return (
    <>
      <Mark state={lost ? 'reversed' : 'refused'} />
      <div>
        <h3>{entry.label}</h3>
        {lost && (
          <p className="text-tiny text-muted">
            {m.leader_lost_race({ words: entry.error ? serverWords(entry.error) : '' })}
          </p>
        )}
      </div>
      <span />
      <div className="mark-row__body">
        {lost ? (
          <div className="actions">
            <Button kind="words" icon="check" onClick={() => void discardEntry(entry.id)}>
              {m.leader_understood()}
            </Button>
          </div>
        ) : (
          <RefusedCommand entry={entry} />
        )}
      </div>
    </>
  );
}
