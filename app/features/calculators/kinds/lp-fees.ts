import { m } from '../../../paraglide/messages.js';
import { calculator, number } from '../calculator.ts';
import { Decimal, part } from '../decimal.ts';
import { money, percent, quantity, shortPercent, usd } from '../shown.ts';

const DAYS = 365;
const USD = { unit: m.calc_usd, from: '0', to: '1e18' } as const;

export const lpFees = calculator({
  id: 'lp-fees',
  name: m.calc_lp,
  line: m.calc_lp_line,
  lead: m.calc_lp_lead,
  inputs: {
    in: number({ label: m.calc_you_put_in, ...USD, above: true, initial: '1000' }),
    others: number({ label: m.calc_lp_others, ...USD, initial: '5000000' }),
    volume: number({ label: m.calc_lp_volume, ...USD, initial: '2000000' }),
    fee: number({ label: m.calc_fee, unit: m.calc_percent, initial: '0.3', from: '0', to: '100', beside: true }),
    days: number({ label: m.calc_days, initial: '30', from: '1', to: '36500', whole: true }),
  },
  figures({ in: deposit, others, volume, fee, days }) {
    const share = deposit.div(deposit.plus(others));
    const daily = volume.times(part(fee)).times(share);
    return { share, daily, earned: daily.times(days), apr: daily.times(DAYS).div(deposit) };
  },
  result: ({ share, daily, earned, apr }, { days }) => ({
    label: m.calc_lp_apr(),
    main: percent(apr),
    sentence: m.calc_lp_sentence({ amount: usd(earned), days: quantity(days) }),
    parts: [
      { label: m.calc_lp_share(), value: percent(share) },
      { label: m.calc_lp_daily(), value: money(daily) },
      { label: m.calc_lp_yearly(), value: money(daily.times(DAYS)) },
    ],
  }),
  formula: () => 'v × f × d ÷ (d + o) × 365 ÷ d',
  letters: m.calc_lp_letters,
  worked: ({ apr }, { in: deposit, others, volume, fee }) =>
    `${quantity(volume)} × ${quantity(part(fee))} × ${quantity(deposit)} ÷ (${quantity(deposit)} + ${quantity(others)}) × 365 ÷ ${quantity(deposit)} = ${quantity(apr, 5)}`,
  source: () => ({
    title: 'Uniswap v2 documentation, Fees',
    url: 'https://docs.uniswap.org/contracts/v2/concepts/advanced-topics/fees',
  }),
  example: {
    values: { in: '1000', others: '999000', volume: '500000', fee: '0.3', days: '30' },
    main: '54.75\u00a0%',
  },
  chart: {
    title: m.calc_lp_chart,
    input: 'in',
    axis: m.calc_you_put_in,
    scale: 'log',
    range: ({ in: deposit, others }) => ({
      from: deposit.div(100),
      to: Decimal.max(deposit.times(100), others.times(2)),
    }),
    height: ({ apr }) => apr,
    heightName: m.calc_lp_apr,
    inputWords: (deposit) => usd(deposit),
    heightWords: percent,
    markAcross: (deposit) => quantity(deposit, 2),
    markHeight: shortPercent,
  },
});
