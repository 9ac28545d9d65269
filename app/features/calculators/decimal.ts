import { Decimal as Plain } from 'decimal.js';

/**
 * Decimal arithmetic of all calculators. Sixty digits: what differences of nearly equal numbers lose (a loss of a billionth, a
 * yield compounded each second) leaves far more than the twelve digits that are promised.
 */
const DIGITS = 60;
export const Decimal = Plain.clone({ precision: DIGITS, defaults: true });
export type Decimal = Plain;

export const ONE = new Decimal(1);
export const ZERO = new Decimal(0);
/** A percentage as people write it, as a part of one. */
export const part = (percent: Decimal): Decimal => percent.div(100);

/** What is drawn a few hundred pixels high needs fewer digits, and is calculated at every movement of a finger. */
const DRAWN_DIGITS = 18;
export function forDrawing<T>(calculate: () => T): T {
  Decimal.set({ precision: DRAWN_DIGITS });
  try {
    return calculate();
  } finally {
    Decimal.set({ precision: DIGITS });
  }
}
