// @ts-check
/**
 * Writes points until it is told to stop, `atOnce` in a transaction: `perSecond` of them a second on a clock, or (null) as
 * fast as they go. Counts from when it is told to and says how many there were.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { quantile } from './instance.mjs';

const { work, url, communityId, userIds, atOnce, perSecond } = workerData;
const { connectTo } = await import(`${work}/connect.js`);
const { record } = await import(`${work}/record.js`);
const sql = connectTo(url, { max: 1 });
const everyMs = perSecond === null ? 0 : (1_000 * atOnce) / perSecond;
/** Groups that are made up for when a group took longer than its time. */
const LATE_AT_MOST = 2;
let stop = false;
let turn = 0;
/** @type {number[]} */
let groups = [];
let counted = performance.now();
parentPort?.on('message', (word) => {
  if (word === 'stop') stop = true;
  counted = word === 'count' ? performance.now() : counted;
  if (word === 'count') groups = [];
});
let due = performance.now();
while (!stop) {
  const events = Array.from({ length: atOnce }, () => {
    turn += 1;
    const userId = userIds[(turn * 7_919) % userIds.length];
    return { communityId, userId, kind: 'adjust', points: 1 + (turn % 20), actorId: null };
  });
  const since = performance.now();
  await sql.begin((/** @type {import('postgres').TransactionSql} */ tx) => record(tx, new Date(), events));
  groups.push(performance.now() - since);
  due = Math.max(due + everyMs, performance.now() - LATE_AT_MOST * everyMs);
  const early = due - performance.now();
  if (early > 0) await new Promise((done) => setTimeout(done, early));
}
const seconds = (performance.now() - counted) / 1_000;
await sql.end();
parentPort?.postMessage({ perSecond: (groups.length * atOnce) / seconds, groupMs: quantile(groups, 0.5) });
