// @ts-check
/**
 * `npm run timings` prints the last run of the tests beside the one before of its kind.
 *
 *   npm run timings -- [quick|test|full|all] [--markdown]
 *
 * `--markdown` prints the last three as the table of `docs/figures/tests.md`.
 */
import { parseArgs } from 'node:util';
import { comparison, markdown, runsKept } from './runner/timings.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { markdown: { type: 'boolean' } } });
const runs = runsKept();
const what = positionals.join(' ') || runs[0]?.what;
const alike = runs.filter((run) => run.what === what);
const [last, before] = alike;
if (!last) {
  console.error(`No run${what ? ` of ${what}` : ''} is kept; npm test keeps one.`);
  process.exitCode = 1;
} else console.log((values.markdown ? markdown(alike.reverse()) : comparison(last, before)).join('\n'));
