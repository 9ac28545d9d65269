import type { NumberAsk } from '../../../server/contract/kind-number.ts';
import { NUMBER_DECIMALS_MAX } from '../../../server/contract/limits.ts';
import { regional } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';

/** A number with all of its decimals. */
export const exactNumber = (value: number): string =>
  new Intl.NumberFormat(regional(), { maximumFractionDigits: NUMBER_DECIMALS_MAX }).format(value);

/** The same with its unit, where it has one: `12.5 km`. */
export const amountWords = (value: number, { unit }: Pick<NumberAsk, 'unit'>): string =>
  unit === '' ? exactNumber(value) : m.kinds_amount({ value: exactNumber(value), unit });

/** What is asked for: its bounds and decimals. */
export function boundsWords(ask: NumberAsk): string {
  const { min, max, decimals } = ask;
  const digits =
    decimals === 0 ? m.kinds_number_any() : m.kinds_number_digits({ count: decimals, n: exactNumber(decimals) });
  return `${rangeWords(ask, min, max)} ${digits}`.trim();
}

function rangeWords(ask: NumberAsk, min: number | null, max: number | null): string {
  if (min !== null && max !== null)
    return m.kinds_number_between({ min: exactNumber(min), max: amountWords(max, ask) });
  if (min !== null) return m.kinds_number_from({ min: amountWords(min, ask) });
  return max === null ? '' : m.kinds_number_until({ max: amountWords(max, ask) });
}
