import { describe, expect, test } from 'vitest';
import type { AnyCalculator, Figures } from '../../app/features/calculators/calculator.ts';
import { calculatorOf } from '../../app/features/calculators/catalogue.ts';
import { Decimal } from '../../app/features/calculators/decimal.ts';
import { fc, runs } from '../support/chance.ts';

const named = (id: string): AnyCalculator => {
  const found = calculatorOf(id);
  if (!found) throw new Error(`no calculator ${id}`);
  return found;
};
/** Numbers that a property is not about stay as they are at first. */
function figures(id: string, given: Record<string, Decimal | string>): Figures {
  const calculator = named(id);
  const usual = Object.entries(calculator.inputs).map(([name, { kind, initial }]) => [
    name,
    kind === 'choice' ? initial : new Decimal(initial),
  ]);
  const values = { ...Object.fromEntries(usual), ...given };
  expect(calculator.conflict?.(values) ?? null).toBeNull();
  return calculator.figures(values);
}
const figure = (of: Figures, name: string): Decimal => {
  const found = of[name];
  if (!found) throw new Error(`no ${name}`);
  return found;
};
const isNear = (one: Decimal, other: Decimal, part = '1e-20') =>
  one.minus(other).abs().lte(Decimal.max(one.abs(), other.abs()).times(part).plus('1e-40'));

/** Decimals of any size between ten to the power of `least` and of `most`. */
const decimal = (least: number, most: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: least, max: most - 1 }))
    .map(([digits, exponent]) => new Decimal(`${digits}e${exponent - 8}`));
const price = decimal(-9, 9);

describe('APR and APY', () => {
  test('are each other’s inverse', () => {
    fc.assert(
      fc.property(decimal(-9, 4), fc.integer({ min: 1, max: 31_536_000 }), (rate, count) => {
        const times = new Decimal(count);
        const apy = figure(figures('apr-apy', { from: 'apr', rate, times }), 'apy').times(100);
        const back = figure(figures('apr-apy', { from: 'apy', rate: apy, times }), 'apr').times(100);
        expect(isNear(back, rate), `${rate} ${times}: ${back}`).toBe(true);
      }),
    );
  });
  test('the yield is never below the rate, and is the rate where interest is added once', () => {
    fc.assert(
      fc.property(decimal(-6, 4), fc.integer({ min: 1, max: 10_000 }), (rate, count) => {
        const { apr, apy } = figures('apr-apy', { from: 'apr', rate, times: new Decimal(count) });
        expect(count === 1 ? apy?.eq(apr ?? 0) : apy?.gt(apr ?? 0)).toBe(true);
      }),
    );
  });
});

describe('impermanent loss', () => {
  test('is never a gain', () => {
    fc.assert(
      fc.property(price, price, price, price, fc.constantFrom('full', 'concentrated'), (was, now, low, width, kind) => {
        const high = low.plus(width);
        fc.pre(high.gt(low));
        const { loss } = figures('impermanent-loss', { kind, was, now, low, high });
        // A position that is one token alone has lost nothing; sixty digits may not hold that nothing.
        expect(loss?.lte('1e-45'), String(loss)).toBe(true);
      }),
      { numRuns: runs(150) },
    );
  });
  test('is nothing at the price of then, and the same up as down', () => {
    fc.assert(
      fc.property(price, decimal(-3, 3), fc.constantFrom('full', 'concentrated'), (was, ratio, kind) => {
        const range = { kind, low: was.div(3), high: was.times(3) };
        expect(
          figure(figures('impermanent-loss', { was, now: was, ...range }), 'loss')
            .abs()
            .lte('1e-50'),
        ).toBe(true);
        const up = figure(figures('impermanent-loss', { was, now: was.times(ratio) }), 'loss');
        const down = figure(figures('impermanent-loss', { was, now: was.div(ratio) }), 'loss');
        expect(isNear(up, down)).toBe(true);
      }),
    );
  });
  test('of a range that grows comes to that of all prices', () => {
    fc.assert(
      fc.property(price, decimal(-2, 2), (was, ratio) => {
        const now = was.times(ratio);
        const whole = figure(figures('impermanent-loss', { was, now }), 'loss');
        let before: Decimal | null = null;
        for (const far of ['1e4', '1e8', '1e12', '1e16']) {
          const range = { kind: 'concentrated', low: was.div(far), high: was.times(far) };
          const apart = figure(figures('impermanent-loss', { was, now, ...range }), 'loss')
            .minus(whole)
            .abs();
          if (before) expect(apart.lte(before)).toBe(true);
          before = apart;
        }
        expect(before?.lte(whole.abs().times('1e-7').plus('1e-40'))).toBe(true);
      }),
    );
  });
});

