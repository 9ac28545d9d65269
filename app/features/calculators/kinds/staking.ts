import { m } from '../../../paraglide/messages.js';
import { calculator, choice, number } from '../calculator.ts';
import { Decimal, ONE, part } from '../decimal.ts';
import { percent, quantity, usd } from '../shown.ts';

const DAYS = 365;

export const staking = calculator({
  id: 'staking',
  name: m.calc_stake,
  line: m.calc_stake_line,
  lead: m.calc_stake_lead,
  inputs: {
    rewards: choice({
      label: m.calc_stake_rewards,
      options: [
        { value: 'restaked', label: m.calc_stake_restaked },
        { value: 'paid', label: m.calc_stake_paid },
      ],
      initial: 'restaked',
    }),
    tokens: number({ label: m.calc_stake_tokens, initial: '32', from: '0', to: '1e18', above: true, beside: true }),
    price: number({ label: m.calc_price_now, unit: m.calc_usd, initial: '3000', from: '0', to: '1e18' }),
    rate: number({
      label: m.calc_stake_rate,
      unit: m.calc_percent,
      initial: '4',
      from: '0',
      to: '10000',
      beside: true,
    }),
    commission: number({ label: m.calc_stake_commission, unit: m.calc_percent, initial: '10', from: '0', to: '100' }),
    days: number({ label: m.calc_days, initial: '365', from: '1', to: '36500', whole: true, beside: true }),
    supply: number({ label: m.calc_stake_supply, unit: m.calc_percent, initial: '0', from: '0', to: '10000' }),
  },
  figures({ rewards, tokens, price, rate, commission, days, supply }) {
    const net = part(rate).times(ONE.minus(part(commission)));
    const years = days.div(DAYS);
    const growth = rewards === 'restaked' ? net.div(DAYS).plus(1).pow(days).minus(1) : net.times(years);
    const earned = tokens.times(growth);
    return {
      net,
      growth,
      earned,
      total: tokens.plus(earned),
      worth: earned.times(price),
      // A holder's share of the supply grows only by what they gain on other holders.
      share: growth.plus(1).div(part(supply).plus(1).pow(years)).minus(1),
    };
  },
  result: ({ net, growth, earned, total, worth, share }, { days, price }) => ({
    label: m.calc_stake_earned(),
    main: quantity(earned, 6),
    sentence: m.calc_stake_sentence({
      growth: percent(growth),
      days: quantity(days),
      worth: usd(worth),
      price: usd(price),
    }),
    parts: [
      { label: m.calc_stake_total(), value: quantity(total, 8) },
      { label: m.calc_stake_net(), value: percent(net) },
      { label: m.calc_stake_share(), value: percent(share) },
    ],
  }),
  formula: ({ rewards }) =>
    rewards === 'restaked' ? 's × ((1 + r × (1 − c) ÷ 365)ᵈ − 1)' : 's × r × (1 − c) × d ÷ 365',
  letters: m.calc_stake_letters,
  worked({ earned }, { rewards, tokens, rate, commission, days }) {
    const s = quantity(tokens);
    const net = `${quantity(part(rate), 6)} × (1 − ${quantity(part(commission), 6)})`;
    const d = quantity(days);
    const found = quantity(earned, 7);
    return rewards === 'restaked'
      ? `${s} × ((1 + ${net} ÷ 365)^${d} − 1) = ${found}`
      : `${s} × ${net} × ${d} ÷ 365 = ${found}`;
  },
  source: () => ({
    title: 'Cosmos SDK documentation, x/distribution: commission and rewards',
    url: 'https://docs.cosmos.network/sdk/latest/modules/distribution',
  }),
  example: {
    values: { rewards: 'paid', tokens: '100', price: '10', rate: '5', commission: '10', days: '365' },
    main: '4.5',
  },
  chart: {
    title: m.calc_stake_chart,
    input: 'days',
    axis: m.calc_days,
    scale: 'linear',
    range: ({ days }) => ({ from: ONE, to: Decimal.min(36_500, Decimal.max(DAYS, days.times(2))) }),
    height: ({ earned }) => earned,
    heightName: m.calc_stake_earned,
    inputWords: (days) => m.calc_days_count({ days: quantity(days) }),
    heightWords: (earned) => quantity(earned, 4),
    markAcross: (days) => quantity(days, 4),
  },
  priceInput: 'price',
});
