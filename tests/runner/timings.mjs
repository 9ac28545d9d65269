// @ts-check
/** What runs of the tests cost: kept in `tests/.artifacts/timings.json`, printed beside each other. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artifacts } from './report.mjs';

/** @typedef {{ seconds: number, processor: number, starts: Record<string, number> }} Cost seconds of wall clock and of processor */
/** @typedef {Cost & { name: string, passed: number, failed: number }} StepCost */
/** @typedef {Cost & { step: string, part: string }} PartCost */
/** @typedef {{ what: string, at: string, cores: number, seconds: number, steps: StepCost[], parts: PartCost[] }} Run `what` is the tier, and what was chosen of it */

const file = join(artifacts, 'timings.json');
/** Three make a figure. */
const KEPT = 3;

/** @returns {Run[]} the latest first */
export const runsKept = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);

/** @param {Run[]} runs @param {Run} run @returns {Run[]} with it first, and so many of its kind */
export const withRun = (runs, run) => {
  const alike = runs.filter(({ what }) => what === run.what).slice(0, KEPT - 1);
  return [run, ...runs.filter((one) => one.what !== run.what || alike.includes(one))];
};

/** @param {Run} run */
export const keepRun = (run) => writeFileSync(file, `${JSON.stringify(withRun(runsKept(), run), null, 1)}\n`);

/** @param {number} seconds */
const inSeconds = (seconds) => `${seconds.toFixed(1)} s`.padStart(9);
/** @param {Record<string, number>} starts */
const inWords = (starts) =>
  Object.entries(starts)
    .map(([kind, count]) => `, ${count} × ${kind}`)
    .join('');

/** A line for each step. @param {StepCost} step */
export const stepLine = ({ name, passed, failed, seconds, processor, starts }) =>
  `${failed === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(24)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${inSeconds(seconds)}, processor ${inSeconds(processor)}${inWords(starts)}`;

/** The files that took longest. @param {PartCost[]} parts @returns {string[]} */
export const dearest = (parts) =>
  [...parts]
    .filter(({ part }) => part.includes('/'))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, 10)
    .map(
      ({ step, part, seconds, processor, starts }) =>
        `${inSeconds(seconds)}, processor ${inSeconds(processor)}  ${step}: ${part}${inWords(starts)}`,
    );

/** @param {number} now @param {number | undefined} before */
const beside = (now, before) => `${inSeconds(now)} ${before === undefined ? '(new)' : `(${inSeconds(before).trim()})`}`;

/** A run beside the one before: steps, and the files whose cost changed most. @param {Run} run @param {Run | undefined} before @returns {string[]} */
export function comparison(run, before) {
  const lines = [`${run.what}, ${run.at}: ${inSeconds(run.seconds).trim()}`];
  if (before) lines.push(`in brackets ${before.at}: ${inSeconds(before.seconds).trim()}`);
  for (const { name, seconds, processor, starts } of run.steps) {
    const earlier = before?.steps.find((step) => step.name === name);
    const [wall, work] = [beside(seconds, earlier?.seconds), beside(processor, earlier?.processor)];
    lines.push(`${name.padEnd(24)} ${wall.padEnd(22)} processor ${work}${inWords(starts)}`);
  }
  for (const { name } of before?.steps ?? [])
    if (!run.steps.some((step) => step.name === name)) lines.push(`${name.padEnd(24)}      gone`);
  const changed = run.parts
    .flatMap((part) => {
      const earlier = before?.parts.find((one) => one.step === part.step && one.part === part.part);
      return earlier ? [{ ...part, earlier, by: part.processor - earlier.processor }] : [];
    })
    .sort((one, other) => Math.abs(other.by) - Math.abs(one.by))
    .slice(0, 10);
  if (changed.length > 0) lines.push('', 'Processor time changed most:');
  for (const { step, part, processor, earlier } of changed)
    lines.push(`${beside(processor, earlier.processor)}  ${step}: ${part}`);
  return lines;
}

/** The table of steps for `docs/figures/tests.md`: runs of one kind, the earliest first. @param {Run[]} runs @returns {string[]} */
export function markdown(runs) {
  const last = runs.at(-1);
  if (!last) return [];
  const row = (/** @type {(string | number)[]} */ ...cells) => `| ${cells.join(' | ')} |`;
  const of = (/** @type {Run} */ run, /** @type {string} */ name) => run.steps.find((step) => step.name === name);
  const all = (/** @type {string} */ name, /** @type {'seconds' | 'processor'} */ key) =>
    runs.map((run) => of(run, name)?.[key].toFixed(0) ?? 'none').join(' / ');
  const sum = (/** @type {string} */ kind) => last.steps.reduce((total, { starts }) => total + (starts[kind] ?? 0), 0);
  return [
    row('step', 'tests', 'wall clock, s', 'processor, s', 'instances', 'browsers'),
    '|---|--:|--:|--:|--:|--:|',
    ...last.steps.map(({ name, passed, failed, starts }) =>
      row(
        name,
        passed + failed,
        all(name, 'seconds'),
        all(name, 'processor'),
        starts['instance'] ?? 0,
        starts['browser'] ?? 0,
      ),
    ),
    row(
      `**\`${last.what}\` in all**`,
      last.steps.reduce((total, { passed, failed }) => total + passed + failed, 0),
      runs.map(({ seconds }) => seconds.toFixed(0)).join(' / '),
      runs.map(({ steps }) => steps.reduce((total, { processor }) => total + processor, 0).toFixed(0)).join(' / '),
      sum('instance'),
      sum('browser'),
    ),
  ];
}
