import { m } from '../../../paraglide/messages.js';
import { calculator, number } from '../calculator.ts';
import { part } from '../decimal.ts';
import { quantity, usd } from '../shown.ts';

const PRICE = { unit: m.calc_usd, from: '0', to: '1e18', above: true } as const;

export const positionSize = calculator({
  id: 'position-size',
  name: m.calc_size,
  line: m.calc_size_line,
  lead: m.calc_size_lead,
  inputs: {
    account: number({ label: m.calc_size_account, ...PRICE, initial: '10000', beside: true }),
    risk: number({ label: m.calc_size_risk, unit: m.calc_percent, initial: '1', from: '0', to: '100', above: true }),
    entry: number({ label: m.calc_size_entry, ...PRICE, initial: '3000', beside: true }),
    stop: number({ label: m.calc_size_stop, ...PRICE, initial: '2850' }),
    target: number({ label: m.calc_size_target, ...PRICE, initial: '3450', beside: true }),
    fee: number({ label: m.calc_size_fee, unit: m.calc_percent, initial: '0.1', from: '0', to: '50' }),
  },
  conflict({ entry, stop, target }) {
    if (entry.eq(stop)) return { input: 'stop', problem: m.calc_size_stop_wrong() };
    if (stop.lt(entry) === target.gt(entry) && !target.eq(entry)) return null;
    return { input: 'target', problem: stop.lt(entry) ? m.calc_size_target_above() : m.calc_size_target_below() };
  },
  figures({ account, risk, entry, stop, target, fee }) {
    const atRisk = account.times(part(risk));
    const feesTo = (exit: typeof stop) => entry.plus(exit).times(part(fee));
    const lossEach = entry.minus(stop).abs().plus(feesTo(stop));
    const tokens = atRisk.div(lossEach);
    const gainEach = target.minus(entry).abs().minus(feesTo(target));
    return {
      atRisk,
      lossEach,
      tokens,
      size: tokens.times(entry),
      leverage: tokens.times(entry).div(account),
      gain: tokens.times(gainEach),
      reward: gainEach.div(lossEach),
    };
  },
  result: ({ atRisk, tokens, size, leverage, gain, reward }, { entry, stop }) => ({
    label: stop.lt(entry) ? m.calc_size_buy() : m.calc_size_sell(),
    main: quantity(tokens, 6),
    sentence: m.calc_size_sentence({ size: usd(size), risk: usd(atRisk) }),
    parts: [
      { label: m.calc_size_leverage(), value: `× ${quantity(leverage, 4)}` },
      { label: m.calc_size_gain(), value: usd(gain) },
      { label: m.calc_size_reward(), value: quantity(reward, 3) },
    ],
  }),
  formula: () => 'k × r ÷ (|e − s| + f × (e + s))',
  letters: m.calc_size_letters,
  worked: ({ tokens }, { account, risk, entry, stop, fee }) =>
    `${quantity(account)} × ${quantity(part(risk))} ÷ (|${quantity(entry)} − ${quantity(stop)}| + ${quantity(part(fee))} × (${quantity(entry)} + ${quantity(stop)})) = ${quantity(tokens, 6)}`,
  source: () => ({
    title: 'CME Group, Proper position size',
    url: 'https://www.cmegroup.com/education/courses/trade-and-risk-management/proper-position-size.html',
  }),
  example: {
    values: { account: '10000', risk: '1', entry: '3000', stop: '2900', target: '3200', fee: '0' },
    main: '1',
  },
  chart: {
    title: m.calc_size_chart,
    input: 'stop',
    axis: m.calc_size_stop,
    scale: 'linear',
    range: ({ entry, stop }) =>
      stop.lt(entry)
        ? { from: entry.times('0.7'), to: entry.times('0.99') }
        : { from: entry.times('1.01'), to: entry.times('1.3') },
    height: ({ tokens }) => tokens,
    heightName: m.calc_size_tokens,
    inputWords: (stop) => usd(stop),
    heightWords: (tokens) => quantity(tokens, 4),
    markAcross: (stop) => quantity(stop, 4),
  },
  priceInput: 'entry',
});
