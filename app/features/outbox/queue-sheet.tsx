import { communityOf } from '../../lib/subjects.ts';
import './queue-sheet.css';
import { useRef, useState } from 'react';
import { isSettled } from '../../../worker/unsent.ts';
import { drainNow, type OutboxEntry, useOutbox, useStorageState } from '../../lib/device.ts';
import { isSameDay, stampTime, timeOfDay } from '../../lib/format.ts';
import { useOnline } from '../../lib/online.ts';
import { m } from '../../paraglide/messages.js';
import { SettledCommand } from '../../shared/commands/settled-command.tsx';
import { useCachedName } from '../../shared/communities/cached-name.ts';
import { Button } from '../../ui/button.tsx';
import { Mark } from '../../ui/icon.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { RefusedEntry } from './refused-entry.tsx';
import { type Sent, useSent } from './sent-today.ts';

/** Entries on this device only: those that need the member, then waiting ones by community, then those sent today. */
export function QueueSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Sheet title={m.shell_queue_title()} open={open} onClose={onClose}>
      <Queue />
    </Sheet>
  );
}

function Queue() {
  const entries = useOutbox();
  const sent = useSent().filter(({ at }) => isSameDay(at, Date.now()));
  const refused = entries.filter((entry) => entry.state === 'refused' && !isSettled(entry));
  const settled = entries.filter(isSettled);
  const lanes = lanesOf(entries);
  const element = useRef<HTMLDivElement>(null);
  return (
    <div ref={element} tabIndex={-1} className="queue-sheet">
      <Lead count={entries.length - settled.length} />
      {refused.length > 0 && (
        <section aria-label={m.shell_queue_needs()}>
          <p className="outbox-lane outbox-lane--needs">{m.shell_queue_needs()}</p>
          <ul className="ruled-list">
            {refused.map((entry) => (
              // The pressed button disappears with its entry, so the focus moves to the list.
              <RefusedEntry key={entry.id} entry={entry} onGone={() => element.current?.focus()} />
            ))}
          </ul>
        </section>
      )}
      {settled.length > 0 && (
        <section aria-label={m.shell_queue_settled()}>
          <p className="outbox-lane">{m.shell_queue_settled()}</p>
          <ul className="ruled-list">
            {settled.map((entry) => (
              <li key={entry.id} className="mark-row">
                <Mark state="reversed" />
                <div>
                  <h3>{entry.label}</h3>
                  <SettledCommand entry={entry} onGone={() => element.current?.focus()} />
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {[...lanes].map(([lane, waiting]) => (
        <Lane key={lane} lane={lane} entries={waiting} />
      ))}
      {sent.length > 0 && (
        <section aria-label={m.shell_queue_sent_today()}>
          <p className="outbox-lane">{m.shell_queue_sent_today()}</p>
          <ul className="ruled-list">
            {sent.map((one) => (
              <SentEntry key={one.id} sent={one} />
            ))}
          </ul>
        </section>
      )}
      {lanes.size > 0 && <SendNow />}
    </div>
  );
}

/** Where the entries are stored, and whether the app may be closed. */
function Lead({ count }: { count: number }) {
  const online = useOnline();
  const storage = useStorageState();
  if (count === 0) return <p className="text-muted">{m.shell_queue_empty()}</p>;
  if (storage.kind === 'memory') return <p className="text-small text-muted">{m.shell_queue_memory()}</p>;
  return <p className="text-small text-muted">{online ? m.shell_queue_safe() : m.shell_queue_safe_offline()}</p>;
}

function SendNow() {
  const online = useOnline();
  const [sending, setSending] = useState(false);
  async function send() {
    setSending(true);
    // Unsent entries stay in the list, with the reason and the next try.
    await drainNow().catch(() => undefined);
    setSending(false);
  }
  return (
    <div className="queue-sheet__send">
      <Button
        kind="edge"
        icon={online ? 'send' : 'offline'}
        busy={sending}
        disabledReason={online ? null : m.shell_queue_no_connection()}
        onClick={() => void send()}
      >
        {m.shell_queue_send_now()}
      </Button>
    </div>
  );
}

/** Waiting entries by outermost lane, oldest first; inner lanes decide the order of sending. */
function lanesOf(entries: readonly OutboxEntry[]): Map<string, OutboxEntry[]> {
  const lanes = new Map<string, OutboxEntry[]>();
  for (const entry of entries)
    if (entry.state !== 'refused') {
      const [lane = ''] = entry.lane.split('/');
      lanes.set(lane, [...(lanes.get(lane) ?? []), entry]);
    }
  return lanes;
}

function Lane({ lane, entries }: { lane: string; entries: OutboxEntry[] }) {
  const name = useCachedName(communityOf(lane));
  const title = name ?? m.shell_queue_yours();
  return (
    <section aria-label={title}>
      <p className="outbox-lane">{title}</p>
      <ol className="ruled-list">
        {entries.map((entry) => (
          <li key={entry.id} className="mark-row">
            <Mark state={entry.state === 'sending' ? 'sending' : 'pencil'} />
            <div>
              <h3>{entry.label}</h3>
              <Standing entry={entry} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Since when it waits; the number of tries is collapsed. */
function Standing({ entry: { state, createdAt, attempts, nextTryAt } }: { entry: OutboxEntry }) {
  if (state === 'sending') return <p className="text-small text-muted">{m.shell_queue_sending()}</p>;
  return (
    <>
      <p className="text-small text-muted">{m.shell_queue_saved({ time: stampTime(createdAt) })}</p>
      {attempts > 0 && nextTryAt !== null && (
        <details className="disclosure text-small text-muted">
          <summary>{m.shell_queue_tries()}</summary>
          <p>{m.shell_queue_next({ attempts, next: timeOfDay(nextTryAt) })}</p>
        </details>
      )}
    </>
  );
}

function SentEntry({ sent }: { sent: Sent }) {
  const lane = useCachedName(communityOf(sent.lane));
  const time = timeOfDay(sent.at);
  return (
    <li className="mark-row">
      <Mark state="received" />
      <div>
        <h3>{sent.label}</h3>
        <p className="text-small text-muted">
          {lane === null ? m.shell_queue_sent({ time }) : m.shell_queue_sent_in({ lane, time })}
        </p>
      </div>
    </li>
  );
}
