// @ts-check
/**
 * The test command. `npm test` runs the first tier, `npm run test:full` that and the second, `npm run test:quick` only
 * what needs neither a database nor a browser. Each step runs even when an earlier one failed; the last line is
 * `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, findFirefox } from './support/chromium.mjs';
import { failuresOf, judgeSecondTries, passedAtSecondTry } from './support/run-report.mjs';

/** @typedef {import('./support/run-report.mjs').TestFile} TestFile */

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const artifacts = join(root, 'tests/.artifacts');
const quick = process.argv.includes('--quick');
const full = process.argv.includes('--full');
const onlySecond = process.argv.includes('--only-second-tier');

/** @type {{ name: string, passed: number, failed: number, seconds: number }[]} */
const results = [];
/** What failed, with its first lines: printed again at the end, where a long run is read first. @type {string[]} */
const failures = [];
/** Browser tests that failed and then passed. @type {string[]} */
const secondTries = [];

/**
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env]
 * @param {import('node:child_process').StdioOptions} [stdio]
 * @returns {Promise<number>} exit code
 */
const run = (command, args, env = {}, stdio = 'inherit') =>
  new Promise((done) => {
    const child = spawn(command, args, { cwd: root, stdio, env: { ...process.env, ...env } });
    child.on('error', () => done(1));
    child.on('close', (code) => done(code ?? 1));
  });

/**
 * The same, and returns the end of its output. @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ code: number, output: string }>}
 */
const runWithOutput = (command, args, env) =>
  new Promise((done) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        process.stdout.write(text);
        output = (output + text).slice(-8_000);
      });
    child.on('error', () => done({ code: 1, output }));
    child.on('close', (code) => done({ code: code ?? 1, output }));
  });

/** A step that is one check: a build, the linter, the types. @param {string} name @param {string[]} command */
async function check(name, command) {
  const start = Date.now();
  console.log(`\n── ${name}`);
  const [program = '', ...args] = command;
  const code = await run(program, args);
  results.push({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, seconds: (Date.now() - start) / 1000 });
  return code === 0;
}

/**
 * Runs Vitest once. @param {string[]} projects @param {string} name @param {NodeJS.ProcessEnv} env
 * @param {string[]} [files] all of the projects when absent @returns {Promise<TestFile[] | null>} null when it left no report
 */
