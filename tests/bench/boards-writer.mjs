// @ts-check
/**
 * Writes points until it is told to stop, `atOnce` in a transaction: as fast as it can, and from when it is told a number, so
 * many a second on a clock. Counts from when it is told to, and says with the number and at the end what it reached.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { quantile } from './instance.mjs';

const { work, url, communityId, userIds, atOnce } = workerData;
const { connectTo } = await import(`${work}/connect.js`);
const { record } = await import(`${work}/record.js`);
const sql = connectTo(url, { max: 1 });
/** Groups that are made up for when a group took longer than its time. */
const LATE_AT_MOST = 2;
let everyMs = 0;
let due = performance.now();
let stop = false;
let turn = 0;
/** @type {number[]} */
let groups = [];
let counted = performance.now();
const reached = () => ({
  perSecond: (groups.length * atOnce * 1_000) / (performance.now() - counted),
  groupMs: quantile(groups, 0.5),
});
parentPort?.on('message', (/** @type {'count' | 'stop' | number} */ word) => {
  if (word === 'stop') stop = true;
  if (word === 'count') {
    groups = [];
    counted = performance.now();
  }
  if (typeof word === 'number') {
    parentPort?.postMessage(reached());
    everyMs = (1_000 * atOnce) / word;
    due = performance.now();
  }
});
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
const whole = reached();
await sql.end();
parentPort?.postMessage(whole);
