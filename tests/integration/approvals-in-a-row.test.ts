/** A leader who decides as fast as anybody can is never told to wait, neither by the decisions nor by what the browser asks after each. */
import { expect, test } from 'vitest';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

const server = await ofFile(testServer({ sandbox: false }));

test('of twenty approvals in ten seconds and the four reads after each none is refused', async () => {
  const place = await community(server, (await server.person()).userId);
  const leader = await memberOf(server, place.id, 'leader');
  const { userId } = await memberOf(server, place.id, 'member');
  const [task] = await server.sql<[{ id: string }]>`
    insert into tasks (community_id, kind, title, points, recurrence, created_by)
    values (${place.id}, 'submit_text', 'Write', 5, 'daily', ${leader.userId}) returning id`;
  const now = server.runtime.now();
  const claims = await server.sql<{ id: string }[]>`
    insert into claims (community_id, task_id, user_id, period, state, points, evidence, acted_at, local_day, submitted_at)
    select ${place.id}, ${task.id}, ${userId}, 'day ' || n, 'submitted', 5, '{"kind": "submit_text", "text": "I was there"}',
      ${now}, ${now}, ${now} from generate_series(1, 20) n returning id`;
  const here = `/api/communities/${place.id}`;
  const statuses: number[] = [];
  for (const { id } of claims) {
    const decided = await server.command('POST', `${here}/claims/${id}/decision`, {
      cookie: leader.cookie,
      body: { decision: 'approve', version: 1 },
    });
    statuses.push(decided.status);
    for (const path of [`${here}/review`, `${here}/admin`, `${here}/claims/${id}/similar`, '/api/user/communities'])
      statuses.push((await server.request('GET', path, { cookie: leader.cookie })).status);
    server.advance(500);
  }
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(statuses).toHaveLength(100);
});
