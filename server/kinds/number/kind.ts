import { HttpError } from '../../base/http-error.ts';
import { NUMBER_DECIMALS_MAX } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { line } from '../../domain/text.ts';
import { accepted, byCheck, invalid } from '../judged.ts';
import type { Kind } from '../kind.ts';
import { numberProblem } from './rules.ts';
import type { NumberSetup } from './shape.ts';

export const number: Kind<'number'> = {
  check(setup) {
    const { min, max, decimals, expected } = setup;
    if (min !== null && max !== null && min > max) invalid('setup.max', 'order', 'must not lie below the least');
    if (expected && numberProblem({ min, max, decimals }, expected.value) !== null)
      invalid('setup.expected', 'other', 'must be a number that members may send');
    return { ...setup, unit: line('setup.unit', setup.unit) };
  },
  ask: ({ kind, unit, min, max, decimals }) => ({ kind, unit, min, max, decimals }),
  /** Right or wrong where a number is expected; the right one is never revealed. */
  judge(setup, evidence) {
    const { min, max, decimals, unit, expected, review } = setup;
    const problem = numberProblem(setup, evidence.value);
    if (problem !== null)
      throw new HttpError(422, 'NUMBER_NOT_ALLOWED', wordsFor(problem, setup), {
        details: { field: 'value', min, max, decimals, unit, problem } satisfies ErrorDetails['NUMBER_NOT_ALLOWED'],
      });
    if (!expected) return accepted(evidence, review);
    const ok = isWithin(evidence.value, expected);
    return byCheck('answers', ok, `This is ${ok ? '' : 'not '}the number that was asked for`, evidence);
  },
  compared: ({ value }) => String(value),
  exported: ({ value }) => String(value),
  imported: { bare: () => ({ kind: 'number', unit: '', min: null, max: null, decimals: 2, review: true }) },
};

const EXACT = 10 ** NUMBER_DECIMALS_MAX;
/** In whole steps of the last decimal: 0.4 is within 0.1 of 0.3, despite binary fractions. */
const isWithin = (value: number, { value: wanted, tolerance }: NonNullable<NumberSetup['expected']>): boolean =>
  Math.abs(Math.round(value * EXACT) - Math.round(wanted * EXACT)) <= Math.round(tolerance * EXACT);

function wordsFor(problem: 'low' | 'high' | 'decimals', { unit, min, max, decimals }: NumberSetup): string {
  const of = unit === '' ? '' : ` ${unit}`;
  if (problem === 'low') return `Send a number of at least ${min}${of}.`;
  if (problem === 'high') return `Send a number of at most ${max}${of}.`;
  return decimals === 0 ? 'Send a whole number.' : `Send a number with at most ${decimals} decimals.`;
}
