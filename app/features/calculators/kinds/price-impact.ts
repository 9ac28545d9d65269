import { m } from '../../../paraglide/messages.js';
import { calculator, number } from '../calculator.ts';
import { ONE, part } from '../decimal.ts';
import { percent, quantity, shortPercent } from '../shown.ts';

const TOKENS = { from: '0', to: '1e18', above: true } as const;

export const priceImpact = calculator({
  id: 'price-impact',
  name: m.calc_impact,
  line: m.calc_impact_line,
  lead: m.calc_impact_lead,
  inputs: {
    amount: number({ label: m.calc_impact_amount, ...TOKENS, initial: '10', beside: true }),
    fee: number({ label: m.calc_fee, unit: m.calc_percent, initial: '0.3', from: '0', to: '99.99' }),
    reserveIn: number({ label: m.calc_impact_in, ...TOKENS, initial: '1000', beside: true }),
    reserveOut: number({ label: m.calc_impact_out, ...TOKENS, initial: '3000000' }),
  },
  figures({ amount, fee, reserveIn, reserveOut }) {
    const net = amount.times(ONE.minus(part(fee)));
    const received = reserveOut.times(net).div(reserveIn.plus(net));
    const before = reserveOut.div(reserveIn);
    return {
      received,
      before,
      average: received.div(amount),
      impact: net.div(reserveIn.plus(net)),
      // Compared with the price before: fee and impact together.
      lost: ONE.minus(received.div(amount).div(before)),
      after: reserveOut.minus(received).div(reserveIn.plus(amount)),
    };
  },
  result: ({ received, before, average, impact, lost, after }, { amount }) => ({
    label: m.calc_impact_impact(),
    main: percent(impact),
    sentence: m.calc_impact_sentence({ amount: quantity(amount, 6), received: quantity(received, 8) }),
    parts: [
      { label: m.calc_impact_average(), value: quantity(average, 6) },
      { label: m.calc_impact_before(), value: quantity(before, 6) },
      { label: m.calc_impact_after(), value: quantity(after, 6) },
      { label: m.calc_impact_lost(), value: percent(lost) },
    ],
  }),
  formula: () => 'a (1 − f) ÷ (x + a (1 − f))',
  letters: m.calc_impact_letters,
  worked({ impact }, { amount, fee, reserveIn }) {
    const net = `${quantity(amount)} × ${quantity(ONE.minus(part(fee)))}`;
    return `${net} ÷ (${quantity(reserveIn)} + ${net}) = ${quantity(impact, 5)}`;
  },
  source: () => ({
    title: 'Uniswap v2 periphery, UniswapV2Library.getAmountOut',
    url: 'https://github.com/Uniswap/v2-periphery/blob/master/contracts/libraries/UniswapV2Library.sol',
  }),
  example: {
    values: { amount: '100', fee: '0', reserveIn: '900', reserveOut: '900' },
    main: '10.00\u00a0%',
  },
  chart: {
    title: m.calc_impact_chart,
    input: 'amount',
    axis: m.calc_impact_amount,
    scale: 'log',
    range: ({ reserveIn }) => ({ from: reserveIn.div(1000), to: reserveIn.times(2) }),
    height: ({ impact }) => impact,
    heightName: m.calc_impact_impact,
    inputWords: (amount) => quantity(amount, 4),
    heightWords: percent,
    markHeight: shortPercent,
  },
});
