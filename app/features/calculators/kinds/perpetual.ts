import { m } from '../../../paraglide/messages.js';
import { calculator, choice, number } from '../calculator.ts';
import { Decimal, ONE, part } from '../decimal.ts';
import { money, price, quantity, shortPercent, usd } from '../shown.ts';

/**
 * The price at which the remaining margin equals the maintenance margin.
 * @param own the remaining margin as a fraction of the position
 * @returns null when that price is not positive: such a position cannot be liquidated
 */
function liquidationOf(side: Decimal, entry: Decimal, own: Decimal, maintenanceRate: Decimal): Decimal | null {
  const moved = side.times(own.minus(maintenanceRate)).div(ONE.minus(side.times(maintenanceRate)));
  return moved.lt(1) ? entry.times(ONE.minus(moved)) : null;
}

export const perpetual = calculator({
  id: 'perpetual',
  name: m.calc_perp,
  line: m.calc_perp_line,
  lead: m.calc_perp_lead,
  inputs: {
    side: choice({
      label: m.calc_perp_side,
      options: [
        { value: 'long', label: m.calc_perp_long },
        { value: 'short', label: m.calc_perp_short },
      ],
      initial: 'long',
    }),
    margin: number({ label: m.calc_perp_margin, unit: m.calc_usd, initial: '500', from: '0', to: '1e18', above: true }),
    leverage: number({
      label: m.calc_perp_leverage,
      unit: m.calc_times,
      initial: '10',
      from: '1',
      to: '1000',
      beside: true,
    }),
    entry: number({ label: m.calc_perp_entry, unit: m.calc_usd, initial: '3000', from: '0', to: '1e18', above: true }),
    maintenance: number({
      label: m.calc_perp_maintenance,
      unit: m.calc_percent,
      hint: m.calc_perp_maintenance_hint,
      initial: '1',
      from: '0',
      to: '50',
    }),
    funding: number({
      label: m.calc_perp_funding,
      unit: m.calc_percent,
      initial: '0.01',
      from: '-100',
      to: '100',
      beside: true,
    }),
    payments: number({ label: m.calc_perp_payments, initial: '3', from: '0', to: '100000', whole: true }),
  },
  conflict: ({ leverage, maintenance }) =>
    leverage.times(part(maintenance)).gte(1)
      ? { input: 'leverage', problem: m.calc_perp_leverage_wrong({ most: quantity(ONE.div(part(maintenance)), 6) }) }
      : null,
  figures({ side, margin, leverage, entry, maintenance, funding, payments }) {
    const sign = side === 'long' ? ONE : ONE.negated();
    const size = margin.times(leverage);
    const tokens = size.div(entry);
    const maintenanceRate = part(maintenance);
    const liquidation = liquidationOf(sign, entry, ONE.div(leverage), maintenanceRate);
    const paid = size.times(part(funding)).times(payments).times(sign);
    return {
      size,
      tokens,
      liquidation,
      distance: liquidation === null ? null : liquidation.div(entry).minus(1),
      paid,
      afterFunding: liquidationOf(sign, entry, margin.minus(paid).div(size), maintenanceRate),
    };
  },
  result({ size, tokens, liquidation, distance, paid, afterFunding }, { margin }) {
    const none = m.calc_lend_none();
    const words = () => {
      if (liquidation === null || distance === null) return m.calc_perp_never();
      const far = shortPercent(distance.abs());
      return distance.lt(0) ? m.calc_perp_below({ distance: far }) : m.calc_perp_above({ distance: far });
    };
    const share = shortPercent(paid.abs().div(margin));
    return {
      label: m.calc_lend_liquidation(),
      main: liquidation === null ? none : price(liquidation),
      sentence: words(),
      parts: [
        { label: m.calc_perp_size(), value: usd(size) },
        { label: m.calc_perp_tokens(), value: quantity(tokens, 6) },
        {
          label: paid.lt(0) ? m.calc_perp_received({ share }) : m.calc_perp_paid({ share }),
          value: money(paid.abs()),
        },
        { label: m.calc_perp_after(), value: afterFunding === null ? none : price(afterFunding) },
      ],
    };
  },
  formula: ({ side }) => (side === 'long' ? 'e × (1 − 1 ÷ l) ÷ (1 − m)' : 'e × (1 + 1 ÷ l) ÷ (1 + m)'),
  letters: m.calc_perp_letters,
  worked({ liquidation }, { side, entry, leverage, maintenance }) {
    const sign = side === 'long' ? '−' : '+';
    const found = liquidation === null ? m.calc_lend_none() : quantity(liquidation, 7);
    return `${quantity(entry)} × (1 ${sign} 1 ÷ ${quantity(leverage)}) ÷ (1 ${sign} ${quantity(part(maintenance))}) = ${found}`;
  },
  source: () => ({
    title: 'Hyperliquid documentation, Liquidations',
    url: 'https://hyperliquid.gitbook.io/hyperliquid-docs/trading/liquidations',
  }),
  example: {
    values: { side: 'long', margin: '500', leverage: '10', entry: '3000', maintenance: '1' },
    main: '2,727.27\u00a0USD',
  },
  chart: {
    title: m.calc_perp_chart,
    input: 'leverage',
    axis: m.calc_perp_leverage,
    scale: 'log',
    range: ({ maintenance }) => ({
      from: ONE,
      to: maintenance.isZero() ? new Decimal(100) : Decimal.min(100, ONE.div(part(maintenance)).times('0.95')),
    }),
    height: ({ liquidation }) => liquidation,
    heightName: m.calc_lend_liquidation,
    inputWords: (leverage) => `${quantity(leverage, 3)} ×`,
    heightWords: price,
    markHeight: (liquidation) => quantity(liquidation, 4),
  },
  priceInput: 'entry',
});