describe('a loan', () => {
  test('is at its liquidation price exactly where its health is 1, and unhealthy below', () => {
    fc.assert(
      fc.property(price, price, decimal(-2, 1), price, (tokens, now, threshold, debt) => {
        const given = { tokens, threshold: threshold.times(10), debt };
        const at = figure(figures('lending', { ...given, price: now }), 'liquidation');
        const healthAt = (where: Decimal) => figure(figures('lending', { ...given, price: where }), 'health');
        expect(isNear(healthAt(at), new Decimal(1))).toBe(true);
        expect(healthAt(at.times('0.999')).lt(1) && healthAt(at.times('1.001')).gt(1)).toBe(true);
        const health = healthAt(now);
        if (!isNear(health, new Decimal(1))) expect(health.lt(1)).toBe(now.lt(at));
      }),
    );
  });
});

describe('a perpetual position', () => {
  test('has exactly its maintenance margin left at its liquidation price', () => {
    fc.assert(
      fc.property(
        price,
        decimal(0, 2),
        price,
        decimal(-2, 0),
        fc.constantFrom('long', 'short'),
        (margin, leverage, entry, maintenance, side) => {
          fc.pre(leverage.gte(1) && leverage.times(maintenance).lt(90));
          const { liquidation, tokens } = figures('perpetual', { side, margin, leverage, entry, maintenance });
          fc.pre(liquidation !== null && liquidation !== undefined && tokens !== null && tokens !== undefined);
          const moved = tokens.times(liquidation.minus(entry)).times(side === 'long' ? 1 : -1);
          const needed = tokens.times(liquidation).times(maintenance).div(100);
          expect(isNear(margin.plus(moved), needed)).toBe(true);
        },
      ),
    );
  });
});

describe('what else must hold', () => {
  test('buying little by little never costs more than the middle of the prices', () => {
    fc.assert(
      fc.property(price, price, fc.integer({ min: 1, max: 60 }), (first, last, count) => {
        const { average } = figures('cost-averaging', { first, last, count: new Decimal(count) });
        const middle = count === 1 ? first : first.plus(last).div(2);
        expect(average?.lte(middle.times('1.00000000000000000001'))).toBe(true);
      }),
    );
  });
  test('a swap without a fee leaves the product of the pool as it was, and never empties it', () => {
    fc.assert(
      fc.property(price, price, price, (amount, reserveIn, reserveOut) => {
        const { received } = figures('price-impact', { amount, reserveIn, reserveOut, fee: new Decimal(0) });
        expect(received?.lt(reserveOut)).toBe(true);
        const after = reserveOut.minus(received ?? 0).times(reserveIn.plus(amount));
        expect(isNear(after, reserveIn.times(reserveOut))).toBe(true);
      }),
    );
  });
  test('a position loses at its stop what it may lose', () => {
    fc.assert(
      fc.property(price, decimal(-2, 2), price, decimal(-3, -1), decimal(-3, 0), (account, risk, entry, away, fee) => {
        const stop = entry.times(new Decimal(1).minus(away));
        const { tokens, atRisk } = figures('position-size', {
          account,
          risk,
          entry,
          stop,
          target: entry.times(2),
          fee,
        });
        const lost = entry
          .minus(stop)
          .plus(entry.plus(stop).times(fee).div(100))
          .times(tokens ?? 0);
        expect(isNear(lost, atRisk ?? new Decimal(0))).toBe(true);
      }),
    );
  });
});
