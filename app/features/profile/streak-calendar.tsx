import './streak-calendar.css';
import type { Streak } from '../../../server/contract/badges.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { m } from '../../paraglide/messages.js';
import { getLocale } from '../../paraglide/runtime.js';
import { Card } from '../../ui/card.tsx';

type Mark = Streak['calendar'][number]['mark'];
const WORDS: Record<Mark, () => string> = {
  counted: m.member_day_counted,
  frozen: m.member_day_frozen,
  repaired: m.member_day_repaired,
  missed: m.member_day_missed,
  open: m.member_day_open,
};
/** The marks to explain; the common one explains itself. */
const EXPLAINED = ['counted', 'frozen', 'repaired', 'missed'] as const satisfies readonly Mark[];
const MONTHS_SHOWN = 2;
const WEEK = [1, 2, 3, 4, 5, 6, 7] as const;

/** Days are calendar days in the member's zone, so they are formatted in UTC. */
const named = (day: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(getLocale(), { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
/** 1 January 2024 was a Monday. */
const weekdayName = (weekday: number, length: 'narrow' | 'short' | 'long') =>
  named(`2024-01-0${weekday}`, { weekday: length });
/** Monday is 1. */
const weekdayOf = (day: string): number => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;

type Cell = { day: string; mark: Mark | null };
/** A month's days in rows of weeks; null for weekdays of another month. */
function weeksOf(month: string, marks: ReadonlyMap<string, Mark>): (Cell | null)[][] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const cells: (Cell | null)[] = Array.from({ length: weekdayOf(`${month}-01`) - 1 }, () => null);
  for (let date = 1; date <= length; date += 1) {
    const day = `${month}-${String(date).padStart(2, '0')}`;
    cells.push({ day, mark: marks.get(day) ?? null });
  }
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, row) =>
    WEEK.map((weekday) => cells[row * 7 + weekday - 1] ?? null),
  );
}

/** This month and the last, from the first counted day: a stroke for each counted day, and what saved the others. */
export function StreakCalendar({ streak: { since, calendar } }: { streak: Streak }) {
  const isWide = useDeviceWord() === 'computer';
  const today = calendar.at(-1)?.day ?? '';
  const first = since !== null && since < today ? since : today;
  const marks = new Map(calendar.filter(({ day }) => day >= first).map(({ day, mark }) => [day, mark]));
  const months = [...new Set([...marks.keys()].map((day) => day.slice(0, 7)))].slice(-MONTHS_SHOWN);
  const shown = isWide ? months : months.toReversed();
  return (
    <Card className="stack-medium">
      <div className="streak-months">
        {shown.map((month) => {
          const name = named(`${month}-01`, { month: 'long', year: 'numeric' });
          const isFolded = !isWide && month !== today.slice(0, 7);
          const Box = isFolded ? 'details' : 'div';
          const Name = isFolded ? 'summary' : 'p';
          return (
            <Box key={month} className={isFolded ? 'disclosure' : undefined}>
              <Name className="streak-month__name" aria-hidden={!isFolded}>
                {name}
              </Name>
              <Month name={name} weeks={weeksOf(month, marks)} first={first} today={today} />
            </Box>
          );
        })}
      </div>
      <ul className="flex-row flex-wrap streak-key text-tiny text-muted" aria-hidden="true">
        {EXPLAINED.map((mark) => (
          <li key={mark} className={`streak-day streak-day--${mark}`}>
            <i />
            {WORDS[mark]()}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Month(props: { name: string; weeks: (Cell | null)[][]; first: string; today: string }) {
  return (
    <table className="streak-month">
      <caption className="visually-hidden">{props.name}</caption>
      <thead>
        <tr>
          {WEEK.map((weekday) => (
            <th key={weekday} scope="col" abbr={weekdayName(weekday, 'long')}>
              <span className="streak-month__weekday" data-letter={weekdayName(weekday, 'narrow')}>
                {weekdayName(weekday, 'short')}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.weeks.map((week) => (
          <tr key={week.find((cell) => cell !== null)?.day}>
            {week.map((cell, at) =>
              cell === null || cell.day < props.first ? (
                <td key={WEEK[at]} />
              ) : (
                <td key={WEEK[at]} className={cell.day === props.today ? 'streak-month__today' : undefined}>
                  <div className={`streak-day streak-day--${cell.mark ?? 'ahead'}`}>
                    {Number(cell.day.slice(8))}
                    {cell.mark && <i aria-hidden="true" />}
                    <span className="visually-hidden"> {cell.mark ? WORDS[cell.mark]() : m.member_day_ahead()}</span>
                  </div>
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
