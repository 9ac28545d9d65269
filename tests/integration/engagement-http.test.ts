import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Key } from '../../server/contract/routes.ts';
import { routes } from '../../server/contract/routes.ts';
import { type Reply, type TestServer, testServer } from '../support/server.ts';
import { changes } from '../support/world.ts';

type Person = { userId: string; cookie: string };

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ sandbox: false });
});
afterAll(() => server.close());

let keys = 0;
/** One request; commands get an idempotency key of their own unless one is given. */
function ask(person: Person | null, method: string, path: string, body?: unknown, key?: string): Promise<Reply> {
  keys += 1;
  return server.request(method, path, {
    ...(person ? { cookie: person.cookie } : {}),
    ...(body === undefined ? {} : { body }),
    ...(method === 'GET' ? {} : { headers: { 'idempotency-key': key ?? `test-${keys}` } }),
  });
}
/** The answer, checked against what the contract promises for the route. */
function promised(key: Key, reply: Reply) {
  const declared = routes[key];
  expect(reply.status, reply.text).toBe('status' in declared ? declared.status : 200);
  if ('output' in declared) z.parse(declared.output as z.ZodMiniType, reply.json);
  return reply.json;
}

let places = 0;
async function place() {
  places += 1;
  const [leader, moderator, member] = [await server.person(), await server.person(), await server.person()];
  const made = promised(
    'POST /api/communities',
    await ask(leader, 'POST', '/api/communities', {
      name: `Ridge & Valley ${places}`,
      slug: `ridge-${places}`,
      description: 'We walk',
    }),
  );
  const base = `/api/communities/${made.id}`;
  for (const person of [moderator, member]) {
    promised('POST /api/communities/:communityId/join', await ask(person, 'POST', `${base}/join`));
  }
  await server.sql`
    update community_members set role = 'moderator' where community_id = ${made.id} and user_id = ${moderator.userId}`;
  const task = async (kind: 'check_in' | 'submit_text', points: number, recurrence = 'daily') =>
    promised(
      'POST /api/communities/:communityId/tasks',
      await ask(leader, 'POST', `${base}/tasks`, {
        setup: { kind },
        title: 'A task',
        instructions: '',
        points,
        recurrence,
      }),
    ).id as string;
  return { id: made.id as string, slug: made.slug as string, base, leader, moderator, member, task };
}
const awardsOf = (taskId: string) => server.sql`select points from point_events where task_id = ${taskId}`;

describe('a community’s day, over HTTP', () => {
  it('goes from a claim to the board, and every answer keeps the contract', async () => {
    const { base, slug, leader, member, moderator, task } = await place();
    const [checkIn, text] = [await task('check_in', 15), await task('submit_text', 35, 'once')];

    const counted = promised(
      'POST /api/communities/:communityId/tasks/:taskId/claims',
      await ask(member, 'POST', `${base}/tasks/${checkIn}/claims`, {}),
    );
    expect(counted).toMatchObject({ state: 'approved', points: 15 });
    const sent = promised(
      'POST /api/communities/:communityId/tasks/:taskId/claims',
      await ask(member, 'POST', `${base}/tasks/${text}/claims`, {
        evidence: { kind: 'submit_text', text: 'my words' },
      }),
    );

    const before = promised(
      'GET /api/communities/:communityId/dashboard',
      await ask(member, 'GET', `${base}/dashboard`),
    );
    expect(before).toMatchObject({ points: 15, rank: 1, pendingPoints: 35, streakDays: 1, countedToday: true });
    const room = promised('GET /api/communities/:communityId/admin', await ask(moderator, 'GET', `${base}/admin`));
    expect(room.queue).toHaveLength(1);

    const decision = `${base}/claims/${sent.id}/decision`;
    promised(
      'POST /api/communities/:communityId/claims/:claimId/decision',
      await ask(moderator, 'POST', decision, { decision: 'approve' }),
    );
    expect(await ask(moderator, 'POST', decision, { decision: 'reject', reason: 'too late' })).toMatchObject({
      status: 409,
      json: { reason: 'ALREADY_DECIDED', details: { claim: { id: sent.id, state: 'approved' } } },
    });

    for (const period of ['today', 'week', 'month', 'all']) {
      const board = promised(
        'GET /api/communities/:communityId/leaderboard',
        await ask(member, 'GET', `/api/communities/${slug}/leaderboard?period=${period}`),
      );
      expect(board).toMatchObject({ period, me: { points: 50, rank: 1 }, pendingPoints: 0 });
    }
    expect(await ask(null, 'GET', `${base}/leaderboard?period=season`)).toMatchObject({
      status: 409,
      json: { reason: 'NO_SEASON' },
    });
    const one = promised(
      'GET /api/communities/:communityId/tasks/:taskId',
      await ask(member, 'GET', `${base}/tasks/${text}`),
    );
    expect(one.claim.state).toBe('approved');

    const profile = promised('GET /api/user/profile', await ask(member, 'GET', '/api/user/profile'));
    expect(profile).toMatchObject({ points: 50, streak: { days: 1 }, relinkAllowedAt: null });
    expect(profile.ledger.map((entry: { points: number }) => entry.points)).toEqual([35, 15]);
    expect(promised('GET /api/user/communities', await ask(member, 'GET', '/api/user/communities'))).toMatchObject([
      { slug, points: 50, rank: 1, todo: 0, waiting: 0, toReview: 0 },
    ]);
    const detail = promised('GET /api/communities/:communityId', await ask(null, 'GET', `/api/communities/${slug}`));
    expect(detail).toMatchObject({ slug, members: 3, role: null, top: [{ points: 50 }] });
    promised('GET /api/communities', await ask(null, 'GET', '/api/communities'));

    const archived = promised(
      'PATCH /api/communities/:communityId/tasks/:taskId',
      await ask(leader, 'PATCH', `${base}/tasks/${checkIn}`, { status: 'archived' }),
    );
    expect(archived.status).toBe('archived');
    server.advance(86_400_000);
    expect(await ask(member, 'POST', `${base}/tasks/${checkIn}/claims`, {})).toMatchObject({
      status: 409,
      json: { reason: 'TASK_CLOSED' },
    });
    promised('POST /api/communities/:communityId/leave', await ask(member, 'POST', `${base}/leave`));
    const empty = promised(
      'GET /api/communities/:communityId/leaderboard',
      await ask(null, 'GET', `${base}/leaderboard`),
    );
    expect(empty).toMatchObject({ top: [], members: 2 });
  });
});

