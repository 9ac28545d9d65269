import { NUMBER_MAX } from '../../server/contract/limits.ts';

/** A text read as a number; `decimals`: too many decimals, or marks between thousands. */
export type TypedNumber = { value: number } | { problem: 'none' | 'unreadable' | 'decimals' };

/**
 * Reads a number as people type it, with a point or comma before the decimals. Ambiguous text, as `1,000` where no
 * decimals are allowed, is not guessed.
 */
export function readNumber(text: string, decimals: number): TypedNumber {
  const written = text.trim();
  if (written === '') return { problem: 'none' };
  const [, sign = '', whole = '', fraction = ''] = /^([-−]?)(\d{1,10})(?:[.,](\d+))?$/.exec(written) ?? [];
  if (whole === '') return { problem: /^[-−]?[\d.,'’\s]+$/.test(written) ? 'decimals' : 'unreadable' };
  if (fraction.length > decimals) return { problem: 'decimals' };
  const value = Number(`${whole}.${fraction || '0'}`);
  return { value: sign === '' || value === 0 ? value : -value };
}

/** An amount within the contract's limits. */
export const isAmount = (value: number): boolean => Math.abs(value) <= NUMBER_MAX;

/** A whole number from `min` to `max` as typed, or null. */
export function wholeIn(text: string, min: number, max: number): number | null {
  if (!/^\d{1,9}$/.test(text.trim())) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}
