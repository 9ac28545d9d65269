import { m } from '../../paraglide/messages.js';
import type { AnyCalculator, Words } from './calculator.ts';
import { aprApy } from './kinds/apr-apy.ts';
import { costAveraging } from './kinds/cost-averaging.ts';
import { gasCost } from './kinds/gas-cost.ts';
import { impermanentLoss } from './kinds/impermanent-loss.ts';
import { lending } from './kinds/lending.ts';
import { lpFees } from './kinds/lp-fees.ts';
import { perpetual } from './kinds/perpetual.ts';
import { positionSize } from './kinds/position-size.ts';
import { priceImpact } from './kinds/price-impact.ts';
import { staking } from './kinds/staking.ts';

/** All calculators, grouped as in the list. */
export const GROUPS: readonly { title: Words; calculators: readonly AnyCalculator[] }[] = [
  { title: m.calc_group_pools, calculators: [impermanentLoss, lpFees, priceImpact] },
  { title: m.calc_group_earning, calculators: [aprApy, staking, costAveraging] },
  { title: m.calc_group_borrowing, calculators: [lending, perpetual, positionSize] },
  { title: m.calc_group_fees, calculators: [gasCost] },
];

export const CALCULATORS: readonly AnyCalculator[] = GROUPS.flatMap(({ calculators }) => calculators);

export const calculatorOf = (id: string): AnyCalculator | null => CALCULATORS.find((one) => one.id === id) ?? null;
