import { HttpError } from '../../base/http-error.ts';
import type { NumberAsk, NumberEvidence, NumberSetup } from '../../contract/kind-number.ts';
import { numberProblem } from '../../contract/kind-rules.ts';
import { NUMBER_DECIMALS_MAX } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { line } from '../text.ts';
import { accepted, invalid, type Judged } from './judged.ts';

/** Throws 400 `INVALID_INPUT` where no answer could be right. */
export function checkNumber(setup: NumberSetup): NumberSetup {
  const { min, max, decimals, expected } = setup;
  if (min !== null && max !== null && min > max) invalid('setup.max', 'order', 'must not lie below the least');
  if (expected && numberProblem({ min, max, decimals }, expected.value) !== null)
    invalid('setup.expected', 'other', 'must be a number that members may send');
  return { ...setup, unit: line('setup.unit', setup.unit) };
}

export const askNumber = ({ kind, unit, min, max, decimals }: NumberSetup): NumberAsk => ({
  kind,
  unit,
  min,
  max,
  decimals,
});

const EXACT = 10 ** NUMBER_DECIMALS_MAX;
/** In whole steps of the last decimal: 0.4 is within 0.1 of 0.3, despite binary fractions. */
const isWithin = (value: number, { value: wanted, tolerance }: NonNullable<NumberSetup['expected']>): boolean =>
  Math.abs(Math.round(value * EXACT) - Math.round(wanted * EXACT)) <= Math.round(tolerance * EXACT);

/** Right or wrong where a number is expected; the right one is never revealed. Throws 422 `NUMBER_NOT_ALLOWED`. */
export function judgeNumber(setup: NumberSetup, evidence: NumberEvidence): Judged {
  const problem = numberProblem(setup, evidence.value);
  if (problem !== null)
    throw new HttpError(422, 'NUMBER_NOT_ALLOWED', wordsFor(problem, setup), {
      details: {
        field: 'value',
        min: setup.min,
        max: setup.max,
        decimals: setup.decimals,
        unit: setup.unit,
        problem,
      } satisfies ErrorDetails['NUMBER_NOT_ALLOWED'],
    });
  if (!setup.expected) return accepted(evidence, setup.review);
  const ok = isWithin(evidence.value, setup.expected);
  const note = ok ? 'This is the number that was asked for' : 'This is not the number that was asked for';
  return { state: ok ? 'approved' : 'rejected', evidence, check: { ok, note }, reason: ok ? null : note };
}

function wordsFor(problem: 'low' | 'high' | 'decimals', { unit, min, max, decimals }: NumberSetup): string {
  const of = unit === '' ? '' : ` ${unit}`;
  if (problem === 'low') return `Send a number of at least ${min}${of}.`;
  if (problem === 'high') return `Send a number of at most ${max}${of}.`;
  return decimals === 0 ? 'Send a whole number.' : `Send a number with at most ${decimals} decimals.`;
}
