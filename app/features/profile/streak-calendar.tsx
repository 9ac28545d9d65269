import './streak-calendar.css';
import type { Streak } from '../../../server/contract/badges.ts';
import { m } from '../../paraglide/messages.js';
import { getLocale } from '../../paraglide/runtime.js';
import { Card } from '../../ui/card.tsx';
import { number } from '../../ui/format.ts';

/** `before`: the days before the first one that counted, which nobody missed. */
type Mark = Streak['calendar'][number]['mark'] | 'before';
const WORDS: Record<Mark, () => string> = {
  before: m.member_day_before,
  counted: m.member_day_counted,
  frozen: m.member_day_frozen,
  repaired: m.member_day_repaired,
  missed: m.member_day_missed,
  open: m.member_day_open,
};
/** What the marks mean, without the one that everybody sees. */
const EXPLAINED = ['counted', 'repaired', 'frozen', 'missed'] as const satisfies readonly Mark[];

/** Days are calendar days of the member's zone, so they are read in UTC. */
const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const named = (day: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(getLocale(), { ...options, timeZone: 'UTC' }).format(dateOf(day));
/** Monday is 1. */
const weekday = (day: string): number => ((dateOf(day).getUTCDay() + 6) % 7) + 1;

/** The last six weeks, a stroke for each day that counted, and what a missed day costs. */
export function StreakCalendar({ streak }: { streak: Streak }) {
  const { since } = streak;
  const calendar = streak.calendar.map(({ day, mark }) => {
    const isBefore = mark === 'missed' && (since === null || day < since);
    return { day, mark: isBefore ? ('before' as const) : mark };
  });
  const first = calendar[0];
  return (
    <Card className="stack-medium">
      <ol className="streak-days" aria-label={m.member_calendar()}>
        {calendar.map(({ day, mark }) => (
          <li
            key={day}
            className={`streak-day streak-day--${mark}`}
            {...(day === first?.day && { style: { gridColumnStart: weekday(day) } })}
          >
            <span aria-hidden="true">{named(day, { day: 'numeric' })}</span>
            <i aria-hidden="true" />
            <span className="visually-hidden">
              {m.member_day({
                date: named(day, { weekday: 'short', day: 'numeric', month: 'short' }),
                mark: WORDS[mark](),
              })}
            </span>
          </li>
        ))}
      </ol>
      <ul className="flex-row flex-wrap streak-days-key text-tiny text-muted" aria-hidden="true">
        {EXPLAINED.map((mark) => (
          <li key={mark} className={`streak-day streak-day--${mark}`}>
            <i />
            {WORDS[mark]()}
          </li>
        ))}
      </ul>
      <p className="text-small text-muted">
        {[
          m.member_streak_best({ count: streak.best, n: number(streak.best) }),
          m.member_freezes({ count: streak.freezes, n: number(streak.freezes) }),
          streak.repairReadyOn === null
            ? m.member_repair_ready()
            : m.member_repair_from({ date: named(streak.repairReadyOn, { day: 'numeric', month: 'short' }) }),
        ].join(' ')}
      </p>
    </Card>
  );
}
