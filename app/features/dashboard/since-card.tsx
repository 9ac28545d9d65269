import './since-card.css';
import type { ReactNode } from 'react';
import type { LedgerEntry } from '../../../server/contract/ledger.ts';
import { isSameDay, number, signed, timeOfDay } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { MARKS } from '../../shared/tasks/marks.ts';
import type { TaskView } from '../../shared/tasks/task-view.ts';
import { whenWord } from '../../shared/tasks/words.ts';
import { Points } from '../../ui/card.tsx';
import { Icon, Mark, type MarkState } from '../../ui/icon.tsx';
import type { Since } from './since.ts';

const DAY_MS = 24 * 60 * 60_000;
const MARKS_SHOWN = 5;
const markOf = ({ kind, points }: LedgerEntry): MarkState => (kind === 'reverse' || points < 0 ? 'reversed' : 'ink');

/** `yesterday 21:10`. */
const sinceWord = (at: number, now: number): string =>
  isSameDay(at, now - DAY_MS) ? m.today_since_yesterday({ time: timeOfDay(at) }) : whenWord(at);

function partsOf({ counted, returned, announcements }: Since): string[] {
  const back = returned.filter(({ state }) => state === 'changes').length;
  const no = returned.length - back;
  const announced = announcements.length;
  return [
    counted > 0 ? m.today_since_counted({ count: counted, n: number(counted) }) : '',
    back > 0 ? m.today_since_changes({ count: back, n: number(back) }) : '',
    no > 0 ? m.today_since_rejected({ count: no, n: number(no) }) : '',
    announced > 0 ? m.today_since_announced({ count: announced, n: number(announced) }) : '',
  ].filter(Boolean);
}

/** Changes since the last visit: counted and returned answers, and the current standing. Expands to its lines. */
export function SinceCard({ since, now }: { since: Since; now: number }) {
  const when = sinceWord(since.at, now);
  const marks: MarkState[] = [...since.lines.map(markOf), ...since.returned.map(({ state }) => MARKS[state])];
  return (
    <details className="since">
      <summary>
        <span className="since__marks">
          {marks.length === 0 && <Icon name="announce" />}
          {marks.slice(0, MARKS_SHOWN).map((state, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: marks are identified by their index
            <Mark key={index} state={state} />
          ))}
        </span>
        <span>
          <b>
            {since.points === 0
              ? m.today_since_news({ when })
              : m.today_since_points({ points: signed(since.points), when })}
          </b>
          <span className="text-small text-muted">{partsOf(since).join(', ')}</span>
        </span>
        <Icon name="down" size={16} />
      </summary>
      <ul className="since__list">
        {since.lines.map((line) => (
          <Line key={line.id} lead={<Mark state={markOf(line)} />} end={<Points value={line.points} />}>
            {line.task ?? line.reason ?? m.member_ledger_adjust()}
          </Line>
        ))}
        {since.returned.map((view) => (
          <Line key={view.task.id} lead={<Mark state={MARKS[view.state]} />}>
            {returnedWords(view)}
          </Line>
        ))}
        {since.rank && (
          <Line lead={<Icon name="board" />}>
            {(since.rank.to < since.rank.from ? m.today_since_up : m.today_since_down)({
              from: number(since.rank.from),
              to: number(since.rank.to),
            })}
          </Line>
        )}
        {since.announcements.map(({ id, by, title }) => (
          <Line key={id} lead={<Icon name="announce" />}>
            {m.today_since_announcement({ who: by, title })}
          </Line>
        ))}
      </ul>
    </details>
  );
}

function returnedWords({ task, state, claim }: TaskView): string {
  if (state !== 'changes') return m.today_since_no({ task: task.title });
  return claim?.decidedBy
    ? m.today_since_asks({ task: task.title, who: claim.decidedBy })
    : m.today_since_asks_server({ task: task.title });
}

function Line({ lead, end, children }: { lead: ReactNode; end?: ReactNode; children: ReactNode }) {
  return (
    <li>
      {lead}
      <span>{children}</span>
      {end && <b>{end}</b>}
    </li>
  );
}
