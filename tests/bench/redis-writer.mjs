// @ts-check
/** Raises scores in Redis, `atOnce` points in a pipeline (10 ms worth of them, where ours are of 24), each on all `boards`. */
import { workerData } from 'node:worker_threads';
import { writeGroups } from './pacer.mjs';
import { connectRedis } from './redis.mjs';

const { path, userIds, boards, atOnce } = workerData;
const redis = connectRedis(path);
let turn = 0;
await writeGroups(atOnce, () => {
  const points = Array.from({ length: atOnce }, () => {
    turn += 1;
    return turn;
  });
  return redis.ask(
    points.flatMap((point) =>
      boards.map((/** @type {string} */ board) => [
        'ZINCRBY',
        board,
        1 + (point % 20),
        userIds[(point * 7_919) % userIds.length],
      ]),
    ),
  );
});
redis.close();
