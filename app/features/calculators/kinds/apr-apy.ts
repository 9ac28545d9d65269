import { m } from '../../../paraglide/messages.js';
import { calculator, choice, number } from '../calculator.ts';
import { Decimal, ONE, part, ZERO } from '../decimal.ts';
import { percent, quantity, shortPercent, usd } from '../shown.ts';

/** The yearly yield with interest compounded this often. Pure, shared by test and chart. */
const yieldOf = (apr: Decimal, times: Decimal): Decimal => apr.div(times).plus(1).pow(times).minus(1);
const rateOf = (apy: Decimal, times: Decimal): Decimal => apy.plus(1).pow(ONE.div(times)).minus(1).times(times);

export const aprApy = calculator({
  id: 'apr-apy',
  name: m.calc_apr,
  line: m.calc_apr_line,
  lead: m.calc_apr_lead,
  inputs: {
    from: choice({
      label: m.calc_apr_from,
      options: [
        { value: 'apr', label: m.calc_apr_to_apy },
        { value: 'apy', label: m.calc_apy_to_apr },
      ],
      initial: 'apr',
    }),
    rate: number({ label: m.calc_apr_rate, unit: m.calc_percent, initial: '12', from: '0', to: '1000000' }),
    times: number({
      label: m.calc_apr_times,
      hint: m.calc_apr_times_hint,
      initial: '365',
      from: '1',
      to: '31536000',
      whole: true,
    }),
    in: number({ label: m.calc_you_put_in, unit: m.calc_usd, initial: '1000', from: '0', to: '1e18' }),
  },
  figures({ from, rate, times, in: deposit }) {
    const given = part(rate);
    const apr = from === 'apr' ? given : rateOf(given, times);
    const apy = from === 'apr' ? yieldOf(given, times) : given;
    return { apr, apy, gained: deposit.times(apy), simple: deposit.times(apr), more: apy.minus(apr) };
  },
  result: ({ apr, apy, gained, simple }, { from, in: deposit }) => ({
    label: from === 'apr' ? m.calc_apr_apy() : m.calc_apr_apr(),
    main: percent(from === 'apr' ? apy : apr),
    sentence: m.calc_apr_sentence({ amount: usd(deposit.plus(gained)), gained: usd(gained) }),
    parts: [
      { label: m.calc_apr_apr(), value: percent(apr) },
      { label: m.calc_apr_apy(), value: percent(apy) },
      { label: m.calc_apr_compounding(), value: usd(gained.minus(simple)) },
    ],
  }),
  formula: ({ from }) => (from === 'apr' ? 'APY = (1 + APR ÷ n)ⁿ − 1' : 'APR = n × ((1 + APY)^(1 ÷ n) − 1)'),
  letters: m.calc_apr_letters,
  worked({ apr, apy }, { from, times }) {
    const n = quantity(times);
    if (from === 'apr') return `(1 + ${quantity(apr, 6)} ÷ ${n})^${n} − 1 = ${quantity(apy, 6)}`;
    return `${n} × ((1 + ${quantity(apy, 6)})^(1 ÷ ${n}) − 1) = ${quantity(apr, 6)}`;
  },
  source: () => ({
    title: 'Regulation DD (12 CFR 1030), Appendix A: annual percentage yield',
    url: 'https://www.consumerfinance.gov/rules-policy/regulations/1030/a/',
  }),
  example: { values: { from: 'apr', rate: '12', times: '12', in: '1000' }, main: '12.68\u00a0%' },
  chart: {
    title: m.calc_apr_chart,
    input: 'rate',
    axis: m.calc_apr_rate,
    scale: 'linear',
    range: ({ rate }) => ({ from: ZERO, to: Decimal.min(1_000_000, Decimal.max(20, rate.times(2))) }),
    height: ({ apr, apy }) => apy.minus(apr),
    heightName: m.calc_apr_height,
    inputWords: (rate) => shortPercent(part(rate)),
    heightWords: percent,
    markHeight: shortPercent,
  },
});
