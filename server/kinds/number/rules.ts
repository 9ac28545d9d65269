import type { NumberAsk } from './shape.ts';

/** What is wrong with a number; null when nothing is. */
export function numberProblem(
  { min, max, decimals }: Pick<NumberAsk, 'min' | 'max' | 'decimals'>,
  value: number,
): 'low' | 'high' | 'decimals' | null {
  if (min !== null && value < min) return 'low';
  if (max !== null && value > max) return 'high';
  return Number(value.toFixed(decimals)) === value ? null : 'decimals';
}
