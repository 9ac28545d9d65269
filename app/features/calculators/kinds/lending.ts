import { m } from '../../../paraglide/messages.js';
import { calculator, number } from '../calculator.ts';
import { part, ZERO } from '../decimal.ts';
import { percent, price, quantity, shortPercent, usd } from '../shown.ts';

export const lending = calculator({
  id: 'lending',
  name: m.calc_lend,
  line: m.calc_lend_line,
  lead: m.calc_lend_lead,
  inputs: {
    tokens: number({ label: m.calc_lend_tokens, initial: '2', from: '0', to: '1e18', above: true, beside: true }),
    price: number({ label: m.calc_price_now, unit: m.calc_usd, initial: '3000', from: '0', to: '1e18', above: true }),
    threshold: number({
      label: m.calc_lend_threshold,
      unit: m.calc_percent,
      hint: m.calc_lend_threshold_hint,
      initial: '80',
      from: '0',
      to: '100',
      above: true,
    }),
    debt: number({ label: m.calc_lend_debt, unit: m.calc_usd, initial: '3000', from: '0', to: '1e18' }),
  },
  figures({ tokens, price: now, threshold, debt }) {
    const value = tokens.times(now);
    const limit = value.times(part(threshold));
    if (debt.isZero()) return { value, health: null, liquidation: null, fall: null, used: ZERO, left: limit };
    const liquidation = debt.div(tokens.times(part(threshold)));
    return {
      value,
      health: limit.div(debt),
      liquidation,
      fall: liquidation.div(now).minus(1),
      used: debt.div(value),
      left: limit.minus(debt),
    };
  },
  result({ value, health, liquidation, fall, used, left }) {
    const isSafe = health === null || liquidation === null || fall === null;
    const words = () => {
      if (isSafe) return m.calc_lend_no_debt();
      if (health.lt(1)) return m.calc_lend_now({ price: price(liquidation) });
      if (health.eq(1)) return m.calc_lend_edge();
      return m.calc_lend_sentence({ price: price(liquidation), fall: shortPercent(fall.abs()) });
    };
    return {
      label: m.calc_lend_health(),
      main: isSafe ? m.calc_lend_none() : quantity(health, 4),
      sentence: words(),
      parts: [
        { label: m.calc_lend_liquidation(), value: liquidation === null ? m.calc_lend_none() : price(liquidation) },
        { label: m.calc_lend_value(), value: usd(value) },
        { label: m.calc_lend_used(), value: percent(used) },
        { label: m.calc_lend_left(), value: usd(left) },
      ],
    };
  },
  formula: () => 'c × p × t ÷ d',
  letters: m.calc_lend_letters,
  worked: ({ health }, { tokens, price: now, threshold, debt }) =>
    health === null
      ? m.calc_lend_no_debt()
      : `${quantity(tokens)} × ${quantity(now)} × ${quantity(part(threshold))} ÷ ${quantity(debt)} = ${quantity(health, 5)}`,
  source: () => ({
    title: 'Aave v3 documentation, Health factor',
    url: 'https://aave.com/docs/aave-v3/markets/health-factor',
  }),
  example: { values: { tokens: '2', price: '3000', threshold: '80', debt: '3000' }, main: '1.6' },
  chart: {
    title: m.calc_lend_chart,
    input: 'price',
    axis: m.calc_price_now,
    scale: 'linear',
    range: ({ price: now }) => ({ from: now.div(5), to: now.times('1.8') }),
    height: ({ health }) => health,
    heightName: m.calc_lend_health,
    level: { at: '1', label: m.calc_lend_level },
    inputWords: price,
    heightWords: (health) => quantity(health, 3),
    markAcross: (now) => quantity(now, 4),
  },
  priceInput: 'price',
});
