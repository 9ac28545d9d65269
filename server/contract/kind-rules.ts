/** Rules of answers that page and server share. Separate from the schemas, because the page has no schema library. */
import type { DateAsk } from './kind-date.ts';
import type { NumberAsk } from './kind-number.ts';
import { SCALE_MAX } from './limits.ts';

/** What is wrong with a number; null when nothing is. */
export function numberProblem(
  { min, max, decimals }: Pick<NumberAsk, 'min' | 'max' | 'decimals'>,
  value: number,
): 'low' | 'high' | 'decimals' | null {
  if (min !== null && value < min) return 'low';
  if (max !== null && value > max) return 'high';
  return Number(value.toFixed(decimals)) === value ? null : 'decimals';
}

/** What is wrong with a date; null when nothing is. Dates in this form compare as text. */
export function dateProblem(
  { earliest, latest }: Pick<DateAsk, 'earliest' | 'latest'>,
  date: string,
): 'early' | 'late' | null {
  if (earliest !== null && date < earliest) return 'early';
  return latest !== null && date > latest ? 'late' : null;
}

/** Every answer there is, the lowest first. */
export const SCALE: readonly number[] = Array.from({ length: SCALE_MAX }, (_, at) => at + 1);
