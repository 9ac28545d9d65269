import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ASSISTANT_QUESTIONS_PER_DAY, MODEL_PER_DAY } from '../../server/contract/limits.ts';
import { type AssistantCall, answer } from '../../server/features/assistant/answer.ts';
import { takeQuestion } from '../../server/features/assistant/quota.ts';
import { createMeter } from '../../server/integrations/ai/meter.ts';
import { createProvider } from '../../server/integrations/ai/provider.ts';
import { startStandIn } from '../support/ai-provider.ts';
import { ask } from '../support/ask.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { community, join, memberOf } from '../support/world.ts';

let mira: { userId: string; cookie: string };

const model = await ofFile(startStandIn());
const server = await ofFile(
  testServer({
    sandbox: false,
    env: { AI_BASE_URL: model.baseUrl, AI_API_KEY: 'key-of-the-operator', AI_MODEL: 'stand-in' },
  }),
);
const leader = await server.person({ name: 'Ilse' });
const place = await community(server, leader.userId);
await server.sql`update communities set rules = 'Dogs walk on a lead.' where id = ${place.id}`;

beforeEach(async () => {
  model.prompts.length = 0;
  mira = await memberOf(server, place.id, 'member');
});

const leftOf = async () => (await server.request('GET', '/api/assistant', { cookie: mira.cookie })).json.left;
const lastPrompt = () => model.prompts.at(-1)?.messages ?? [];

describe('an answer', () => {
  test('comes piece by piece, with the sources that it cites and no others', async () => {
    model.act(() => ({ say: ['Seven counted days ', 'earn one [', '1]. More ', 'stands there [99][1, 42].'] }));
    const heard = await ask(server, mira.cookie, { question: 'How do I earn a freeze?' });
    expect(heard.text).toBe('Seven counted days earn one [1]. More stands there [1].');
    expect(heard.events.filter(({ event }) => event === 'text').length).toBeGreaterThan(1);
    expect(heard.end).toMatchObject({
      event: 'done',
      data: { sources: [{ number: 1, kind: 'guide', href: '/how-to-use#streaks-how-do-i-earn-a-freeze' }], left: 19 },
    });
    expect(model.prompts[0]).toMatchObject({ model: 'stand-in' });
    expect(model.prompts[0]?.headers.authorization).toBe('Bearer key-of-the-operator');
  });

  test('looks up what the member may read: rules, tasks, claims with reasons, standing, announcements', async () => {
    await server.sql`
      insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day, decided_at, reason)
      values (${place.id}, ${place.taskId}, ${mira.userId}, 'once', 'rejected', 5, now(), current_date, now(), 'Too dark to read')`;
    await server.sql`
      insert into announcements (community_id, title, body, created_by)
      select ${place.id}, 'The hut is closed', 'Until May', user_id from community_members where community_id = ${place.id} limit 1`;
    const names = ['community_rules', 'my_tasks', 'my_claims', 'announcements'];
    model.act((_, round) =>
      round === 0
        ? {
            call: [
              ...names.map((name) => ({ name, arguments: { community: place.slug } })),
              { name: 'my_standing', arguments: {} },
              { name: 'search_guides', arguments: { query: 'appeal' } },
            ],
          }
        : { say: ['Read it all.'] },
    );
    const heard = await ask(server, mira.cookie, { question: 'What is going on?' });
    expect(heard.end?.event).toBe('done');
    expect(heard.events.flatMap((one) => (one.event === 'read' ? one.data.tool : []))).toEqual([
      ...names,
      'my_standing',
      'search_guides',
    ]);
    const told = lastPrompt()
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content);
    expect(told[0]).toContain('Dogs walk on a lead.');
    expect(told[1]).toContain('Check in');
    expect(told[2]).toContain('Too dark to read');
    expect(told[3]).toContain('The hut is closed');
    expect(told[4]).toContain('Streak: 0 days');
    expect(told[5]).toContain('within 14 days');
  });

  test('is about nobody’s community but the member’s own', async () => {
    const other = await community(server, (await server.person()).userId, { visibility: 'private' });
    await server.sql`update communities set rules = 'The secret rule' where id = ${other.id}`;
    const names = ['community_rules', 'my_tasks', 'my_claims', 'announcements'];
    model.act((_, round) =>
      round === 0
        ? {
            call: [other.slug, other.id].flatMap((one) =>
              names.map((name) => ({ name, arguments: { community: one } })),
            ),
          }
        : { say: ['Nothing.'] },
    );
    await ask(server, mira.cookie, { question: 'What are their rules?' });
    const told = lastPrompt().filter(({ role }) => role === 'tool');
    expect(told.length).toBeGreaterThan(0);
    for (const { content } of told) expect(content).toBe('The member belongs to no such community.');
  });

  test('knows what was asked and answered before', async () => {
    model.act(() => ({ say: ['Yes.'] }));
    const earlier = [{ question: 'What is a gate?', answer: 'Five strokes.' }];
    await ask(server, mira.cookie, { question: 'And why five?', earlier });
    expect(lastPrompt().map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(lastPrompt()[2]?.content).toBe('Five strokes.');
  });

  test('that is stopped stops the model too', async () => {
    model.act(() => ({ say: Array.from({ length: 400 }, (_, at) => `word ${at} `), pauseMs: 20 }));
    const before = model.aborted();
    const heard = await ask(server, mira.cookie, { question: 'Tell me all' }, (text) => text.length < 40);
    expect(heard.text.length).toBeGreaterThan(0);
    await vi.waitFor(() => expect(model.aborted()).toBe(before + 1), { timeout: 5_000 });
    expect(model.prompts).toHaveLength(1);
  });
});

