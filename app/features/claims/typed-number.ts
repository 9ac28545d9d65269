/** What a text says as a number; `decimals`: of more decimals than there may be, or with marks between thousands. */
export type TypedNumber = { value: number } | { problem: 'none' | 'unreadable' | 'decimals' };

/**
 * Reads a number as people type it, with a point or a comma before the decimals. What could be meant in two ways, as `1,000`
 * where there are no decimals, is not guessed.
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
