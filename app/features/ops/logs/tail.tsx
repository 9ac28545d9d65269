import './parts.css';
import { useEffect, useState } from 'react';
import type { LogEntry, LogFilters } from '../../../../server/contract/ops-logs.ts';
import { number } from '../../../lib/format.ts';
import { addressOf } from '../../../lib/http.ts';
import { useOnline } from '../../../lib/online.ts';
import { useKeys } from '../../../lib/use-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { Card, Chip } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/states.tsx';
import { EntryRow } from './entry-row.tsx';
import { FilterBar } from './filter-bar.tsx';
import { NoConnection } from './parts.tsx';
import { filtersOf, useLogSearch } from './search.ts';

/** Entries on screen; older ones are in the list of entries. */
const SHOWN = 200;

type Following = { state: 'begins' | 'follows' | 'broken'; entries: readonly LogEntry[]; skipped: number };
const NOTHING: Following = { state: 'begins', entries: [], skipped: 0 };

/** Entries as they arrive, latest on top. Paused, the screen does not move and new entries are held. */
export function Tail() {
  const [search, change] = useLogSearch();
  const filters = filtersOf(search);
  const [halted, setHalted] = useState<readonly LogEntry[] | null>(null);
  const { state, entries, skipped } = useTail(filters);
  const online = useOnline();
  const shown = halted ?? entries;
  const halt = () => setHalted(halted === null ? entries : null);
  useKeys({ h: halt });
  const newer = halted === null ? 0 : entries.findIndex(({ id }) => id === halted[0]?.id);
  return (
    <>
      <FilterBar search={search} change={change} />
      <div className="log-order">
        <p role="status">
          <Chip kind={state === 'follows' ? 'ink' : 'pencil'} icon={state === 'follows' ? 'bolt' : 'offline'}>
            {halted !== null
              ? m.logs_tail_halted({ n: newer < 0 ? `${SHOWN}+` : number(newer) })
              : state === 'follows'
                ? m.logs_tail_follows()
                : state === 'begins'
                  ? m.logs_tail_begins()
                  : m.logs_tail_broken()}
          </Chip>
          {skipped > 0 && <span className="text-tiny text-muted"> {m.logs_tail_skipped({ n: number(skipped) })}</span>}
        </p>
        <Button kind="edge" onClick={halt}>
          {halted === null ? m.logs_tail_halt() : m.logs_tail_go_on()}
        </Button>
      </div>
      {shown.length === 0 ? (
        online ? (
          <Empty title={m.logs_tail_none()} line={m.logs_tail_none_line()} />
        ) : (
          <NoConnection />
        )
      ) : (
        <Card className="card--rows">
          <ul className="ruled-list" aria-label={m.logs_view_tail()}>
            {shown.map((entry) => (
              <li key={entry.id}>
                <EntryRow entry={entry} isToday />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <p className="text-tiny text-muted only-wide">{m.logs_keys_tail()}</p>
    </>
  );
}

/** A browser reopens a broken stream itself, but gives up on an answer that is no stream: then we reopen it. */
const AGAIN_AFTER_MS = 5_000;

/** Follows the server's events. */
function useTail(filters: LogFilters): Following {
  const { path } = addressOf('GET /api/admin/client-logs/tail', undefined, filters);
  const [following, setFollowing] = useState(NOTHING);
  useEffect(() => {
    let events: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = (change: (before: Following) => Partial<Following>) =>
      setFollowing((before) => ({ ...before, ...change(before) }));
    const follow = () => {
      events = new EventSource(path, { withCredentials: true });
      events.addEventListener('ready', () => update(() => ({ state: 'follows' })));
      events.addEventListener('error', () => {
        update(() => ({ state: 'broken' }));
        if (events.readyState === EventSource.CLOSED) timer = setTimeout(follow, AGAIN_AFTER_MS);
      });
      events.addEventListener('entry', ({ data }: MessageEvent<string>) => {
        const entry = JSON.parse(data) as LogEntry;
        update(({ entries }) => ({ entries: [entry, ...entries.filter(({ id }) => id !== entry.id)].slice(0, SHOWN) }));
      });
      events.addEventListener('behind', ({ data }: MessageEvent<string>) => {
        const behind = JSON.parse(data) as { skipped: number };
        update(({ skipped }) => ({ skipped: skipped + behind.skipped }));
      });
    };
    setFollowing(NOTHING);
    follow();
    return () => {
      clearTimeout(timer);
      events.close();
    };
  }, [path]);
  return following;
}
