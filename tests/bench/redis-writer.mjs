// @ts-check
/**
 * Raises scores in Redis until it is told to stop: `perSecond` points a second on a clock, in groups of 10 ms (ours are
 * of 24), each point on all `boards`. Counts from when it is told to and says how many there were.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { connectRedis } from './redis.mjs';

const { path, userIds, boards, perSecond } = workerData;
const redis = connectRedis(path);
const everyMs = 10;
const each = (perSecond * everyMs) / 1_000;
let stop = false;
let groups = 0;
let counted = performance.now();
parentPort?.on('message', (word) => {
  if (word === 'stop') stop = true;
  if (word === 'count') [groups, counted] = [0, performance.now()];
});
let due = performance.now();
for (let turn = 0; !stop; turn += each) {
  const points = Array.from({ length: each }, (_, at) => turn + at);
  await redis.ask(
    points.flatMap((point) =>
      boards.map((/** @type {string} */ board) => [
        'ZINCRBY',
        board,
        1 + (point % 20),
        userIds[(point * 7_919) % userIds.length],
      ]),
    ),
  );
  groups += 1;
  due = Math.max(due + everyMs, performance.now() - 2 * everyMs);
  await new Promise((done) => setTimeout(done, due - performance.now()));
}
const seconds = (performance.now() - counted) / 1_000;
redis.close();
parentPort?.postMessage({ perSecond: (groups * each) / seconds, groupMs: Number.NaN });
