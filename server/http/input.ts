import * as z from 'zod/mini';
import { HttpError } from '../base/http-error.ts';
import type { ErrorDetails, InputProblem } from '../contract/refusals.ts';
import { checkText } from './read-body.ts';

z.config(z.locales.en());

const SHOWN_PROBLEMS = 20;
const SHOWN_CHARACTERS = 200;
const cut = (text: string): string => text.slice(0, SHOWN_CHARACTERS);

type Issue = z.core.$ZodIssue;

function problemsOf(issue: Issue): InputProblem[] {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return meant(issue.errors).flatMap((inner) => problemsOf({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: cut([...path, key].join('.')),
      message: 'Unknown field',
      fault: 'other',
    }));
  }
  return [{ field: cut(path.join('.')), message: cut(issue.message), ...faultOf(issue) }];
}

/** The part of an issue that a screen shows in its own words. */
function faultOf(issue: Issue): Pick<InputProblem, 'fault' | 'limit'> {
  if (issue.code === 'invalid_type' && issue.input === undefined) return { fault: 'missing' };
  if (issue.code === 'too_big') {
    const fault = issue.origin === 'string' ? 'too_long' : issue.origin === 'array' ? 'too_many' : 'too_large';
    return { fault, limit: Number(issue.maximum) };
  }
  if (issue.code === 'too_small') {
    const fault = issue.origin === 'string' ? 'too_short' : issue.origin === 'array' ? 'too_few' : 'too_small';
    return { fault, limit: Number(issue.minimum) };
  }
  return { fault: 'other' };
}

/** The nearest of several alternatives: the one with the fewest problems, or the deepest. */
function meant(alternatives: readonly Issue[][]): Issue[] {
  // A value of an unknown kind is hardly meant as this alternative.
  const isOfNoKind = (issue: Issue) => issue.code === 'invalid_union' && issue.errors.length === 0;
  const distance = (issues: Issue[]) => issues.length + issues.filter(isOfNoKind).length;
  const depth = (issues: Issue[]) => Math.max(...issues.map(({ path }) => path.length));
  const [nearest = []] = alternatives.toSorted((a, b) => distance(a) - distance(b) || depth(b) - depth(a));
  return nearest;
}

/** The value as the schema gives it. Throws 400 `INVALID_INPUT` with `details.problems`. */
export function parseInput(schema: z.ZodMiniType, value: unknown): unknown {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const problems = result.error.issues.flatMap(problemsOf).slice(0, SHOWN_PROBLEMS);
  const [first] = problems;
  const message = first
    ? `${first.field === '' ? 'The input' : first.field}: ${first.message}`
    : 'The input is invalid';
  throw new HttpError(400, 'INVALID_INPUT', message, {
    details: { problems } satisfies ErrorDetails['INVALID_INPUT'],
  });
}

/** Query parameters of a URL. A repeated name is rejected, so two readers never see two values. */
export function readQuery(search: string): Record<string, string> {
  if (search === '') return {};
  const query: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    checkText(name, 'query');
    checkText(value, name);
    if (name in query) throw new HttpError(400, 'INVALID_INPUT', `${cut(name)}: given twice`);
    query[name] = value;
  }
  return { ...query };
}
