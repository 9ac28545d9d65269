// @ts-check
/**
 * The test command.
 *
 *   npm run test:quick | npm test | npm run test:full | npm run test:all [-- [--only NAME]... [--shard 1/4] [--resume]]
 *
 * `--only` plays the parts with NAME in their `step: file`, `--shard 1/4` the first quarter, `--resume` what has not
 * passed yet on these sources. Each step runs even when an earlier one failed; the last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { waitedFor } from './runner/processor.mjs';
import {
  addPart,
  artifacts,
  END,
  firstLines,
  keyOf,
  nameOfSources,
  partsIn,
  root,
  stillGood,
} from './runner/report.mjs';
import { choose, groupsOf, stepsOf, tierOf } from './runner/steps.mjs';
import { dearest, keepRun, stepLine } from './runner/timings.mjs';
import { findChromium, findFirefox } from './support/chromium.mjs';
import { startsIn } from './support/starts.mjs';

/** @typedef {import('./runner/steps.mjs').Step} Step */
/** @typedef {import('./runner/report.mjs').Part} Part */
/** @typedef {{ step: Step, played: string, report: string, env: Record<string, string>, parts: string[], kept: Part[] }} Plan */

const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', multiple: true }, shard: { type: 'string' }, resume: { type: 'boolean' } },
});
const tier = /** @type {import('./runner/steps.mjs').Tier} */ (positionals[0] ?? 'test');
const VITEST = join(root, 'node_modules/vitest/vitest.mjs');
const begun = Date.now();
mkdirSync(join(artifacts, 'steps'), { recursive: true });
const sources = nameOfSources();

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
// What is still playing would go on by itself, and write into the report of a run that is resumed.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(signal, () => {
    for (const child of children) child.kill(signal);
    process.exit(130);
  });

let counted = waitedFor();
/**
 * @param {string[]} command @param {Record<string, string>} [env] @param {import('node:child_process').StdioOptions} [stdio]
 * @returns {Promise<{ code: number, processor: number, output: string }>} its exit code, its seconds of processor time, and what came through a pipe
 */
const run = ([program = '', ...args], env = {}, stdio = 'inherit') =>
  new Promise((done) => {
    const child = spawn(program, args, { cwd: root, stdio, env: { ...process.env, ...env } });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text) => {
        output += text;
      });
    let processor = 0;
    child.once('error', (error) => done({ code: 1, processor, output: String(error) }));
    child.once('exit', () => {
      // The time of a child is added when it has ended: what is new since the last one is its.
      processor = waitedFor() - counted;
      counted += processor;
      children.delete(child);
    });
    child.once('close', (code) => done({ code: code ?? 1, processor, output }));
  });

/** @param {import('./runner/steps.mjs').Engine} engine */
async function pathOf(engine) {
  const path = await (engine === 'chromium' ? findChromium() : findFirefox());
  if (path) return path;
  throw new Error('Firefox is needed. Install it (Debian: apt-get install firefox-esr) or set FIREFOX_PATH.');
}

/** What there is to play of a step, before anything is chosen of it. @param {Step} step @returns {Promise<Plan>} */
async function planOf(step) {
  const report = join(artifacts, 'steps', `${step.name.replace(/\W+/g, '-')}.jsonl`);
  const settings = { TIER: tierOf(step, tier), ...(step.engine && { BROWSER: step.engine }), ...step.env };
  const played = JSON.stringify([sources, step, settings]);
  const env = { ...settings, STEP_REPORT: report, STEP_PLAYED: played, STARTS: report.replace('.jsonl', '.starts') };
  const plan = {
    step,
    played,
    report,
    env,
    parts: [step.name],
    kept: asked.resume && !step.serves ? stillGood(partsIn(report), played) : [],
  };
  if (step.projects && (asked.only || asked.shard || asked.resume)) {
    const { output } = await run(
      [process.execPath, VITEST, 'list', '--filesOnly', '--json', ...projectsOf(step)],
      settings,
      ['ignore', 'pipe', 'inherit'],
    );
    const files = /** @type {{ file: string }[]} */ (JSON.parse(output.slice(output.indexOf('['))));
    plan.parts = files.map(({ file }) => relative(root, file)).sort();
  }
  return plan;
}
const projectsOf = (/** @type {Step} */ { projects = [] }) => projects.flatMap((project) => ['--project', project]);

