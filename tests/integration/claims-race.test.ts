import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../support/built-server.ts';
import { runs } from '../support/chance.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { mismatches, stage } from '../support/engagement.ts';
import { startProcess } from '../support/storage-processes.ts';

const [PROCESSES, TIMES] = [3, 20];
const TASKS = runs(30, 200);

let db: TestDatabase;
let built: Awaited<ReturnType<typeof buildServer>>;
beforeAll(async () => {
  [db, built] = await Promise.all([createTestDatabase(), buildServer({ racer: 'tests/support/claim-racer.ts' })]);
});
afterAll(async () => {
  built?.remove();
  await db?.drop();
});

const AHEAD = 10;

describe(`${TIMES} identical claims at once, of ${TASKS} tasks, in ${PROCESSES} processes`, () => {
  it('are one claim and one award each', { timeout: 300_000 }, async () => {
    const on = stage(db.sql);
    const place = await on.community();
    const member = await on.member(place.id);
    const taskIds = await Promise.all(Array.from({ length: TASKS }, () => on.task(place, { points: 7 })));
    const order = { communityId: place.id, userId: member, times: TIMES, go: Date.now() + 3_000 };
    const racers = Array.from({ length: PROCESSES }, (_, at) => {
      // A few tasks ahead of each other, so that each wins some; who meets claimed ones soon catches up with the others.
      const own = [...taskIds.slice(at * AHEAD), ...taskIds.slice(0, at * AHEAD)];
      return startProcess(join(built.directory, 'racer.js'), {
        env: { DATABASE_URL: db.url },
        args: [JSON.stringify({ ...order, taskIds: own })],
      });
    });
    const lines = await Promise.all(racers.map((racer) => racer.line('results')));
    expect(await Promise.all(racers.map((racer) => racer.ended))).toEqual([0, 0, 0]);
    const total: Record<string, number> = {};
    for (const { results } of lines) {
      for (const [what, count] of Object.entries(results as Record<string, number>))
        total[what] = (total[what] ?? 0) + count;
    }
    expect(total).toEqual({ made: TASKS, ALREADY_CLAIMED: PROCESSES * TASKS * TIMES - TASKS });
    // Each process won some: they did run beside each other.
    for (const { results } of lines) expect((results as Record<string, number>)['made']).toBeGreaterThan(0);
    const awards = await db.sql`
      select task_id, count(*)::int as count, sum(points)::int as points from point_events
      where community_id = ${place.id} group by task_id`;
    expect(awards).toHaveLength(TASKS);
    expect(awards.every((row) => row['count'] === 1 && row['points'] === 7)).toBe(true);
    const claims = await db.sql`select count(*)::int as count from claims where community_id = ${place.id}`;
    expect(claims[0]?.['count']).toBe(TASKS);
    expect(await mismatches(db.sql, place.id)).toEqual([]);
  });
});
