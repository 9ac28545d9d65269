// @ts-check
/**
 * Plants mistakes in a copy of the checkout, one at a time, and names the test that falls for each.
 *
 *   npm run mutations -- [--only NAME]...
 *
 * The table is `table.mjs`. Its files are played without a mistake first, and have to pass. The last line is
 * `N fell, N survived`; it ends with 1 where one survived.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { copyCheckout, plant } from '../support/checkout.mjs';
import { findChromium } from '../support/chromium.mjs';
import { MISTAKES, PAGE } from './table.mjs';

/** A test that failed, or a file that did not load, whose `name` is empty. @typedef {{ file: string, name: string, why: string }} Failure */

const { only } = parseArgs({ options: { only: { type: 'string', multiple: true } } }).values;
const chosen = MISTAKES.filter(({ name }) => only?.some((part) => name.includes(part)) ?? true);
if (chosen.length === 0)
  throw new Error(`There is no such mistake among: ${MISTAKES.map(({ name }) => name).join(', ')}`);
const files = [...new Set(chosen.map(({ test }) => test))];
const plays = (/** @type {string} */ project) => files.some((file) => file.startsWith(`${project}/`));

/** What goes when this process ends, however it ends. @type {Set<() => void>} */
const leavings = new Set();
process.once('exit', () => {
  for (const leave of [...leavings].reverse()) leave();
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const removing = (/** @type {string} */ path) => {
  leavings.add(() => rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return path;
};

const folder = removing(copyCheckout());
/** @type {NodeJS.ProcessEnv} */
const env = { ...process.env, TIER: 'test' };

/** Runs Node in the copy. @param {string[]} args @returns {Promise<{ code: number | null, output: string }>} its last words */
const node = (args) =>
  new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: folder, env });
    const kill = () => void child.kill();
    leavings.add(kill);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output = (output + text).slice(-4_000);
      });
    child.once('close', (code) => {
      leavings.delete(kill);
      done({ code, output });
    });
  });

/** One PostgreSQL for all, whose durability would only cost time. @returns {Promise<() => Promise<unknown>>} stops it */
async function startPostgres() {
  const path = join(folder, 'server/storage/embedded/embedded.ts');
  const { module } = await runnerImport(path, { configFile: false, logLevel: 'error', root: folder });
  const { startEmbedded } = /** @type {typeof import('../../server/storage/embedded/embedded.ts')} */ (module);
  const home = join(removing(mkdtempSync(join(tmpdir(), 'muster-test-'))), 'postgres');
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '200' };
  const server = await startEmbedded({ home, database: 'postgres', settings });
  const kill = () => void process.kill(server.pid, 'SIGINT');
  leavings.add(kill);
  env['TEST_DATABASE_URL'] = server.url();
  return async () => {
    await server.stop();
    leavings.delete(kill);
  };
}

/**
 * Plays files of tests, those of a browser with a build of what the copy holds now.
 * @param {string[]} tests @param {string[]} [options] @returns {Promise<Failure[]>}
 */
async function play(tests, options = []) {
  if (tests.some((file) => file.startsWith('browser/'))) {
    const { code, output } = await node(['server/cli/build-if-stale.mjs']);
    if (code !== 0) throw new Error(output);
  }
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--maxWorkers=2',
    '--reporter=json',
    `--outputFile=${report}`,
  ];
  const projects = [...new Set(tests.map((file) => `--project=${file.split('/')[0]}`))];
  const { output } = await node([
    ...vitest,
    ...options,
    ...projects,
    ...tests.map((file) => join(folder, 'tests', file)),
  ]);
  if (!existsSync(report)) throw new Error(`Vitest left no report:\n${output}`);
  /** @type {{ success: boolean, testResults: { name: string, message: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[] }} */
  const { success, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const played = testResults.map((one) => ({ ...one, file: relative(join(folder, 'tests'), one.name) }));
  const missing = tests.filter((test) => played.every(({ file }) => file !== test));
  if (missing.length > 0) throw new Error(`Vitest does not play ${missing.join(', ')}:\n${output}`);
  const failures = played.flatMap(({ file, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && message !== '') return { file, name: '', why: message };
    return failed.map(({ fullName: name, failureMessages: [why = ''] }) => ({ file, name, why }));
  });
  return success || failures.length > 0 ? failures : [{ file: tests.join(', '), name: '', why: output }];
}

/** A module that does not load, or a test that breaks by itself, has not seen anything. @param {Failure} failure */
const isAssertion = ({ why }) => /^(AssertionError|Error: Property failed)/.test(why);
/** @param {Failure} failure */
const shown = ({ file, name, why }) => `${file}: ${name} (${why.trim().split('\n')[0]?.slice(0, 160)})`;

let survived = 0;
/** @param {string} what @param {number} begun @param {string} name */
const tell = (what, begun, name) =>
  console.log(`${what.padEnd(8)} ${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${name}`);

// Each text is looked for before the first minute is spent.
for (const mistake of chosen) plant(folder, [mistake])();
if (plays('browser')) Object.assign(env, { BROWSER: 'chromium', CHROMIUM_PATH: await findChromium(), PAGE });
const stopPostgres = plays('integration') ? await startPostgres() : null;

const begun = Date.now();
const red = await play(files);
tell(red.length === 0 ? 'passed' : 'FAILED', begun, `${files.length} files without a mistake`);
for (const failure of red) console.log(`  ${shown(failure)}`);
for (const mistake of red.length === 0 ? chosen : []) {
  const begun = Date.now();
  const undo = plant(folder, [mistake]);
  // The first test that falls is enough.
  const failures = await play([mistake.test], ['--bail=1']);
  undo();
  const seen = failures.find(isAssertion);
  if (!seen) survived += 1;
  tell(seen ? 'fell' : 'SURVIVED', begun, mistake.name);
  for (const failure of seen ? [seen] : failures) console.log(`  ${shown(failure)}`);
}
await stopPostgres?.();
tell('', begun, 'in all');
console.log(red.length === 0 ? `${chosen.length - survived} fell, ${survived} survived` : 'no mistake was planted');
process.exitCode = red.length === 0 && survived === 0 ? 0 : 1;
