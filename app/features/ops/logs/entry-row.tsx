import './entry-row.css';
import type { LogEntry } from '../../../../server/contract/ops-logs.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { Anchor } from '../../../ui/button.tsx';
import { Inert } from './parts.tsx';
import { entryAt } from './search.ts';
import { clockWord, momentWord, spanWord } from './words.ts';

/** An entry in one row: when, what, whose device, how late. It links to the details. */
export function EntryRow({ entry, detail, isToday }: { entry: LogEntry; detail?: string; isToday?: boolean }) {
  const who = entry.user?.name ?? (entry.user === null ? m.logs_who_signed_out() : m.logs_who_nameless());
  const late = [
    ...(entry.offlineMs === null ? [] : [m.logs_was_offline({ span: spanWord(entry.offlineMs) })]),
    ...(entry.delayMs < LATE_MS ? [] : [m.logs_came_later({ span: spanWord(entry.delayMs) })]),
    ...(entry.repeats > 1 ? [m.logs_repeats({ n: number(entry.repeats) })] : []),
  ];
  return (
    <Anchor className={entry.kind === 'error' ? 'log-entry log-entry--error' : 'log-entry'} {...entryAt(entry)}>
      <span className="monospace text-tiny text-muted">
        {isToday ? clockWord(entry.happenedAt) : momentWord(entry.happenedAt)}
      </span>
      <span>
        <span className="log-entry__message">
          <span className="visually-hidden">
            {entry.kind === 'error' ? m.logs_kind_error() : m.logs_kind_debug()}:{' '}
          </span>
          <Inert>{entry.message}</Inert>
        </span>
        {detail !== undefined && detail !== '' && (
          <span className="text-tiny text-muted monospace">
            <Inert>{detail}</Inert>
          </span>
        )}
        <span className="text-tiny text-muted">
          <Inert>{[who, entry.browser, entry.route, entry.release, ...late].filter(Boolean).join(' · ')}</Inert>
        </span>
      </span>
    </Anchor>
  );
}

/** Shorter delays are just the request. */
const LATE_MS = 10_000;
