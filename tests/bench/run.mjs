// @ts-check
/**
 * `npm run bench [-- name …]`: figures of this machine. One file beside this one makes one table; a row holds what was
 * measured next to its limit or to a peer that was measured in the same run. JSON goes to `tests/.artifacts/bench/`.
 * Ends with 1 when a budget is missed.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { root } from './instance.mjs';

/**
 * @typedef {object} Row
 * @property {string} metric
 * @property {number | null} ours null: it could not be measured, which misses every budget
 * @property {string} unit
 * @property {number} [most] budget: ours is at most this
 * @property {number} [least] budget: ours is at least this
 * @property {number} [peer] what the peer reached in the same run
 * @property {number} [share] budget: ours is at least this share of the peer
 */

const here = import.meta.dirname;
const results = join(root, 'tests/.artifacts/bench');
const tables = readdirSync(here)
  .filter((file) => file.endsWith('.table.mjs'))
  .map((file) => file.replace('.table.mjs', ''))
  .sort();

/** @param {number} value */
const rounded = (value) => (Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toFixed(2))));

/** @param {Row} row */
function line({ metric, ours, unit, most, least, peer, share }) {
  const beside = peer ?? most ?? least;
  const sign = peer === undefined ? (most === undefined ? '≥ ' : '≤ ') : '';
  const aim = share === undefined ? '' : ` (≥ ${share} ×)`;
  const limit = beside === undefined ? '' : `${sign}${rounded(beside)} ${unit}${aim}`;
  const ratio = beside && ours !== null ? rounded(ours / beside) : '';
  return `| ${metric} | ${ours === null ? 'none' : `${rounded(ours)} ${unit}`} | ${limit} | ${ratio} |`;
}

/** @param {Row} row */
function misses({ ours, most, least, peer, share }) {
  if (ours === null) return true;
  if (most !== undefined && ours > most) return true;
  if (least !== undefined && ours < least) return true;
  return share !== undefined && peer !== undefined && ours < share * peer;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !tables.includes(name));
if (unknown.length > 0) {
  console.error(`No such table: ${unknown.join(', ')}. There are: ${tables.join(', ')}`);
  process.exit(2);
}
mkdirSync(results, { recursive: true });
/** @type {string[]} */
const missed = [];
for (const name of asked.length > 0 ? asked : tables) {
  const before = loadavg()[0] ?? 0;
  const { measure } = /** @type {{ measure(): Promise<Row[]> }} */ (await import(`./${name}.table.mjs`));
  const rows = await measure();
  const load = [before, loadavg()[0] ?? 0].map((value) => value.toFixed(1)).join(' → ');
  console.log(`\n${name} (${cpus().length} cores, load ${load}, Node ${process.version})\n`);
  console.log('| metric | ours | peer or limit | ratio |\n|---|--:|--:|--:|');
  for (const row of rows) console.log(line(row));
  for (const row of rows.filter(misses)) missed.push(`${name}: ${row.metric}`);
  writeFileSync(
    join(results, `${name}.json`),
    JSON.stringify({ name, at: new Date().toISOString(), load, rows }, null, 1),
  );
}
if (missed.length > 0) console.log(`\nBudgets missed:\n${missed.map((words) => `- ${words}`).join('\n')}`);
process.exit(missed.length > 0 ? 1 : 0);