/** Plays a step that Vitest plays; its reporter writes the parts. @param {Plan} plan */
function playTests({ step, env, parts }) {
  const args = [
    ...(parts[0] === step.name ? [] : parts.map((part) => join(root, part))),
    ...projectsOf(step),
    `--maxWorkers=${step.waits ? availableParallelism() + 1 : Math.max(2, availableParallelism() - 1)}`,
    '--reporter=default',
    `--reporter=${join(root, 'tests/runner/vitest-reporter.mjs')}`,
  ];
  return run([process.execPath, VITEST, 'run', ...args], env);
}

/** Plays cases of the faults; each is a part. @param {Plan} plan @param {string[]} args */
async function playFaults({ step, env }, args) {
  const json = join(artifacts, 'faults.json');
  rmSync(json, { force: true });
  const command = [process.execPath, 'tests/faults/run.mjs', '--engine', step.engine ?? '', '--json', json, ...args];
  // A mistake that is found is reported as a failure, which is wanted: into a file, so that nobody reads it as one of this run.
  const log = step.finds ? openSync(join(artifacts, `${step.finds.mistake}.log`), 'w') : null;
  const ended = await run(command, env, log === null ? ['ignore', 'inherit', 'inherit'] : ['ignore', log, log]);
  if (log !== null) closeSync(log);
  /** @type {{ name: string, ok: boolean, lost: number, twice: number }[]} */
  let rows = [];
  try {
    rows = JSON.parse(readFileSync(json, 'utf8'));
  } catch {
    // Nothing was counted, which is a failure below.
  }
  return { ...ended, rows };
}

/**
 * Plays what is left of a step. @param {Plan} plan
 * @returns {Promise<{ processor: number, passed?: number, failures: string[] }>} of the whole, beside what its parts say
 */
async function play(plan) {
  const { step, env, report } = plan;
  if (step.engine) env[`${step.engine.toUpperCase()}_PATH`] = await pathOf(step.engine);
  if (step.projects) {
    const { code, processor } = await playTests(plan);
    const parts = partsIn(report);
    const isEnded = parts.some(({ part }) => part === END);
    const isRed = parts.some(({ failures }) => failures.length > 0);
    return {
      processor,
      failures: isEnded && (code === 0 || isRed) ? [] : [`it did not come to its end: exit ${code}`],
    };
  }
  if (step.faults) {
    const cases = step.faults.flatMap((name) => ['--case', name]);
    const { code, processor, rows } = await playFaults(plan, cases);
    const failures = rows.filter(({ ok }) => !ok).map((row) => JSON.stringify(row));
    if (rows.length === 0 || (code !== 0 && failures.length === 0)) failures.push(`exit ${code}`);
    return { processor, passed: rows.filter(({ ok }) => ok).length, failures };
  }
  if (step.finds) {
    const { mistake, case: one, count } = step.finds;
    const { code, processor, rows } = await playFaults(plan, ['--case', one, '--broken', mistake]);
    const isFound = code === 1 && rows.length === 1 && (rows[0]?.[count] ?? 0) > 0;
    const failures = isFound ? [] : [`a build with ${mistake} went by: exit ${code}, ${JSON.stringify(rows)}`];
    return { processor, passed: isFound ? 1 : 0, failures };
  }
  const { code, processor, output } = await run(step.command ?? [], env, ['ignore', 'pipe', 'pipe']);
  console.log(`\n── ${step.name}\n${output.trim()}`);
  const failures = code === 0 ? [] : [firstLines(output.trim().split('\n').slice(-12).join('\n')) || `exit ${code}`];
  return { processor, passed: code === 0 ? 1 : 0, failures };
}

