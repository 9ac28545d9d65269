import { m } from '../../../paraglide/messages.js';
import { calculator, number } from '../calculator.ts';
import { Decimal, ZERO } from '../decimal.ts';
import { quantity, usd } from '../shown.ts';

const GWEI = new Decimal('1e-9');
/** The base fee rises by an eighth at most from block to block (EIP-1559). */
const NEXT_BLOCK = new Decimal('1.125');

export const gasCost = calculator({
  id: 'gas-cost',
  name: m.calc_gas,
  line: m.calc_gas_line,
  lead: m.calc_gas_lead,
  inputs: {
    gas: number({
      label: m.calc_gas_units,
      hint: m.calc_gas_units_hint,
      initial: '21000',
      from: '1',
      to: '1000000000',
      whole: true,
    }),
    base: number({ label: m.calc_gas_base, unit: m.calc_gwei, initial: '20', from: '0', to: '1e12', beside: true }),
    tip: number({ label: m.calc_gas_tip, unit: m.calc_gwei, initial: '1', from: '0', to: '1e12' }),
    price: number({ label: m.calc_gas_price, unit: m.calc_usd, initial: '3000', from: '0', to: '1e18', beside: true }),
    count: number({ label: m.calc_gas_count, initial: '1', from: '1', to: '1000000000', whole: true }),
  },
  figures({ gas, base, tip, price, count }) {
    const each = gas.times(base.plus(tip)).times(GWEI);
    const total = each.times(count);
    return {
      each,
      total,
      cost: total.times(price),
      burnt: gas.times(base).times(GWEI).times(count),
      next: gas.times(base.times(NEXT_BLOCK).plus(tip)).times(GWEI).times(count).times(price),
    };
  },
  result: ({ each, total, cost, burnt, next }, { count }) => ({
    label: m.calc_gas_cost(),
    main: usd(cost),
    sentence: count.eq(1)
      ? m.calc_gas_one({ eth: quantity(total, 6) })
      : m.calc_gas_many({ eth: quantity(total, 6), count: quantity(count) }),
    parts: [
      { label: m.calc_gas_each(), value: quantity(each, 6) },
      { label: m.calc_gas_burnt(), value: quantity(burnt, 6) },
      { label: m.calc_gas_next(), value: usd(next) },
    ],
  }),
  formula: () => 'g × (b + t) ÷ 10⁹ × p',
  letters: m.calc_gas_letters,
  worked: ({ each }, { gas, base, tip, price }) =>
    `${quantity(gas)} × (${quantity(base)} + ${quantity(tip)}) ÷ 10⁹ × ${quantity(price)} = ${quantity(each.times(price), 6)}`,
  source: () => ({
    title: 'ethereum.org, Gas and fees',
    url: 'https://ethereum.org/en/developers/docs/gas/',
  }),
  example: { values: { gas: '21000', base: '10', tip: '2', price: '2000', count: '1' }, main: '0.50\u00a0USD' },
  chart: {
    title: m.calc_gas_chart,
    input: 'base',
    axis: m.calc_gas_base,
    scale: 'linear',
    range: ({ base }) => ({ from: ZERO, to: Decimal.min('1e12', Decimal.max(50, base.times(2))) }),
    height: ({ cost }) => cost,
    heightName: m.calc_gas_cost,
    inputWords: (base) => `${quantity(base, 4)}\u00a0gwei`,
    heightWords: usd,
    markAcross: (base) => quantity(base, 4),
    markHeight: (cost) => quantity(cost, 4),
  },
  priceInput: 'price',
});
