import { m } from '../../paraglide/messages.js';
import { exactNumber } from '../../shared/tasks/evidence.ts';
import type { AskOf } from '../kind.ts';

/** A number with its unit, if any: `12.5 km`. */
export const amountWords = (value: number, { unit }: Pick<AskOf<'number'>, 'unit'>): string =>
  unit === '' ? exactNumber(value) : m.kinds_amount({ value: exactNumber(value), unit });

/** The allowed range and decimals. */
export function boundsWords(ask: AskOf<'number'>): string {
  const { min, max, decimals } = ask;
  const digits =
    decimals === 0 ? m.kinds_number_any() : m.kinds_number_digits({ count: decimals, n: exactNumber(decimals) });
  return `${rangeWords(ask, min, max)} ${digits}`.trim();
}

function rangeWords(ask: AskOf<'number'>, min: number | null, max: number | null): string {
  if (min !== null && max !== null)
    return m.kinds_number_between({ min: exactNumber(min), max: amountWords(max, ask) });
  if (min !== null) return m.kinds_number_from({ min: amountWords(min, ask) });
  return max === null ? '' : m.kinds_number_until({ max: amountWords(max, ask) });
}
