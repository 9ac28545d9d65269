import { Decimal as Plain } from 'decimal.js';

/**
 * Decimal arithmetic of all calculators, with sixty digits: after cancellation between nearly equal numbers (a loss of
 * a billionth, a yield compounded each second) far more than the promised twelve remain.
 */
const DIGITS = 60;
export const Decimal = Plain.clone({ precision: DIGITS, defaults: true });
export type Decimal = Plain;

export const ONE = new Decimal(1);
export const ZERO = new Decimal(0);
/** A percentage as a fraction of one. */
export const part = (percent: Decimal): Decimal => percent.div(100);

/** Charts are a few hundred pixels high and recalculate at each movement of a finger, so fewer digits do. */
const DRAWN_DIGITS = 18;
export function forDrawing<T>(calculate: () => T): T {
  Decimal.set({ precision: DRAWN_DIGITS });
  try {
    return calculate();
  } finally {
    Decimal.set({ precision: DIGITS });
  }
}
