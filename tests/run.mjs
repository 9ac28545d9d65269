// @ts-check
/**
 * The test command. `npm test` runs the first tier, `npm run test:full` that and the second.
 * Each step runs even when an earlier one failed; the last line is `N passed, N failed`.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium, findFirefox } from './support/chromium.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const artifacts = join(root, 'tests/.artifacts');
const full = process.argv.includes('--full');
const onlySecond = process.argv.includes('--only-second-tier');

/** @type {{ name: string, passed: number, failed: number, seconds: number }[]} */
const results = [];
/** What failed and how it began: told again at the end, where a long run is read first. @type {string[]} */
const failures = [];

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
 * The same, and keeps the end of what it told. @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ code: number, told: string }>}
 */
const runTold = (command, args, env) =>
  new Promise((done) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let told = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        process.stdout.write(text);
        told = (told + text).slice(-8_000);
      });
    child.on('error', () => done({ code: 1, told }));
    child.on('close', (code) => done({ code: code ?? 1, told }));
  });

/** A step that is one check: a build, the linter, the types. @param {string} name @param {string[]} script */
async function check(name, script) {
  const start = Date.now();
  console.log(`\n── ${name}`);
  const code = await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['run', '--silent', ...script]);
  results.push({ name, passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, seconds: (Date.now() - start) / 1000 });
  return code === 0;
}

/** @param {string} text */
const firstLines = (text) => text.split('\n').slice(0, 12).join('\n    ');

/**
 * What Vitest says of its files. A file that does not load counts as one failure, and so does a skipped case: neither
 * proves anything.
 * @typedef {{ name: string, status: string, message: string,
 *   assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }} TestFile
 */

/** @param {TestFile} file @returns {string[]} its failures, each in a few lines */
function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults
    .filter((one) => one.status !== 'passed')
    .map((one) => `${one.fullName}: ${firstLines(one.failureMessages[0] ?? one.status)}`);
  return failed.length === 0 && status === 'failed' ? [`${name}: ${firstLines(message)}`] : failed;
}

/**
 * Runs Vitest. @param {string} project @param {string} name @param {NodeJS.ProcessEnv} env @param {string[]} files none: all
 * @returns {Promise<TestFile[] | null>} null when it left no report
 */
