import './health-board.css';
import type { CheckName, Checks } from '../../../../server/contract/overview.ts';
import { calendarDay, listing, number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { BoardPanel } from '../../../ui/board.tsx';
import { CHECK_NAMES } from './check-names.ts';
import { checkWord } from './check-words.ts';

/** The one bold panel: whether anything needs attention, with a stroke for each check. */
export function HealthBoard({ checks, troubled }: { checks: Checks; troubled: readonly CheckName[] }) {
  const all = number(CHECK_NAMES.length);
  const tally = <CheckTally checks={checks} />;
  const isCalm = troubled.length === 0;
  return (
    <div className="health-board">
      <BoardPanel
        label={m.desk_health()}
        heading={isCalm ? m.desk_needs_none() : m.desk_needs()}
        value={
          isCalm ? m.desk_all_well() : m.desk_needs_count({ count: troubled.length, n: number(troubled.length), all })
        }
        note={isCalm ? healthyNote(checks, all) : m.desk_needs_note({ names: listing(troubled.map(checkWord)) })}
        tally={tally}
      />
    </div>
  );
}

/** That all is well, and when it last was not. */
function healthyNote(checks: Checks, all: string): string {
  const passed = m.desk_all_passed({ n: all });
  const ill = CHECK_NAMES.flatMap((name) =>
    checks[name].days.filter(({ state }) => state !== 'fine').map(({ day }) => ({ day, name })),
  ).sort((one, other) => other.day.localeCompare(one.day));
  const [last] = ill;
  if (!last) return passed;
  return `${passed} ${m.desk_last_problem({ day: calendarDay(last.day), name: checkWord(last.name) })}`;
}

const STEP = 12.5;
const GATE = 5;

/** Strokes in gates of five: solid is healthy, outlined needs attention or is unknown, broken has failed. */
function CheckTally({ checks }: { checks: Checks }) {
  const count = (state: Checks['disk']['state']) => CHECK_NAMES.filter((name) => checks[name].state === state).length;
  const [fine, attention, failed, unknown] = [count('fine'), count('attention'), count('failed'), count('unknown')];
  const gates = Math.floor(fine / GATE);
  const rest = [
    ...Array.from({ length: fine % GATE }, () => 'solid' as const),
    ...Array.from({ length: attention + unknown }, () => 'open' as const),
    ...Array.from({ length: failed }, () => 'snapped' as const),
  ];
  const label = m.desk_tally({
    all: number(CHECK_NAMES.length),
    fine: number(fine),
    attention: number(attention),
    failed: number(failed),
    unknown: number(unknown),
  });
  return (
    <div className="check-tally" role="img" aria-label={label}>
      {Array.from({ length: gates }, (_, gate) => `gate ${gate}`).map((gate) => (
        <svg key={gate} viewBox="0 0 52 40" aria-hidden="true">
          {[0, 1, 2, 3].map((at) => (
            <Stroke key={at} at={at} kind="solid" />
          ))}
          <rect
            className="check-tally__cross"
            x="-3"
            y="16.5"
            width="58"
            height="7"
            rx="3.5"
            transform="rotate(-21 26 20)"
          />
        </svg>
      ))}
      {rest.length > 0 && (
        <svg viewBox={`0 0 ${rest.length * STEP + 2} 40`} aria-hidden="true">
          {rest.map((kind, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a stroke is identified by its index
            <Stroke key={at} at={at} kind={kind} />
          ))}
        </svg>
      )}
    </div>
  );
}

const LEAN = [2, -1, 1.5, -1.5] as const;

function Stroke({ at, kind }: { at: number; kind: 'solid' | 'open' | 'snapped' }) {
  const x = 3 + at * STEP;
  if (kind === 'snapped')
    return (
      <g className="check-tally__snapped" transform={`translate(${x} 0)`}>
        <path d="M1.5 5.5a3.5 3.5 0 0 1 7 .5l-.6 12-3.3-2.4-2.3 3-1.2-.8z" />
        <path d="M-1 22.5l2.6 2 2.8-3 1.6 1.2-.6 11a3.5 3.5 0 0 1-7-.5z" />
      </g>
    );
  return (
    <rect
      className={kind === 'solid' ? 'check-tally__solid' : 'check-tally__open'}
      x={x}
      y={at % 2 === 0 ? 3 : 2}
      width="7"
      height="34"
      rx="3.5"
      transform={`rotate(${LEAN[at % LEAN.length] ?? 0} ${x + 3.5} 20)`}
    />
  );
}
