import './day-marks.css';
import type { Checks } from '../../../../server/contract/overview.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { Mark } from '../../../ui/icon.tsx';

type Days = Checks['disk']['days'];

const MARKS = { fine: 'ink', attention: 'changes', failed: 'refused', unknown: 'slot' } as const;

const labelOf = (name: string, days: Days): string => {
  const well = days.filter(({ state }) => state === 'fine').length;
  return m.desk_days_label({ name, well: number(well), ill: number(days.length - well) });
};

/** A mark for each of the last days, oldest first. Days before the first record are unknown. */
export function DayMarks({ name, days }: { name: string; days: Days }) {
  if (days.length < 2) return null;
  return (
    <div className="day-marks">
      <div className="day-marks__row" role="img" aria-label={labelOf(name, days)}>
        {days.map(({ day, state }) => (
          <Mark key={day} state={MARKS[state]} size={20} />
        ))}
      </div>
      <p className="text-tiny text-muted" aria-hidden="true">
        {m.desk_last_days()}
      </p>
    </div>
  );
}

const HIGH = 30;
const STEP = 8;

/** The same as strokes with the check's daily figure as height; a day with a problem has another colour and a foot. */
export function DayStrokes({ name, days }: { name: string; days: Days }) {
  if (days.length < 2) return null;
  const most = Math.max(0, ...days.map(({ figure }) => figure ?? 0));
  return (
    <svg
      className="day-strokes"
      viewBox={`0 0 ${days.length * STEP} ${HIGH + 4}`}
      role="img"
      aria-label={labelOf(name, days)}
    >
      {days.map(({ day, state, figure }, at) => {
        const tall = figure === null || most === 0 ? HIGH / 2 : Math.max(3, (figure / most) * HIGH);
        return (
          <g key={day} className={state === 'fine' ? 'day-strokes__well' : 'day-strokes__ill'}>
            <rect x={at * STEP + 2} y={HIGH - tall} width={3} height={tall} rx={1.5} />
            {state !== 'fine' && <rect x={at * STEP} y={HIGH + 2} width={7} height={2} rx={1} />}
          </g>
        );
      })}
    </svg>
  );
}
