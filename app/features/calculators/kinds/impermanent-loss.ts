import { m } from '../../../paraglide/messages.js';
import { calculator, choice, number } from '../calculator.ts';
import { Decimal, ONE } from '../decimal.ts';
import { money, percent, quantity, shortPercent, usd } from '../shown.ts';

const PRICE = { unit: m.calc_usd, from: '0', to: '1e18', above: true } as const;
const within = (value: Decimal, low: Decimal, high: Decimal) => Decimal.min(Decimal.max(value, low), high);

/** Token amounts for one unit of liquidity at a price, by square roots, within its range. */
function holdings(price: Decimal, low: Decimal, high: Decimal): { tokens: Decimal; dollars: Decimal } {
  const root = within(price, low, high).sqrt();
  return { tokens: ONE.div(root).minus(ONE.div(high.sqrt())), dollars: root.minus(low.sqrt()) };
}

/** A full-range pool: equal value of both tokens, with a constant product. */
function fullRange(deposit: Decimal, was: Decimal, now: Decimal) {
  const ratio = now.div(was);
  const root = ratio.sqrt();
  return {
    ratio,
    loss: root.times(2).div(ratio.plus(1)).minus(1),
    held: deposit.times(ratio.plus(1)).div(2),
    pooled: deposit.times(root),
    concentration: ONE,
  };
}

/** A price range; outside it the position is one token only. */
function concentrated(deposit: Decimal, was: Decimal, now: Decimal, [low, high]: [Decimal, Decimal]) {
  const start = holdings(was, low, high);
  const end = holdings(now, low, high);
  const scale = deposit.div(start.tokens.times(was).plus(start.dollars));
  const held = start.tokens.times(now).plus(start.dollars).times(scale);
  const pooled = end.tokens.times(now).plus(end.dollars).times(scale);
  return {
    ratio: now.div(was),
    loss: pooled.div(held).minus(1),
    held,
    pooled,
    // A full-range pool of the same liquidity is worth twice the square root of the price.
    concentration: was.sqrt().times(2).times(scale).div(deposit),
  };
}

const MARKS = ['0.25', '0.5', '1', '2', '4'].map((ratio) => new Decimal(ratio));
const STOPS = ['0.25', '0.5', '0.8', '1', '1.25', '1.5', '2', '4'].map((ratio) => new Decimal(ratio));

export const impermanentLoss = calculator({
  id: 'impermanent-loss',
  name: m.calc_il,
  line: m.calc_il_line,
  lead: m.calc_il_lead,
  inputs: {
    kind: choice({
      label: m.calc_il_kind,
      options: [
        { value: 'full', label: m.calc_il_full },
        { value: 'concentrated', label: m.calc_il_concentrated },
      ],
      initial: 'full',
    }),
    in: number({ label: m.calc_you_put_in, ...PRICE, initial: '1000' }),
    was: number({ label: m.calc_il_then, ...PRICE, initial: '2000', beside: true }),
    now: number({ label: m.calc_il_now, ...PRICE, initial: '3000' }),
    low: number({
      label: m.calc_il_low,
      ...PRICE,
      initial: '1500',
      beside: true,
      when: { choice: 'kind', is: 'concentrated' },
    }),
    high: number({ label: m.calc_il_high, ...PRICE, initial: '4000', when: { choice: 'kind', is: 'concentrated' } }),
  },
  conflict: ({ kind, low, high }) =>
    kind === 'concentrated' && high.lte(low) ? { input: 'high', problem: m.calc_il_range_wrong() } : null,
  figures({ kind, in: deposit, was, now, low, high }) {
    const found = kind === 'full' ? fullRange(deposit, was, now) : concentrated(deposit, was, now, [low, high]);
    return { ...found, difference: found.pooled.minus(found.held), fees: found.held.div(found.pooled).minus(1) };
  },
  result: ({ loss, held, pooled, difference, fees, concentration }, { kind }) => ({
    label: m.calc_il_compared(),
    main: percent(loss),
    sentence: difference.isZero() ? m.calc_il_same() : m.calc_il_less({ amount: usd(difference.abs()) }),
    parts: [
      { label: m.calc_il_held(), value: money(held) },
      { label: m.calc_il_pooled(), value: money(pooled) },
      { label: m.calc_il_fees(), value: percent(fees) },
      ...(kind === 'full' ? [] : [{ label: m.calc_il_concentration(), value: `× ${quantity(concentration, 4)}` }]),
    ],
  }),
  note({ ratio }, { kind, now, low, high }) {
    const words = ratio.eq(1) ? m.calc_il_same_price() : m.calc_il_times({ times: quantity(ratio, 4) });
    return kind === 'concentrated' && (now.lt(low) || now.gt(high)) ? `${words}. ${m.calc_il_outside()}` : words;
  },
  formula: ({ kind }) => (kind === 'full' ? '2√r ÷ (1 + r) − 1' : 'V(P) = P (1 ÷ √P′ − 1 ÷ √b) + √P′ − √a'),
  letters: ({ kind }) => (kind === 'full' ? m.calc_il_letters() : m.calc_il_letters_range()),
  worked({ ratio, loss, held, pooled }, { kind, was, now }) {
    if (kind === 'concentrated') return `${money(pooled)} ÷ ${money(held)} − 1 = ${quantity(loss, 4)}`;
    const r = quantity(ratio, 5);
    const root = quantity(ratio.sqrt(), 5);
    return `r = ${quantity(now)} ÷ ${quantity(was)} = ${r}: 2 × ${root} ÷ ${quantity(ratio.plus(1), 5)} − 1 = ${quantity(loss, 4)}`;
  },
  source: ({ kind }) =>
    kind === 'full'
      ? {
          title: 'Uniswap v2 documentation, Understanding returns',
          url: 'https://docs.uniswap.org/contracts/v2/concepts/advanced-topics/understanding-returns',
        }
      : { title: 'Uniswap v3 Core, section 2', url: 'https://uniswap.org/whitepaper-v3.pdf' },
  example: { values: { in: '1000', was: '2000', now: '3000' }, main: '−2.02\u00a0%' },
  chart: {
    title: m.calc_il_chart,
    input: 'now',
    axis: m.calc_il_axis,
    scale: 'log',
    range: ({ was }) => ({ from: was.div(5), to: was.times(5) }),
    marks: ({ was }) => MARKS.map((ratio) => was.times(ratio)),
    stops: ({ was }) => STOPS.map((ratio) => was.times(ratio)),
    height: ({ loss }) => loss,
    heightName: m.calc_il_height,
    inputWords: (now, { was }) => `× ${quantity(now.div(was), 3)}`,
    heightWords: percent,
    markAcross(now, { was }) {
      const ratio = now.div(was);
      return ratio.eq(1) ? m.calc_il_mark() : `× ${quantity(ratio, 3)}`;
    },
    markHeight: shortPercent,
  },
  priceInput: 'now',
});