/** @type {Set<string>} */
const red = new Set();
/** @type {import('./runner/timings.mjs').Run} */
const timings = {
  what: '',
  at: new Date().toISOString(),
  cores: availableParallelism(),
  seconds: 0,
  steps: [],
  parts: [],
};
/** What failed, with its first lines: printed again at the end, where a long run is read first. @type {string[]} */
const failures = [];

/** Plays a step and adds up what it left. @param {Plan} plan */
async function playAndCount(plan) {
  const { step, report, played, env, kept, parts } = plan;
  const start = Date.now();
  if (parts.length === 0) console.log(`\n── ${step.name}: passed before`);
  else if (!step.command) console.log(`\n── ${step.name}`);
  const isWhole = parts[0] === step.name;
  // Of what stood here before only that stays which this run does not play anew.
  const others = isWhole ? [] : partsIn(report).filter(({ part }) => part !== END && !parts.includes(part));
  writeFileSync(report, '');
  for (const part of others) addPart(report, part);
  rmSync(env['STARTS'] ?? '', { force: true });
  const missing = (step.needs ?? []).filter((name) => red.has(name));
  const ended =
    parts.length === 0
      ? { processor: 0, failures: [] }
      : missing.length > 0
        ? { processor: 0, failures: [`not played, since there is no ${missing.join(', ')}`] }
        : await play(plan).catch((error) => ({ processor: 0, failures: [String(error?.message ?? error)] }));
  const seconds = (Date.now() - start) / 1000;
  if (ended.failures.length > 0 || 'passed' in ended)
    addPart(report, { passed: 0, ...ended, part: step.name, key: keyOf(step.name, played), seconds, starts: {} });
  const results = partsIn(report).filter(({ part }) => !others.some((other) => other.part === part));
  for (const { part, failures: some } of results)
    for (const one of some)
      failures.push(`${step.name}${part === step.name || part === END ? '' : `: ${part}`}: ${one}`);
  const failed = results.reduce((sum, part) => sum + part.failures.length, 0);
  if (failed > 0) red.add(step.name);
  timings.steps.push({
    name: step.name,
    passed: [...results, ...kept].reduce((sum, part) => sum + part.passed, 0),
    failed,
    seconds,
    processor: ended.processor,
    starts: startsIn(env['STARTS']),
  });
  for (const { part, seconds, processor, starts } of results)
    if (part !== END) timings.parts.push({ step: step.name, part, seconds, processor, starts });
}

/** Plays all that was asked for. */
async function playTier() {
  /** @type {Plan[]} */
  const plans = [];
  for (const step of stepsOf(tier)) plans.push(await planOf(step));
  const chosen = choose(plans, asked).map((part, index) => ({ ...plans[index], ...part }));
  const wanted = /** @type {Plan[]} */ (chosen.filter(({ parts, kept }) => parts.length + kept.length > 0));
  if (wanted.length === 0) throw new Error(`Nothing of ${tier} is called ${asked.only?.join(' or ')}`);
  for (const group of groupsOf(wanted)) await Promise.all(group.map(playAndCount));
}

await playTier().catch((error) => failures.push(String(error?.stack ?? error)));

const order = stepsOf(tier).map(({ name }) => name);
timings.steps.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
timings.seconds = (Date.now() - begun) / 1000;
timings.what = [tier, ...(asked.only ?? []), asked.shard, asked.resume && 'resumed'].filter(Boolean).join(' ');
keepRun(timings);
console.log('\nThe ten dearest files:');
for (const line of dearest(timings.parts)) console.log(line);
console.log('');
for (const failure of failures) console.log(`✗ ${failure}\n`);
for (const step of timings.steps) console.log(stepLine(step));
const passed = timings.steps.reduce((sum, step) => sum + step.passed, 0);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