describe('a claim that is sent again and again', () => {
  it('with one key gets one answer and one award, twenty times at once', async () => {
    const { base, member, task } = await place();
    const taskId = await task('check_in', 5);
    const sent = Array.from({ length: 20 }, () =>
      ask(member, 'POST', `${base}/tasks/${taskId}/claims`, {}, `same-${taskId}`),
    );
    const replies = await Promise.all(sent);
    expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(201));
    for (const reply of replies) expect(reply.json).toEqual(replies[0]?.json);
    expect(replies.filter((reply) => reply.headers.get('idempotency-replayed') === 'true')).toHaveLength(19);
    expect(await awardsOf(taskId)).toHaveLength(1);
  });

  it('with ten keys at once gets one award, and nine are told which claim stands', async () => {
    const { base, member, task } = await place();
    const taskId = await task('check_in', 5);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => ask(member, 'POST', `${base}/tasks/${taskId}/claims`, {})),
    );
    const made = replies.filter((reply) => reply.status === 201);
    expect(made).toHaveLength(1);
    for (const reply of replies) {
      if (reply.status === 201) continue;
      expect(reply).toMatchObject({
        status: 409,
        json: { reason: 'ALREADY_CLAIMED', details: { claim: { id: made[0]?.json.id } } },
      });
    }
    expect(await awardsOf(taskId)).toHaveLength(1);
  });
});

describe('two communities', () => {
  it('never touch: the members and leaders of one change nothing in the other, by whatever mix of ids', async () => {
    const [ours, theirs] = [await place(), await place()];
    const [ourTask, theirTask, theirText] = [
      await ours.task('check_in', 5),
      await theirs.task('check_in', 5),
      await theirs.task('submit_text', 5),
    ];
    const theirClaim = (
      await ask(theirs.member, 'POST', `${theirs.base}/tasks/${theirText}/claims`, {
        evidence: { kind: 'submit_text', text: 'theirs' },
      })
    ).json.id;
    const before = await changes(server.sql);
    for (const person of [ours.member, ours.moderator, ours.leader]) {
      for (const base of [ours.base, theirs.base, `/api/communities/${theirs.slug}`]) {
        const attempts: [string, string, unknown?][] = [
          ['POST', `${base}/tasks/${theirTask}/claims`, {}],
          ['POST', `${base}/tasks/${theirText}/claims`, { evidence: { kind: 'submit_text', text: 'ours' } }],
          ['PATCH', `${base}/tasks/${theirTask}`, { title: 'Ours now' }],
          ['GET', `${base}/tasks/${theirTask}`],
          ['POST', `${base}/claims/${theirClaim}/decision`, { decision: 'approve' }],
        ];
        if (base !== ours.base) {
          attempts.push(
            ['POST', `${base}/tasks/${ourTask}/claims`, {}],
            [
              'POST',
              `${base}/tasks`,
              { setup: { kind: 'check_in' }, title: 'Ours', instructions: '', points: 1, recurrence: 'once' },
            ],
            ['POST', `${base}/leave`],
            ['GET', `${base}/dashboard`],
            ['GET', `${base}/admin`],
          );
        }
        for (const [method, path, body] of attempts) {
          const reply = await ask(person, method, path, body);
          expect([403, 404], `${method} ${path}: ${reply.text}`).toContain(reply.status);
          expect(reply.text).not.toContain('A task');
        }
      }
    }
    expect(await changes(server.sql)).toEqual(before);
  });

  it('refuse fields that are the server’s to decide', async () => {
    const { base, leader, member, task } = await place();
    const taskId = await task('check_in', 5);
    for (const [person, path, body] of [
      [member, `${base}/tasks/${taskId}/claims`, { points: 1_000 }],
      [member, `${base}/tasks/${taskId}/claims`, { state: 'approved' }],
      [
        leader,
        `${base}/tasks`,
        {
          setup: { kind: 'check_in' },
          title: 'A task',
          instructions: '',
          points: 1,
          recurrence: 'once',
          community_id: base,
        },
      ],
      [member, '/api/communities', { name: 'Mine', slug: 'mine-alone', description: '', status: 'active' }],
    ] as const) {
      expect(await ask(person, 'POST', path, body)).toMatchObject({ status: 400, json: { reason: 'INVALID_INPUT' } });
    }
    expect(await awardsOf(taskId)).toEqual([]);
  });
});