async function vitest(project, name, env, files) {
  const report = join(artifacts, `${name.replace(/\W+/g, '-')}.json`);
  rmSync(report, { force: true });
  const asked = [
    ...files,
    '--project',
    project,
    // Tests of the database wait more than they reckon: one alone would leave half of a small machine idle.
    `--maxWorkers=${Math.max(2, availableParallelism() - 1)}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const code = await run(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...asked], env);
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
    const isRed = testResults.some((/** @type {TestFile} */ file) => failuresOf(file).length > 0);
    return code !== 0 && !isRed ? null : testResults;
  } catch {
    return null;
  }
}

/**
 * Members one after another on one device: a single leak is one too many, whatever comes of a second run. What a driver
 * waited for in vain is no leak. @param {TestFile} file
 */
const isLeak = (file) =>
  file.name.endsWith('/purge.test.ts') && !failuresOf(file).every((one) => /: TimeoutError: /.test(one));

/**
 * A Vitest project. A real browser under a driver now and then drops a press or a page: what failed there is played once
 * more, its whole file on new data, and said.
 * @param {string} project @param {NodeJS.ProcessEnv} [env]
 */
async function project(project, env = {}, name = project) {
  const start = Date.now();
  console.log(`\n── ${name}`);
  let files = await vitest(project, name, env, []);
  if (files && project === 'browser') {
    const again = files.filter((file) => failuresOf(file).length > 0 && !isLeak(file));
    for (const { name: file } of again) {
      console.log(`\n── ${name}, once more: ${file.slice(root.length + 1)}`);
      const second = await vitest(project, `${name} again`, env, [file]);
      files = files.map((one) => second?.find((other) => other.name === one.name) ?? one);
    }
  }
  const failed = files?.flatMap(failuresOf) ?? ['it did not come to its end'];
  for (const failure of failed) failures.push(`${name}: ${failure}`);
  const passed = (files ?? []).flatMap((file) => file.assertionResults).filter(({ status }) => status === 'passed');
  results.push({ name, passed: passed.length, failed: failed.length, seconds: (Date.now() - start) / 1000 });
}

/** The faults in one engine; each is a case. @param {string} engine @param {NodeJS.ProcessEnv} env */
async function faults(engine, env) {
  const start = Date.now();
  const name = `faults ${engine}`;
  console.log(`\n── ${name}`);
  const report = join(artifacts, `faults-${engine}.json`);
  const asked = [join(root, 'tests/faults/run.mjs'), '--engine', engine, '--json', report];
  const play = async () => {
    rmSync(report, { force: true });
    const { code, told } = await runTold(process.execPath, asked, env);
    /** @type {{ ok: boolean }[] | null} */
    let rows = null;
    try {
      rows = JSON.parse(readFileSync(report, 'utf8'));
    } catch {
      // Nothing was counted: what it told says why.
    }
    return { code, told, rows };
  };
  let played = await play();
  if (!played.rows) {
    console.log(`\n── ${name}, once more: it counted nothing`);
    played = await play();
  }
  const { code, told, rows } = played;
  for (const row of rows ?? []) if (!row.ok) failures.push(`${name}: ${JSON.stringify(row)}`);
  if (!rows) failures.push(`${name}: ${told.trim().split('\n').slice(-12).join('\n    ')}`);
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
  const asked = [join(root, 'tests/faults/run.mjs'), ...only, '--broken', mistake, '--json', report];
  // What it tells is a failure's report, which is what is wanted here: kept in a file, lest it be read as one.
  const told = openSync(join(artifacts, `finds-${mistake}.log`), 'w');
  const code = await run(process.execPath, asked, env, ['ignore', told, told]);
  closeSync(told);
  /** @type {{ lost: number, twice: number }[]} */
  let rows = [];
  try {
    rows = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    // It told nothing; that is no find.
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
try {
  chromium = await findChromium();
} catch (error) {
  fail('browser', error instanceof Error ? error.message : String(error));
}

if (!onlySecond) {
  await check('lint', ['lint']);
  await check('types', ['types']);
  await check('dead code', ['dead-code']);
  for (const name of ['unit', 'worker', 'service-worker', 'app', 'integration']) await project(name);
}
const built = await check('build', ['build']);
if (chromium && built && !onlySecond)
  await project('browser', { CHROMIUM_PATH: chromium, BROWSER: 'chromium' }, 'browser chromium');
if (full && built) {
  await project('audits', { TIER: 'full' });
  if (chromium) {
    const env = { CHROMIUM_PATH: chromium, BROWSER: 'chromium', TIER: 'second', PURGE_RUNS: '60' };
    await project('browser', env, 'browser chromium, deploys and whole journeys');
    await faults('chromium', { CHROMIUM_PATH: chromium });
    await faultsFind('delete-before-send', 'offline, then online', 'lost', { CHROMIUM_PATH: chromium });
    await faultsFind('new-id-each-time', 'cut after commit', 'twice', { CHROMIUM_PATH: chromium });
  }
  const firefox = findFirefox();
  if (firefox) {
    await project(
      'browser',
      { FIREFOX_PATH: firefox, BROWSER: 'firefox', TIER: 'full', PURGE_RUNS: '9' },
      'browser firefox',
    );
    await faults('firefox', { FIREFOX_PATH: firefox });
  } else
    fail(
      'browser firefox',
      'The full tier needs Firefox. Install it (Debian: apt-get install firefox-esr) or set FIREFOX_PATH.',
    );
  // Its driver now and then never answers for a page that left for another site, so a red run would prove nothing.
  console.log('\nThe faults in WebKitGTK are played by hand: npm run faults -- --engine webkit');
}

console.log('');
for (const failure of failures) console.log(`✗ ${failure}\n`);
for (const { name, passed, failed, seconds } of results)
  console.log(
    `${failed === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(20)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s`,
  );
const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
