import { calendarDay } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import type { AskOf, Kind } from '../kind.ts';

export const date: Kind<'date'> = {
  word: m.kinds_kind_date,
  pace: 'when-checked',
  line: (_, evidence) => calendarDay(evidence.date),
  constraintLine: daysWords,
};

/** The selectable days; null when any is. */
export function daysWords({ earliest, latest }: AskOf<'date'>): string | null {
  if (earliest !== null && latest !== null)
    return m.kinds_date_bounds({ from: calendarDay(earliest), until: calendarDay(latest) });
  if (earliest !== null) return m.kinds_date_from({ date: calendarDay(earliest) });
  return latest === null ? null : m.kinds_date_until({ date: calendarDay(latest) });
}
