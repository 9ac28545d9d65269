import { m } from '../../../paraglide/messages.js';
import { calculator, number } from '../calculator.ts';
import { Decimal, ZERO } from '../decimal.ts';
import { percent, price, quantity, shortPercent, usd } from '../shown.ts';

const PRICE = { unit: m.calc_usd, from: '0', to: '1e18', above: true } as const;

/** Tokens per dollar, buying at evenly spaced prices between two. */
function tokensPerDollar(first: Decimal, last: Decimal, count: number): Decimal {
  let sum = ZERO;
  for (let at = 0; at < count; at += 1) {
    const way = count === 1 ? ZERO : new Decimal(at).div(count - 1);
    sum = sum.plus(new Decimal(1).div(first.plus(last.minus(first).times(way))));
  }
  return sum;
}

/** The chart varies only today's price, so the last sum is cached. */
let cached: { key: string; sum: Decimal } | null = null;
function remembered(first: Decimal, last: Decimal, count: number): Decimal {
  const key = `${first} ${last} ${count} ${Decimal.precision}`;
  if (cached?.key !== key) cached = { key, sum: tokensPerDollar(first, last, count) };
  return cached.sum;
}

export const costAveraging = calculator({
  id: 'cost-averaging',
  name: m.calc_dca,
  line: m.calc_dca_line,
  lead: m.calc_dca_lead,
  inputs: {
    each: number({ label: m.calc_dca_each, ...PRICE, initial: '100', beside: true }),
    count: number({ label: m.calc_dca_count, initial: '12', from: '1', to: '1000', whole: true }),
    first: number({ label: m.calc_dca_first, ...PRICE, initial: '2000', beside: true }),
    last: number({ label: m.calc_dca_last, ...PRICE, initial: '4000' }),
    now: number({ label: m.calc_price_now, ...PRICE, initial: '3000' }),
  },
  figures({ each, count, first, last, now }) {
    const spent = each.times(count);
    const tokens = each.times(remembered(first, last, count.toNumber()));
    const worth = tokens.times(now);
    const atOnce = spent.div(first);
    return {
      spent,
      tokens,
      average: spent.div(tokens),
      worth,
      gain: worth.div(spent).minus(1),
      // The result of buying everything on the first day.
      atOnce,
      against: tokens.div(atOnce).minus(1),
    };
  },
  result: ({ spent, tokens, average, worth, gain, atOnce }, { now }) => ({
    label: m.calc_dca_average(),
    main: price(average),
    sentence: gain.gte(0)
      ? m.calc_dca_up({ spent: usd(spent), worth: usd(worth), change: percent(gain) })
      : m.calc_dca_down({ spent: usd(spent), worth: usd(worth), change: percent(gain.abs()) }),
    parts: [
      { label: m.calc_dca_tokens(), value: quantity(tokens, 6) },
      { label: m.calc_dca_worth(), value: usd(worth) },
      { label: m.calc_dca_at_once(), value: usd(atOnce.times(now)) },
    ],
  }),
  formula: () => 'n ÷ (1 ÷ p₁ + 1 ÷ p₂ + … + 1 ÷ pₙ)',
  letters: m.calc_dca_letters,
  worked: ({ spent, tokens, average }) => `${quantity(spent)} ÷ ${quantity(tokens, 7)} = ${quantity(average, 7)}`,
  source: () => ({
    title: 'Investor.gov, Dollar cost averaging',
    url: 'https://www.investor.gov/introduction-investing/investing-basics/glossary/dollar-cost-averaging',
  }),
  example: { values: { each: '100', count: '2', first: '2000', last: '4000', now: '3000' }, main: '2,666.67\u00a0USD' },
  chart: {
    title: m.calc_dca_chart,
    input: 'now',
    axis: m.calc_price_now,
    scale: 'linear',
    range: ({ first, last }) => ({
      from: Decimal.min(first, last).div(4),
      to: Decimal.max(first, last).times('1.5'),
    }),
    height: ({ gain }) => gain,
    heightName: m.calc_dca_gain,
    level: { at: '0', label: m.calc_dca_level },
    inputWords: price,
    heightWords: percent,
    markAcross: (now) => quantity(now, 4),
    markHeight: shortPercent,
  },
  priceInput: 'now',
});
