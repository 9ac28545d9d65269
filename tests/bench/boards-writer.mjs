// @ts-check
/** Writes points without a pause, so many in a transaction, until it is told to stop; then says how many. */
import { parentPort, workerData } from 'node:worker_threads';
import { quantile } from './instance.mjs';

const { work, url, communityId, userIds, atOnce } = workerData;
const { connectTo } = await import(`${work}/connect.js`);
const { record } = await import(`${work}/record.js`);
const sql = connectTo(url, { max: 1 });
let stop = false;
parentPort?.on('message', () => (stop = true));
let count = 0;
let turn = 0;
/** @type {number[]} */
const groups = [];
const begun = performance.now();
while (!stop) {
  const events = Array.from({ length: atOnce }, () => {
    turn += 1;
    const userId = userIds[(turn * 7_919) % userIds.length];
    return { communityId, userId, kind: 'adjust', points: 1 + (turn % 20), actorId: null };
  });
  const since = performance.now();
  await sql.begin((/** @type {import('postgres').TransactionSql} */ tx) => record(tx, new Date(), events));
  groups.push(performance.now() - since);
  count += events.length;
}
const seconds = (performance.now() - begun) / 1_000;
await sql.end();
parentPort?.postMessage({ perSecond: count / seconds, groupMs: quantile(groups, 0.5) });
