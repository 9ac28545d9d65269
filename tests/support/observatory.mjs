// @ts-check
/**
 * HTTP Observatory's verdict on localhost, as JSON on standard output.
 * Usage: node observatory.mjs <folder of the package> <port of http> <port of https>
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [home = '', httpPort, httpsPort] = process.argv.slice(2);
// Its install script would download the browsers' list of preloaded hosts, in which localhost is not.
writeFileSync(join(home, 'conf/hsts-preload.json'), '{}');
/** @param {string} file */
const load = (file) => import(pathToFileURL(join(home, 'src', file)).href);
const { retrieve } = await load('retriever/retriever.js');
const { ALL_TESTS } = await load('constants.js');
const { getGradeForScore, getScoreModifier } = await load('grader/grader.js');
const { MINIMUM_SCORE_FOR_EXTRA_CREDIT } = await load('grader/charts.js');

const retrieved = await retrieve('localhost', { httpPort: Number(httpPort), httpsPort: Number(httpsPort) });
if (!retrieved.responses.auto) throw new Error('nothing answers');
/** @type {{ test: string, result: string | null, pass: boolean, points: number }[]} */
const rows = ALL_TESTS.map((/** @type {(retrieved: unknown) => any} */ run) => {
  const found = run(retrieved);
  const points = found.result === null ? 0 : getScoreModifier(found.result);
  return { test: found.constructor.name, result: found.result, pass: found.pass, points };
});
let asked = 100;
let all = 100;
for (const { points } of rows) {
  asked += Math.min(points, 0);
  all += points;
}
// Credit for more than is asked counts only for who does nearly all that is asked.
const { grade, score } = getGradeForScore(asked >= MINIMUM_SCORE_FOR_EXTRA_CREDIT ? all : asked);
console.log(JSON.stringify({ grade, score, rows }));
