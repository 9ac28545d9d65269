import type { ImportFinding, ImportProblem, ImportQuery } from '../../contract/imports.ts';

/** Where the leader can choose, and the default. */
const TAKEN: Partial<Record<ImportProblem, boolean>> = {
  here: true,
  letters_lost: true,
  points_missing: true,
  points_grouped: true,
  points_decimal: true,
  title_cut: true,
  instructions_cut: true,
  kind_unknown: true,
  link_missing: true,
  recurrence_unknown: true,
  task_points_large: true,
};

type Where = { line: number; column?: number | null };
type Reading = { from: string; to: string };
const SHOWN = 80;

export type Findings = ReturnType<typeof createFindings>;

/** Collects what is found in the lines of a file, beside what was before. The choices are the leader's. */
export function createFindings(
  { take = [], leave = [] }: Pick<ImportQuery, 'take' | 'leave'>,
  before: readonly ImportFinding[] = [],
) {
  const choices = new Map([...take.map((one) => [one, true] as const), ...leave.map((one) => [one, false] as const)]);
  const found = new Map(before.map((one) => [one.problem, one]));
  const note = (
    problem: ImportProblem,
    { line, column = null }: Where,
    how: Pick<ImportFinding, 'effect' | 'choice'>,
    reading: Reading | null = null,
  ) => {
    const finding = found.get(problem) ?? { problem, ...how, lines: [], column, reading };
    finding.lines.push(line);
    found.set(problem, finding);
  };
  return {
    /** Nothing of the file can be taken. */
    stop: (problem: ImportProblem, where: Where = { line: 1 }) =>
      note(problem, where, { effect: 'stops', choice: false }),
    /** The line cannot be taken. */
    leave: (problem: ImportProblem, where: Where) => note(problem, where, { effect: 'left_out', choice: false }),
    /** Notes a line that can be used as read; returns whether it is used. `otherwise` is the default. */
    take(problem: ImportProblem, where: Where, reading: Reading | null = null, otherwise = TAKEN[problem]): boolean {
      const choice = otherwise !== undefined;
      const taken = choice ? (choices.get(problem) ?? otherwise) : true;
      const shown = reading && { from: reading.from.slice(0, SHOWN), to: reading.to.slice(0, SHOWN) };
      note(problem, where, { effect: taken ? 'taken' : 'left_out', choice }, shown);
      return taken;
    },
    hasStopped: () => [...found.values()].some(({ effect }) => effect === 'stops'),
    /** What stops comes first, then what is left out, then what is taken. */
    list: (): ImportFinding[] => [...found.values()].sort((a, b) => ORDER.indexOf(a.effect) - ORDER.indexOf(b.effect)),
  };
}

const ORDER: readonly ImportFinding['effect'][] = ['stops', 'left_out', 'taken'];
