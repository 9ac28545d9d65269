/** A server process that claims the tasks of its order, each so many times at the same moment. */

import { HttpError } from '../../server/base/http-error.ts';
import { claimTask } from '../../server/features/claims/claim.ts';
import { connectTo } from '../../server/storage/connect.ts';

type Order = { communityId: string; userId: string; taskIds: string[]; times: number; go: number };

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const sql = connectTo(process.env['DATABASE_URL'] ?? '', { max: 20 });
await sql`select 1`;
say({ ready: true });

const order = JSON.parse(process.argv[2] ?? '') as Order;
const results: Record<string, number> = {};
const count = (what: string) => {
  results[what] = (results[what] ?? 0) + 1;
};
const { communityId, userId, taskIds, times, go } = order;
await new Promise((done) => setTimeout(done, Math.max(0, go - Date.now())));
for (const taskId of taskIds) {
  const asked = { communityId, taskId, userId, timeZone: 'UTC', now: new Date() };
  const outcomes = await Promise.allSettled(
    Array.from({ length: times }, () => sql.begin((tx) => claimTask(tx, asked, {}))),
  );
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') count('made');
    else count(outcome.reason instanceof HttpError ? outcome.reason.reason : String(outcome.reason));
  }
}
await sql.end();
say({ results });
