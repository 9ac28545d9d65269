// @ts-check
/** Writes points by the ledger's own function, `atOnce` in a transaction. */
import { workerData } from 'node:worker_threads';
import { writeGroups } from './pacer.mjs';

const { work, url, communityId, userIds, atOnce } = workerData;
const { connectTo } = await import(`${work}/connect.js`);
const { recordPoints } = await import(`${work}/record.js`);
const sql = connectTo(url, { max: 1 });
let turn = 0;
await writeGroups(atOnce, () => {
  const events = Array.from({ length: atOnce }, () => {
    turn += 1;
    const userId = userIds[(turn * 7_919) % userIds.length];
    return { communityId, userId, kind: 'adjust', points: 1 + (turn % 20), actorId: null };
  });
  return sql.begin((/** @type {import('postgres').TransactionSql} */ tx) => recordPoints(tx, new Date(), events));
});
await sql.end();
