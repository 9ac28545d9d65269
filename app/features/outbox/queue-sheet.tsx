import { useState } from 'react';
import { discardEntry, drainNow, type OutboxEntry, retryEntry, useOutbox } from '../../lib/device.ts';
import { log } from '../../lib/logs.ts';
import { useOnline } from '../../lib/online.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { stampTime, timeOfDay } from '../../ui/format.ts';
import { Mark } from '../../ui/icon.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { ErrorCode } from '../../ui/states.tsx';
import { useLaneName } from './lane-name.ts';

/** What is on this device only: what needs the member first, then each lane in its order. */
export function QueueSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Sheet title={m.shell_queue_title()} open={open} onClose={onClose}>
      <Queue />
    </Sheet>
  );
}

/** Ops can tell an act that was thrown away from one that was lost. */
function discard(entry: OutboxEntry): void {
  log('outbox.discard', { id: entry.id, path: entry.path, reason: entry.error?.reason ?? null });
  void discardEntry(entry.id);
}

function Queue() {
  const entries = useOutbox();
  const online = useOnline();
  const [sending, setSending] = useState(false);
  const refused = entries.filter(({ state }) => state === 'refused');
  const lanes = lanesOf(entries);
  if (entries.length === 0) return <p className="mut">{m.shell_queue_empty()}</p>;
  return (
    <>
      <p className="sm mut">{online ? m.shell_queue_safe() : m.shell_queue_safe_offline()}</p>
      {refused.length > 0 && (
        <section aria-label={m.shell_queue_needs()}>
          <p className="lane lane-needs">{m.shell_queue_needs()}</p>
          {refused.map((entry) => (
            <Refused key={entry.id} entry={entry} />
          ))}
        </section>
      )}
      {[...lanes].map(([lane, waiting]) => (
        <Lane key={lane} lane={lane} entries={waiting} />
      ))}
      {lanes.size > 0 && (
        <div className="queue-send">
          <Button
            kind="edge"
            icon="send"
            busy={sending}
            disabledReason={online ? null : m.shell_queue_no_connection()}
            onClick={() => {
              setSending(true);
              void drainNow()
                .catch(() => undefined)
                .finally(() => setSending(false));
            }}
          >
            {m.shell_queue_send_now()}
          </Button>
        </div>
      )}
    </>
  );
}

/** What waits, lane by lane, in the order in which it will be sent. */
function lanesOf(entries: readonly OutboxEntry[]): Map<string, OutboxEntry[]> {
  const lanes = new Map<string, OutboxEntry[]>();
  for (const entry of entries)
    if (entry.state !== 'refused') lanes.set(entry.lane, [...(lanes.get(entry.lane) ?? []), entry]);
  return lanes;
}

function Lane({ lane, entries }: { lane: string; entries: OutboxEntry[] }) {
  const name = useLaneName(lane);
  const title = name === null ? m.shell_queue_order() : m.shell_queue_lane({ lane: name });
  return (
    <section aria-label={title}>
      <p className="lane">{title}</p>
      <ol className="list">
        {entries.map((entry) => (
          <li key={entry.id} className="q">
            <Mark state={entry.state === 'sending' ? 'sending' : 'pencil'} />
            <div>
              <h3>{entry.label}</h3>
              <p className="sm mut">{standing(entry)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function standing(entry: OutboxEntry): string {
  if (entry.state === 'sending') return m.shell_queue_sending();
  const time = stampTime(entry.createdAt);
  if (entry.attempts === 0 || entry.nextTryAt === null) return m.shell_queue_saved({ time });
  return m.shell_queue_next({ time, attempts: entry.attempts, next: timeOfDay(entry.nextTryAt) });
}

/** The server's words, code and request id; Discard asks once more, because nothing else has a copy. */
function Refused({ entry }: { entry: OutboxEntry }) {
  const [asking, setAsking] = useState(false);
  return (
    <div className="q">
      <Mark state="refused" />
      <div>
        <h3>{entry.label}</h3>
        <p className="sm mut">{m.shell_queue_saved({ time: stampTime(entry.createdAt) })}</p>
      </div>
      <div className="why">
        {entry.error && (
          <div className="quote">
            <b>{m.shell_queue_refused()}</b> {entry.error.message}
            <div>
              <ErrorCode error={entry.error} />
            </div>
          </div>
        )}
        {asking ? (
          <div role="alert">
            <p className="sm">{m.shell_queue_discard_line({ label: entry.label })}</p>
            <div className="acts">
              <Button kind="edge" onClick={() => setAsking(false)}>
                {m.shell_queue_keep()}
              </Button>
              <Button kind="no" icon="discard" onClick={() => discard(entry)}>
                {m.shell_queue_discard()}
              </Button>
            </div>
          </div>
        ) : (
          <div className="acts">
            <Button kind="edge" icon="retry" onClick={() => void retryEntry(entry.id)}>
              {m.shell_queue_retry()}
            </Button>
            <Button kind="no" icon="discard" onClick={() => setAsking(true)}>
              {m.shell_queue_discard()}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
