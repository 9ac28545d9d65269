import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES, fill } from '../support/samples.ts';
import { type Reply, testServer } from '../support/server.ts';
import { community, memberOf, type Role } from '../support/world.ts';

const EXPLANATION = 'Because the hut stands at 1,204 metres';
const setup = {
  kind: 'quiz',
  passPercent: 100,
  questions: [
    {
      id: 'height',
      text: 'How high is the hut?',
      options: [
        { id: 'low', text: 'Low' },
        { id: 'high', text: 'High' },
      ],
      correct: ['high'],
      explanation: EXPLANATION,
    },
  ],
};

const people = {} as Record<Role, { userId: string; cookie: string }>;

const send = (method: string, path: string, role: Role, body?: unknown): Promise<Reply> =>
  server.command(method, `/api/communities/${place.id}${path}`, { cookie: people[role].cookie, body });
const server = await ofFile(testServer({ sandbox: false }));
const place = await community(server, (await server.person()).userId);
for (const role of ['leader', 'moderator', 'member'] as const) people[role] = await memberOf(server, place.id, role);
const made = await send('POST', `/tasks`, 'leader', {
  setup,
  title: 'The hut',
  instructions: '',
  points: 5,
  recurrence: 'daily',
});
expect(made.status).toBe(201);
const taskId = made.json.id;
const leaks = ({ text }: Reply) => /"correct"|"right":\[/.test(text) || text.includes(EXPLANATION);
const attempt = (optionIds: string[], ms: number) => ({
  evidence: {
    kind: 'quiz',
    startedAt: new Date(server.runtime.now().getTime() - ms).toISOString(),
    answers: [{ questionId: 'height', optionIds }],
  },
});

describe('the answers of a quiz', () => {
  it('are in no answer of the server to who may still take it, whatever they ask for and however their try went', async () => {
    const replies = new Map<string, Reply>();
    const failed = await send('POST', `/tasks/${taskId}/claims`, 'member', attempt(['low'], 60_000));
    expect(failed.json).toMatchObject({ state: 'rejected', reason: '0 of 1 right, 1 needed' });
    replies.set('a failed try', failed);
    const hasty = await send('POST', `/tasks/${taskId}/claims`, 'moderator', attempt(['high'], 0));
    expect(hasty.json.state).toBe('checking');
    replies.set('a try that is looked at', hasty);
    const decided = await send('POST', `/claims/${hasty.json.id}/decision`, 'leader', { decision: 'approve' });
    expect(decided.json.state).toBe('approved');
    replies.set('a decision', decided);
    replies.set(
      'a refusal',
      await send('POST', `/tasks/${taskId}/claims`, 'member', { evidence: { kind: 'check_in' } }),
    );
    const ids = { communityId: place.id, taskId, claimId: hasty.json.id, userId: people.member.userId };
    let read = 0;
    const readers = { member: people.member, moderator: await memberOf(server, place.id, 'moderator') };
    // The description of the API names the field, and holds nobody's task.
    const asked = ALL_ROUTES.filter(({ method, path }) => method === 'GET' && !path.endsWith('/openapi.json'));
    for (const { key, path } of asked) {
      for (const role of ['member', 'moderator'] as const) {
        const missing = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [name, randomUUID()]));
        const query = key.includes('/exports/') ? '?format=ndjson' : '';
        const url = fill(path, { ...missing, ...ids }) + query;
        const reply = await server.request('GET', url, { cookie: readers[role].cookie });
        replies.set(`${key} as ${role}`, reply);
        if (reply.status === 200 && reply.text.includes(taskId)) read += 1;
      }
    }
    // They did meet the task, and more than once.
    expect(read).toBeGreaterThan(5);
    expect([...replies].filter(([, reply]) => leaks(reply)).map(([name]) => name)).toEqual([]);
    expect((await send('GET', '/tasks', 'moderator')).json.items[0].setup).toBe(null);
    expect(leaks(await send('GET', '/tasks', 'leader'))).toBe(true);
  });

  it('as another member gave them, and the right ones, are told to who reviews, but to no moderator who may still take it', async () => {
    const fresh = await memberOf(server, place.id, 'moderator');
    const other = await memberOf(server, place.id, 'member');
    const by = (cookie: string) => (method: string, path: string, body?: unknown) =>
      server.command(method, `/api/communities/${place.id}${path}`, { cookie, body });
    const claimed = await by(other.cookie)('POST', `/tasks/${taskId}/claims`, attempt(['high'], 0));
    expect(claimed.json).toMatchObject({ state: 'checking', evidence: { kind: 'quiz' } });
    const { id } = claimed.json;
    const approve = { decision: 'approve' };
    const asked = async (send: ReturnType<typeof by>) => [
      await send('GET', '/admin'),
      await send('GET', '/review'),
      await send('GET', '/review?state=checking'),
      await send('GET', `/claims/${id}`),
    ];
    const decided = async (send: ReturnType<typeof by>) => [
      await send('POST', `/claims/${id}/decision`, approve),
      await send('POST', `/claims/${id}/decision`, approve),
      await send('POST', '/decisions', { decisions: [{ claimId: id, ...approve }] }),
      await send('GET', '/review?state=approved'),
    ];
    const told = (replies: Reply[]) =>
      replies.map((reply) => [reply.text.includes(id), /"answers":\[\{/.test(reply.text), leaks(reply)] as const);
    // A leader, and a moderator who has passed it (above), read the answers, and in the queue the right ones.
    expect(told(await asked(by(people.leader.cookie)))).toEqual([
      [true, true, true],
      [true, true, true],
      [true, true, true],
      [true, true, false],
    ]);
    expect(told((await asked(by(people.moderator.cookie))).slice(0, 3))).toEqual([
      [true, true, true],
      [true, true, true],
      [true, true, true],
    ]);
    const moderated = [...(await asked(by(fresh.cookie))), ...(await decided(by(fresh.cookie)))];
    expect(told(moderated).map(([isThere]) => isThere)).toEqual(moderated.map(() => true));
    expect(told(moderated).filter(([, hasAnswers, leaksRight]) => hasAnswers || leaksRight)).toEqual([]);
    expect(moderated[5]?.json.reason).toBe('ALREADY_DECIDED');
  });

  it('have no place in any answer but the leaders’ tasks and packs, and the review', () => {
    const holding = (field: string) =>
      ALL_ROUTES.filter(({ declaration: { output } }) => {
        const schema = output && z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' });
        return schema && JSON.stringify(schema).includes(`"${field}"`);
      }).map(({ key }) => key);
    const ofPacks = [
      'POST /api/communities/:communityId/quiz-packs',
      'GET /api/communities/:communityId/quiz-packs/:packId',
      'PUT /api/communities/:communityId/quiz-packs/:packId',
    ];
    expect(holding('correct')).toEqual(['GET /api/communities/:communityId/tasks', ...ofPacks]);
    expect(holding('right')).toEqual([
      'GET /api/communities/:communityId/admin',
      'GET /api/communities/:communityId/review',
      ...ofPacks,
    ]);
    // What an attempt was about is told to who has passed it, and to nobody before.
    expect(holding('key').filter((route) => /quiz|attempts/.test(route))).toEqual([
      'GET /api/quiz',
      'POST /api/quiz/attempts',
      'POST /api/quiz/attempts/:attemptId/answers',
      'POST /api/communities/:communityId/tasks/:taskId/attempts',
    ]);
  });
});
