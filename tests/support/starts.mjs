// @ts-check
/** Counts what is dear to start, for the figures of a run of the tests. Lines of `kind pid` in the file that `STARTS` names. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** @param {string} kind `instance` or `browser` */
export function countStart(kind) {
  if (process.env['STARTS']) appendFileSync(process.env['STARTS'], `${kind} ${process.pid}\n`);
}

/**
 * How many were started of each kind.
 * @param {string | undefined} file @param {number} [pid] by that process alone @returns {Record<string, number>}
 */
export function startsIn(file, pid) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const line of file && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    const [, kind, by] = /^(.+) (\d+)$/.exec(line) ?? [];
    if (kind && (pid === undefined || Number(by) === pid)) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/**
 * Starts a browser. One that does not come up is tried once more, which is counted and printed; nothing else of a test is.
 * @template T @param {() => Promise<T>} start @returns {Promise<T>}
 */
export async function startBrowser(start) {
  countStart('browser');
  try {
    return await start();
  } catch (error) {
    console.log(`The browser did not start, and is tried once more: ${error}`);
    countStart('browser again');
    return start();
  }
}
