// @ts-check
/** What a step leaves of its parts: a line of JSON each, added as it ends, so that a run that is cut short can go on. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
export const artifacts = join(root, 'tests/.artifacts');

/** The part that says that Vitest came to its end; its failures belong to no file. */
export const END = 'its end';

/**
 * @typedef {{ part: string, key: string, passed: number, failures: string[], seconds: number, processor: number, starts: Record<string, number> }} Part
 * `failures` in a few lines each; `key` names what it was played on.
 */
/**
 * What is read of Vitest's file (`TestModule` of `vitest/node`).
 * @typedef {{
 *   moduleId: string, state(): string, errors(): readonly Said[],
 *   children: { allTests(): Iterable<{ fullName: string, result(): { state: string, errors?: readonly Said[] | undefined } }> },
 * }} TestFile
 * @typedef {{ message: string, stack?: string | undefined }} Said
 */

/** @param {string} text */
export const firstLines = (text) => text.trim().split('\n').slice(0, 12).join('\n    ');
/** @param {readonly Said[] | undefined} errors */
const said = (errors) => (errors?.[0] ? firstLines(errors[0].stack || errors[0].message) : '');

/**
 * The failures of a file. One that does not load or come to its end is a failure, and so is a skipped test: neither
 * proves anything.
 * @param {TestFile} file @returns {{ passed: number, failures: string[] }}
 */
export function resultOf(file) {
  const tests = [...file.children.allTests()];
  const failures = tests
    .filter((test) => test.result().state !== 'passed')
    .map((test) => `${test.fullName}: ${said(test.result().errors) || test.result().state}`);
  const passed = tests.length - failures.length;
  if (failures.length === 0 && file.state() !== 'passed')
    failures.push(said(file.errors()) || `the file is ${file.state()}`);
  return { passed, failures };
}

/**
 * Names what a part is played on: the sources of everything, how it is played, and its own text. A mended test alone
 * is played again.
 * @param {string} part @param {string} played sources and settings
 */
export function keyOf(part, played) {
  const file = resolve(root, part);
  const hash = createHash('sha256').update(played);
  if (existsSync(file) && statSync(file).isFile()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

const ROOMS = ['app', 'worker', 'service-worker', 'server', 'tests', 'package-lock.json', 'vite.config.ts'];
/** What `npm run words` writes, after a fresh clone's first run has begun. */
const GENERATED = ['paraglide', 'README.md'];

/** A name of all sources but the test files, which `keyOf` looks at one by one. What is generated is no source. */
export function nameOfSources(folder = root) {
  const hash = createHash('sha256');
  const add = (/** @type {string} */ path) => {
    if (!statSync(path).isFile())
      for (const name of readdirSync(path).sort())
        name.startsWith('.') || GENERATED.includes(name) || add(join(path, name));
    else if (!/\.test\.tsx?$/.test(path)) hash.update(path).update(readFileSync(path));
  };
  for (const room of ROOMS) if (existsSync(join(folder, room))) add(join(folder, room));
  return hash.digest('hex').slice(0, 16);
}

/** @param {string} file @param {Part} part */
export const addPart = (file, part) => appendFileSync(file, `${JSON.stringify(part)}\n`);

/** The parts in a step's file, the latest of each. @param {string} file @returns {Part[]} */
export function partsIn(file) {
  /** @type {Map<string, Part>} */
  const parts = new Map();
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    // A run that was killed may leave half a line.
    if (!line.endsWith('}')) continue;
    const part = /** @type {Part} */ (JSON.parse(line));
    parts.set(part.part, part);
  }
  return [...parts.values()];
}

/** The parts that passed on what there is now. @param {Part[]} parts @param {string} played @returns {Part[]} */
export const stillGood = (parts, played) =>
  parts.filter(({ part, key, failures }) => failures.length === 0 && key === keyOf(part, played));
