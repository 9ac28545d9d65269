/** Formats decimals for people: never `NaN`, never forty digits. */
import { regional } from '../../lib/format.ts';
import { Decimal } from './decimal.ts';

/** Larger numbers are written as a power of ten. */
const HUGE = new Decimal('1e13');
const TINY = new Decimal('1e-9');
const CENT = new Decimal('0.01');
const SMALL_DIGITS = 4;

const formats = new Map<string, Intl.NumberFormat>();
/** A browser number is exact for fewer than fifteen digits, and no more are requested. */
function write(value: Decimal, digits: { least: number; most: number }): string {
  const key = `${regional()} ${digits.least} ${digits.most}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(regional(), { minimumFractionDigits: digits.least, maximumFractionDigits: digits.most });
  formats.set(key, format);
  return format.format(Number(value.toFixed(digits.most))).replace('-', '−');
}

/** `1.235 × 10^21` */
function power(value: Decimal): string {
  const rounded = value.toSignificantDigits(SMALL_DIGITS);
  const factor = rounded.div(new Decimal(10).pow(rounded.e));
  return `${write(factor, { least: 0, most: 3 })} × 10^${String(rounded.e).replace('-', '−')}`;
}

/** Decimals needed to show this many significant digits. */
const decimalsFor = (value: Decimal, digits: number): number => Math.min(20, Math.max(0, digits - 1 - value.e));

function extreme(value: Decimal): string | null {
  if (value.isZero()) return null;
  return value.abs().gte(HUGE) || value.abs().lt(TINY) ? power(value) : null;
}

/** Money: two decimals; below a cent, four significant digits. */
export function money(value: Decimal): string {
  const far = extreme(value);
  if (far !== null) return far;
  if (value.isZero() || value.abs().gte(CENT)) return write(value, { least: 2, most: 2 });
  return write(value, { least: 0, most: decimalsFor(value, SMALL_DIGITS) });
}

/** A quantity with up to this many digits, without trailing zeros. */
export function quantity(value: Decimal, digits = 8): string {
  const far = extreme(value);
  if (far !== null) return far;
  if (value.isZero()) return write(value, { least: 0, most: 0 });
  return write(value, { least: 0, most: decimalsFor(value, digits) });
}

/** A fraction as a percentage: two decimals; below a hundredth, four significant digits. */
export const percent = (value: Decimal): string => `${money(value.times(100))}\u00a0%`;
/** As `percent`, without trailing zeros. */
export const shortPercent = (value: Decimal): string => `${quantity(value.times(100), SMALL_DIGITS)}\u00a0%`;

export const usd = (value: Decimal): string => `${money(value)}\u00a0USD`;
/** A price: whole cents as money, else up to six digits. */
export const price = (value: Decimal): string => `${quantity(value, value.abs().gte(10_000) ? 8 : 6)}\u00a0USD`;