async function vitest(projects, name, env, files = []) {
  const report = join(artifacts, `${name.replace(/\W+/g, '-')}.json`);
  rmSync(report, { force: true });
  const args = [
    ...files,
    ...projects.flatMap((project) => ['--project', project]),
    // Tests of the database wait more than they compute: one worker would leave half of a small machine idle.
    `--maxWorkers=${Math.max(2, availableParallelism() - 1)}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const code = await run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], env);
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const isRed = testResults.some((/** @type {TestFile} */ file) => failuresOf(file).length > 0);
    return code !== 0 && !isRed ? null : testResults;
  } catch {
    return null;
  }
}

/**
 * Members one after another on one device: a single leak is one too many, whatever a second run says. A wait of the
 * driver that ran out of time is no leak. @param {TestFile} file
 */
const isLeak = (file) =>
  file.name.endsWith('/purge.test.ts') && !failuresOf(file).every((one) => /: TimeoutError: /.test(one));

/**
 * Vitest projects in one process, as one step. @param {string[]} projects @param {NodeJS.ProcessEnv} [env]
 */
async function tests(projects, env = {}, name = projects.join(', ')) {
  const start = Date.now();
  console.log(`\n── ${name}`);
  let files = await vitest(projects, name, env);
  if (files && projects.includes('browser')) files = await tryAgain(files, name, env);
  const failed = files?.flatMap(failuresOf) ?? ['it did not come to its end'];
  for (const failure of failed) failures.push(`${name}: ${failure}`);
  const passed = (files ?? []).flatMap((file) => file.assertionResults).filter(({ status }) => status === 'passed');
  results.push({ name, passed: passed.length, failed: failed.length, seconds: (Date.now() - start) / 1000 });
}

/**
 * A browser under a driver now and then drops a press or a page: a file with failures is run once more, whole and on
 * new data. What passes only then is counted. @param {TestFile[]} files @param {string} name @param {NodeJS.ProcessEnv} env
 * @returns {Promise<TestFile[]>} the files with the second result where there is one
 */
async function tryAgain(files, name, env) {
  const latest = [];
  for (const first of files) {
    if (failuresOf(first).length === 0 || isLeak(first)) {
      latest.push(first);
      continue;
    }
    console.log(`\n── ${name}, once more: ${first.name.slice(root.length + 1)}`);
    const second = (await vitest(['browser'], `${name} again`, env, [first.name]))?.find(
      (file) => file.name === first.name,
    );
    secondTries.push(...passedAtSecondTry(first, second).map((test) => `${name}: ${test}`));
    latest.push(second ?? first);
  }
  return latest;
}

/**
 * The faults in one engine; each is a case. @param {string} engine @param {NodeJS.ProcessEnv} env
 * @param {string[]} [cases] all when absent
 */
async function faults(engine, env, cases = []) {
  const start = Date.now();
  const name = `faults ${engine}`;
  console.log(`\n── ${name}`);
  const report = join(artifacts, `faults-${engine}.json`);
  const args = [join(root, 'tests/faults/run.mjs'), '--engine', engine, '--json', report];
  for (const one of cases) args.push('--case', one);
  const play = async () => {
    rmSync(report, { force: true });
    const { code, output } = await runWithOutput(process.execPath, args, env);
    /** @type {{ ok: boolean }[] | null} */
    let rows = null;
    try {
      rows = JSON.parse(readFileSync(report, 'utf8'));
    } catch {
      // Nothing was counted: the output says why.
    }
    return { code, output, rows };
  };
  let played = await play();
  if (!played.rows) {
    console.log(`\n── ${name}, once more: it counted nothing`);
    played = await play();
  }
  const { code, output, rows } = played;
  for (const row of rows ?? []) if (!row.ok) failures.push(`${name}: ${JSON.stringify(row)}`);
  if (!rows) failures.push(`${name}: ${output.trim().split('\n').slice(-12).join('\n    ')}`);
  const passed = rows?.filter(({ ok }) => ok).length ?? 0;
  const failed = (rows?.length ?? 1) - passed;
  results.push({ name, passed, failed: failed || (code === 0 ? 0 : 1), seconds: (Date.now() - start) / 1000 });
}

/**
 * Whether the harness finds a mistake: the product is built with it, and the faults must end with 1 and count it.
 * @param {string} mistake @param {string} one the case @param {'lost' | 'twice'} count @param {NodeJS.ProcessEnv} env
 */
async function faultsFind(mistake, one, count, env) {
  const start = Date.now();
  const name = `finds ${mistake}`;
  console.log(`\n── ${name}`);
  const report = join(artifacts, `faults-${mistake}.json`);
  rmSync(report, { force: true });
  const only = ['--engine', 'chromium', '--case', one];
  const args = [join(root, 'tests/faults/run.mjs'), ...only, '--broken', mistake, '--json', report];
  // Its output reports a failure, which is wanted here: it goes into a file, so that nobody reads it as one of this run.
  const log = openSync(join(artifacts, `finds-${mistake}.log`), 'w');
  const code = await run(process.execPath, args, env, ['ignore', log, log]);
  closeSync(log);
  /** @type {{ lost: number, twice: number }[]} */
  let rows = [];
  try {
    rows = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    // It left no report; that is no find.
  }
  const isFound = code === 1 && rows.length === 1 && (rows[0]?.[count] ?? 0) > 0;
  if (isFound) console.log(`${rows[0]?.[count]} ${count}: found`);
  else failures.push(`A build with ${mistake} went by: exit ${code}, ${JSON.stringify(rows)}`);
  results.push({ name, passed: isFound ? 1 : 0, failed: isFound ? 0 : 1, seconds: (Date.now() - start) / 1000 });
}

/** @param {string} name @param {string} why */
const fail = (name, why) => {
  console.error(`\n── ${name}\n${why}`);
  results.push({ name, passed: 0, failed: 1, seconds: 0 });
};

mkdirSync(artifacts, { recursive: true });

/** @type {string | undefined} */
let chromium;
if (!quick) {
  try {
    chromium = await findChromium();
  } catch (error) {
    fail('browser', error instanceof Error ? error.message : String(error));
  }
}

/** `TIER=all`, before a release: what takes long and has not been seen to fail by itself. */
const everything = process.env['TIER'] === 'all';
/** Where Firefox's database, locks and network behave in their own way. */
const FIREFOX_FAULTS = [
  'offline, then online',
  'browser killed after the last write',
  'cut after commit',
  'two tabs',
  'sign-out in mid-drain',
  'quota full',
];

const npmRun = [process.platform === 'win32' ? 'npm.cmd' : 'npm', 'run', '--silent'];
/** The second tier by itself comes after the first, and takes its build. */
const build = onlySecond ? [process.execPath, join(root, 'server/cli/build-if-stale.mjs')] : [...npmRun, 'build'];
const QUICK = ['unit', 'worker', 'service-worker', 'app'];
if (quick) {
  await check('words', [...npmRun, 'words']);
  await tests(QUICK, { TIER: 'quick' });
} else if (!onlySecond) {
  await check('lint', [...npmRun, 'lint']);
  await check('types', [...npmRun, 'types']);
  await check('dead code', [...npmRun, 'dead-code']);
  await tests(QUICK);
  await tests(['integration']);
}
const built = !quick && (await check('build', build));
if (chromium && built && !onlySecond)
  await tests(['browser'], { CHROMIUM_PATH: chromium, BROWSER: 'chromium' }, 'browser chromium');
if (full && built) {
  await tests(['audits'], { TIER: 'full' });
  if (chromium) {
    const env = { CHROMIUM_PATH: chromium, BROWSER: 'chromium', TIER: 'second', PURGE_RUNS: everything ? '200' : '3' };
    await tests(['browser'], env, 'browser chromium, deploys and whole journeys');
    await faults('chromium', { CHROMIUM_PATH: chromium });
    if (everything) await faultsFind('delete-before-send', 'offline, then online', 'lost', { CHROMIUM_PATH: chromium });
    await faultsFind('new-id-each-time', 'cut after commit', 'twice', { CHROMIUM_PATH: chromium });
  }
  const firefox = findFirefox();
  if (firefox) {
    await tests(
      ['browser'],
      { FIREFOX_PATH: firefox, BROWSER: 'firefox', TIER: everything ? 'all' : 'full', PURGE_RUNS: '2' },
      'browser firefox',
    );
    await faults('firefox', { FIREFOX_PATH: firefox }, everything ? [] : FIREFOX_FAULTS);
  } else
    fail(
      'browser firefox',
      'The full tier needs Firefox. Install it (Debian: apt-get install firefox-esr) or set FIREFOX_PATH.',
    );
  // Its driver now and then never answers for a page that left for another site, so a red run would prove nothing.
  console.log('\nThe faults in WebKitGTK are played by hand: npm run faults -- --engine webkit');
}

const judged = judgeSecondTries(secondTries);
if (judged.failed > 0) results.push({ name: 'second tries', passed: 0, failed: judged.failed, seconds: 0 });

console.log('');
for (const failure of failures) console.log(`✗ ${failure}\n`);
for (const { name, passed, failed, seconds } of results)
  console.log(
    `${failed === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(20)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s`,
  );
for (const line of judged.lines) console.log(line);
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