describe('a model that fails', () => {
  test.each([
    ['answers 500', { status: 500 } as const],
    ['answers 429 and names a time', { status: 429, retryAfter: '1' } as const],
    ['breaks off', { fault: 'cut' } as const],
    ['answers garbage', { fault: 'garbage' } as const],
    ['says nothing', { say: [] }],
  ])('%s: the page is told, and that the question was counted', async (_, act) => {
    model.act(() => act);
    const heard = await ask(server, mira.cookie, { question: 'How do I appeal?' });
    const left = ASSISTANT_QUESTIONS_PER_DAY - 1;
    expect(heard.end).toEqual({ event: 'failed', data: { reason: 'empty', left, isCounted: true } });
    expect(await leftOf()).toBe(left);
  });

  test('once is asked again before that is said', async () => {
    let tries = 0;
    model.act(() => {
      tries += 1;
      return tries === 1 ? { status: 503 } : { say: ['Here I am.'] };
    });
    const heard = await ask(server, mira.cookie, { question: 'Are you there?' });
    expect(heard.text).toBe('Here I am.');
    expect(tries).toBe(2);
  });

  test.each([
    ['does not answer', { fault: 'hang' } as const],
    ['falls silent', { fault: 'silent' } as const],
    ['is slower than anybody waits', { say: Array.from({ length: 100 }, () => 'slow '), pauseMs: 100 }],
  ])('%s: it is late, and its connection is closed', async (_, act) => {
    model.act(() => act);
    const before = model.aborted();
    const meter = createMeter();
    const provider = createProvider({ baseUrl: model.baseUrl, apiKey: null, model: 'stand-in' }, 400, meter);
    const events = [];
    for await (const event of answer(
      askedOf({ provider: provider as NonNullable<typeof provider>, meter, deadlineMs: 2_500 }),
    ))
      events.push(event);
    expect(events.at(-1)).toEqual({ event: 'failed', data: { reason: 'late', left: 7, isCounted: true } });
    expect(meter.spent().calls).toBe(1);
    await vi.waitFor(() => expect(model.aborted()).toBeGreaterThan(before));
  });
});

const askedOf = (over: Partial<AssistantCall> & Pick<AssistantCall, 'provider' | 'meter'>): AssistantCall => ({
  reader: { sql: server.sql, actor: { userId: mira.userId, timeZone: 'UTC' } as never, mine: [], now: new Date() },
  question: { question: 'How do I appeal?' },
  settle: async () => ({ left: 7, isCounted: true }),
  log: { warn: () => undefined } as never,
  gone: new AbortController().signal,
  ...over,
});

describe('questions of a day', () => {
  test('are counted down for the member, and end', async () => {
    model.act(() => ({ say: ['Yes.'] }));
    expect(await leftOf()).toBe(ASSISTANT_QUESTIONS_PER_DAY);
    await ask(server, mira.cookie, { question: 'One?' });
    expect(await leftOf()).toBe(ASSISTANT_QUESTIONS_PER_DAY - 1);
    const asker = { userId: mira.userId, communityId: place.id, now: server.runtime.now() };
    for (let at = 1; at < ASSISTANT_QUESTIONS_PER_DAY; at += 1) await takeQuestion(server.sql, asker);
    model.prompts.length = 0;
    const heard = await ask(server, mira.cookie, { question: 'One more?' });
    expect([heard.status, heard.reason]).toEqual([429, 'QUESTIONS_USED_UP']);
    expect(model.prompts).toEqual([]);
    expect(await leftOf()).toBe(0);
  });

  test('are counted for all together, and the last one is given once', async () => {
    const now = new Date('2030-01-01T12:00:00Z');
    const people = [];
    for (let at = 0; at < 6; at += 1) people.push((await memberOf(server, place.id, 'member')).userId);
    const all = { ...MODEL_PER_DAY.all, questions: 4 };
    const taken = await Promise.allSettled(
      people.map((userId) =>
        takeQuestion(server.sql, { userId, communityId: place.id, now }, { ...MODEL_PER_DAY, all }),
      ),
    );
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    const [{ count } = { count: 0 }] = await server.sql<{ count: number }[]>`
      select sum(count)::int as count from assistant_questions where day = '2030-01-01'`;
    expect(count).toBe(4);
  });
});

test('an instance without a model has none to ask, and says so', async () => {
  const plain = await testServer({ sandbox: false });
  const person = await plain.person();
  await join(plain.sql, (await community(plain, person.userId)).id, person.userId, 'member');
  const state = await plain.request('GET', '/api/assistant', { cookie: person.cookie });
  expect(state.json).toEqual({ hasModel: false, perDay: 0, left: 0 });
  const heard = await ask(plain, person.cookie, { question: 'Anybody?' });
  expect([heard.status, heard.reason]).toEqual([409, 'NO_MODEL']);
  await plain.close();
});
