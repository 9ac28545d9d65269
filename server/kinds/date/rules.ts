import type { DateAsk } from './shape.ts';

/** What is wrong with a date; null when nothing is. Dates in this form compare as text. */
export function dateProblem(
  { earliest, latest }: Pick<DateAsk, 'earliest' | 'latest'>,
  date: string,
): 'early' | 'late' | null {
  if (earliest !== null && date < earliest) return 'early';
  return latest !== null && date > latest ? 'late' : null;
}
