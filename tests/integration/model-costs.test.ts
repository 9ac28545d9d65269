import { createServer, type ServerResponse } from 'node:http';
import { createServer as listener } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  ASSISTANT_QUESTIONS_PER_DAY,
  MODEL_PER_DAY,
  QUESTION_BYTES_MAX,
  QUESTION_CALLS_MAX,
  QUESTIONS_GIVEN_BACK_PER_DAY,
  TOOL_RESULT_BYTES_MAX,
} from '../../server/contract/limits.ts';
import { answer } from '../../server/features/assistant/answer.ts';
import { questionsLeft, settleQuestion, takeQuestion } from '../../server/features/assistant/quota.ts';
import { createMeter } from '../../server/integrations/ai/meter.ts';
import { createProvider } from '../../server/integrations/ai/provider.ts';
import { type Act, chunk, type Prompt, startStandIn } from '../support/ai-provider.ts';
import { ask } from '../support/ask.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

const model = await ofFile(startStandIn());
const server = await ofFile(testServer({ sandbox: false, env: { AI_BASE_URL: model.baseUrl, AI_MODEL: 'stand-in' } }));
const place = await community(server, (await server.person({ name: 'Ilse' })).userId);
const rules = Array.from({ length: 300 }, (_, at) => `${at + 1}. ${'Псы идут на поводке. '.repeat(30)}`);
await server.sql`update communities set rules = ${rules.join('\n').slice(0, 20_000)} where id = ${place.id}`;

beforeEach(() => {
  model.prompts.length = 0;
  model.paid.calls = 0;
  model.paid.sent = 0;
});

type Row = { count: number; open: number; calls: number; sent: number; received: number };
const NUMBERS = 'count, open, calls, sent::int as sent, received::int as received';
const rowOf = async (table: string, column: string, id: string): Promise<Row> => {
  const [row] = await server.sql.unsafe<Row[]>(`select ${NUMBERS} from ${table} where ${column} = $1`, [id]);
  if (!row) throw new Error(`nothing was counted in ${table}`);
  return row;
};
const ofMember = (userId: string) => rowOf('assistant_questions', 'user_id', userId);

const stream = (response: ServerResponse, ...lines: string[]): ServerResponse => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const line of lines) response.write(line);
  return response;
};
/** Writes until the connection is closed, no faster than it is read. */
async function endlessly(response: ServerResponse, piece: string): Promise<void> {
  stream(response);
  while (!response.destroyed)
    if (!response.write(piece)) await new Promise<void>((next) => response.once('drain', next).once('close', next));
}
const look = (...names: string[]): Act => ({
  call: names.map((name) => ({ name, arguments: { community: place.slug, query: 'points' } })),
});
const play = (lie: (response: ServerResponse) => unknown): Act => ({ play: lie });
const cut = (response: ServerResponse) => response.socket?.resetAndDestroy();
const END = chunk({}, 'stop');

const LIES: readonly [string, (prompt: Prompt, call: number) => Act][] = [
  ['says nothing', () => ({ say: [] })],
  ['says spaces', () => ({ say: [' ', '\n'] })],
  ['breaks off half-way', () => ({ fault: 'cut' })],
  ['writes lines that are no JSON', () => ({ fault: 'garbage' })],
  ['answers with JSON of another kind', () => play((response) => response.end('{"ok":true}'))],
  ['calls tools for ever', () => look('community_rules')],
  ['calls eight tools at once, for ever', () => look(...Array.from({ length: 8 }, () => 'community_rules'))],
  ['calls tools that there are none of', () => look('transfer_points', '', 'constructor')],
  ['writes for ever', () => play((response) => endlessly(response, chunk({ content: 'word '.repeat(40) })))],
  ['writes one line that never ends', () => play((response) => endlessly(response, 'x'.repeat(64_000)))],
  [
    'writes arguments that never end',
    () =>
      play((response) =>
        endlessly(
          response,
          chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'my_tasks', arguments: '{'.repeat(500) } }] }),
        ),
      ),
  ],
  ['thinks for ever', () => play((response) => endlessly(response, chunk({ reasoning_content: 'hm '.repeat(100) })))],
  [
    'says that it used nothing',
    () =>
      play((response) =>
        stream(
          response,
          chunk({ content: 'Yes.' }),
          END,
          `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 0, total_tokens: -5 } })}\n\n`,
        ).end(),
      ),
  ],
  [
    'gives two answers at once',
    () =>
      play((response) =>
        stream(
          response,
          `data: ${JSON.stringify({
            choices: [
              { index: 1, delta: { content: 'Two' } },
              { index: 0, delta: { content: 'One' }, finish_reason: 'stop' },
            ],
          })}\n\n`,
        ).end(),
      ),
  ],
  [
    'answers again after its end',
    () => play((response) => stream(response, chunk({ content: 'One.' }), END, chunk({ content: 'Two.' }), END).end()),
  ],
  ['answers 429', () => ({ status: 429, retryAfter: '1' })],
  ['answers 500 each time', () => ({ status: 500 })],
  ['answers 503 once', (_, call) => (call === 1 ? { status: 503 } : { say: ['Here.'] })],
  ['answers 500 in the second round', (_, call) => (call === 1 ? look('my_tasks') : { status: 500 })],
  [
    'answers 400 with a body without end',
    () =>
      play(async (response) => {
        response.writeHead(400, { 'content-type': 'application/json' });
        while (!response.destroyed)
          if (!response.write('{'.repeat(64_000)))
            await new Promise<void>((next) => response.once('drain', next).once('close', next));
      }),
  ],
  ['sends elsewhere', () => play((response) => response.writeHead(307, { location: '/v1/chat/completions' }).end())],
  ['resets the connection once it has read', () => play(cut)],
  [
    'resets it while it writes',
    () =>
      play((response) => {
        stream(response, chunk({ content: 'You ' }));
        setTimeout(() => cut(response), 20);
      }),
  ],
  [
    'tells of an error in its stream',
    () => play((response) => stream(response, 'data: {"error":{"message":"overloaded"}}\n\n').end()),
  ],
  ['answers with nothing at all', () => play((response) => response.writeHead(204).end())],
  [
    'says that it is compressed',
    () => play((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no')),
  ],
];
/** Tells each prompt which call of its question it is. */
const lying = (lie: (prompt: Prompt, call: number) => Act) => {
  let calls = 0;
  model.act((prompt) => {
    calls += 1;
    return lie(prompt, calls);
  });
};

describe('what is counted is what was paid, from a model that', () => {
  test.each(LIES)('%s', async (_, lie) => {
    const mira = await memberOf(server, place.id, 'leader');
    const [community, all] = [await sumOf('assistant_communities'), await sumOf('assistant_days')];
    lying(lie);
    const heard = await ask(server, mira.cookie, { question: 'What are the rules about points?' });
    const asked = await ofMember(mira.userId);
    expect([asked.calls, asked.sent]).toEqual([model.paid.calls, model.paid.sent]);
    expect(asked).toMatchObject({ count: 1, open: 0 });
    expect(asked.calls).toBeGreaterThan(0);
    expect(asked.calls).toBeLessThanOrEqual(QUESTION_CALLS_MAX);
    expect(asked.sent + asked.received).toBeLessThanOrEqual(QUESTION_BYTES_MAX);
    if (heard.end?.event === 'failed') expect(heard.end.data).toMatchObject({ reason: 'empty', isCounted: true });
    for (const { role, content } of model.prompts.flatMap(({ messages }) => messages))
      if (role === 'tool')
        expect(Buffer.byteLength(JSON.stringify(content))).toBeLessThanOrEqual(TOOL_RESULT_BYTES_MAX);

    lying(lie);
    const body = { sentence: 'A photo of the river each week' };
    await server.request('POST', `/api/communities/${place.id}/task-proposals`, { cookie: mira.cookie, body });
    const both = await ofMember(mira.userId);
    expect([both.count, both.calls, both.sent]).toEqual([2, model.paid.calls, model.paid.sent]);
    const growth = { count: 2, calls: both.calls, sent: both.sent, received: both.received };
    expect(minus(await sumOf('assistant_communities'), community)).toEqual(growth);
    expect(minus(await sumOf('assistant_days'), all)).toEqual(growth);
  });

  test('what is read is counted by its words: of both answers, and of thoughts', async () => {
    const mira = await memberOf(server, place.id, 'member');
    model.act(() =>
      play((response) =>
        stream(
          response,
          chunk({ role: 'assistant', reasoning_content: 'Hm.' }),
          chunk({ content: 'Ja, Größe.' }),
          END,
          chunk({ content: 'No.' }),
        ).end(),
      ),
    );
    const heard = await ask(server, mira.cookie, { question: 'Is it?' });
    expect(heard.text).toBe('Ja, Größe.');
    expect((await ofMember(mira.userId)).received).toBe(Buffer.byteLength('Hm.Ja, Größe.No.'));
  });

  test.each([
    ['does not answer', { fault: 'hang' }],
    ['falls silent', { fault: 'silent' }],
  ] as const)('%s', async (_, lie) => {
    const mira = await memberOf(server, place.id, 'member');
    const asker = { userId: mira.userId, communityId: place.id, now: server.runtime.now() };
    model.act(() => lie);
    await takeQuestion(server.sql, asker);
    const { meter, end } = await answered(model.baseUrl, mira.userId);
    expect(end).toMatchObject({ event: 'failed', data: { reason: 'late' } });
    await settleQuestion(server.sql, asker, meter.spent());
    expect(await ofMember(mira.userId)).toMatchObject({ count: 1, open: 0, ...model.paid });
  });
});

async function answered(baseUrl: string, userId: string) {
  const meter = createMeter();
  const provider = createProvider({ baseUrl, apiKey: null, model: 'stand-in' }, 300, meter);
  if (!provider) throw new Error('no provider');
  const reader = { sql: server.sql, actor: { userId, timeZone: 'UTC' } as never, mine: [], now: new Date() };
  const given = {
    provider,
    meter,
    reader,
    question: { question: 'How do I appeal?' },
    gone: new AbortController().signal,
  };
  const settle = async () => ({ left: 1, isCounted: meter.spent().calls > 0 });
  let end: unknown;
  for await (const event of answer({ ...given, settle, log: { warn: () => undefined } as never })) end = event;
  return { meter, end };
}

type Sums = Omit<Row, 'open'>;
async function sumOf(table: 'assistant_communities' | 'assistant_days'): Promise<Sums> {
  const [row] = await server.sql<Sums[]>`
    select coalesce(sum(count), 0)::int as count, coalesce(sum(calls), 0)::int as calls, coalesce(sum(sent), 0)::int as sent,
      coalesce(sum(received), 0)::int as received from ${server.sql(table)}`;
  return row as Sums;
}
const minus = (now: Sums, before: Sums): Sums => ({
  count: now.count - before.count,
  calls: now.calls - before.calls,
  sent: now.sent - before.sent,
  received: now.received - before.received,
});

describe('a question that was stopped', () => {
  test('is counted with what it had cost until then', async () => {
    const mira = await memberOf(server, place.id, 'member');
    model.act(() => ({ say: Array.from({ length: 400 }, () => 'word '), pauseMs: 20 }));
    await ask(server, mira.cookie, { question: 'Tell me all' }, (text) => text.length < 40);
    await expect
      .poll(async () => await ofMember(mira.userId), { timeout: 5_000 })
      .toMatchObject({ count: 1, open: 0, ...model.paid });
  });
});

describe('a service that cannot be reached', () => {
  test('costs nothing, and gives the question back three times a day', async () => {
    const free = listener().listen(0, '127.0.0.1');
    await new Promise((done) => free.once('listening', done));
    const { port } = free.address() as { port: number };
    await new Promise((done) => free.close(done));
    const away = await testServer({
      sandbox: false,
      env: { AI_BASE_URL: `http://127.0.0.1:${port}/v1`, AI_MODEL: 'none' },
    });
    const own = await community(away, (await away.person()).userId);
    const mira = await memberOf(away, own.id, 'leader');
    const left = ASSISTANT_QUESTIONS_PER_DAY;
    for (let time = 0; time < QUESTIONS_GIVEN_BACK_PER_DAY; time += 1) {
      const heard = await ask(away, mira.cookie, { question: 'Are you there?' });
      expect(heard.end).toEqual({ event: 'failed', data: { reason: 'away', isCounted: false, left } });
    }
    const heard = await ask(away, mira.cookie, { question: 'Are you there?' });
    expect(heard.end).toEqual({ event: 'failed', data: { reason: 'away', isCounted: true, left: left - 1 } });
    const body = { sentence: 'A photo of the river' };
    const reply = await away.request('POST', `/api/communities/${own.id}/task-proposals`, {
      cookie: mira.cookie,
      body,
    });
    expect([reply.status, reply.json.details]).toEqual([503, { isCounted: true }]);
    const [row] =
      await away.sql`select count, open, calls, sent::int from assistant_questions where user_id = ${mira.userId}`;
    expect(row).toEqual({ count: 2, open: 0, calls: 0, sent: 0 });
    await away.close();
  });

  test('but took the connection may have read all before it reset it: that counts', async () => {
    const resets = listener((socket) => socket.once('data', () => socket.resetAndDestroy())).listen(0, '127.0.0.1');
    await new Promise((done) => resets.once('listening', done));
    const { port } = resets.address() as { port: number };
    const { meter, end } = await answered(`http://127.0.0.1:${port}/v1`, (await server.person()).userId);
    expect(meter.spent()).toMatchObject({ calls: 1, received: 0 });
    expect(meter.spent().sent).toBeGreaterThan(500);
    expect(end).toMatchObject({ data: { reason: 'empty' } });
    await new Promise((done) => resets.close(done));
  });
});

describe('limits of a day', () => {
  const now = new Date('2031-01-01T12:00:00Z');
  const most = { calls: QUESTION_CALLS_MAX, sent: QUESTION_BYTES_MAX - 6_000, received: 6_000 };

  test.each([
    ['community', { ...MODEL_PER_DAY, community: { questions: 100, calls: 7 * QUESTION_CALLS_MAX, bytes: 1e9 } }, 7],
    ['community', { ...MODEL_PER_DAY, community: { questions: 100, calls: 1_000, bytes: 5 * QUESTION_BYTES_MAX } }, 5],
    ['all', { ...MODEL_PER_DAY, all: { questions: 100, calls: 1_000, bytes: 4 * QUESTION_BYTES_MAX } }, 4],
    ['all', { ...MODEL_PER_DAY, all: { questions: 100, calls: 3 * QUESTION_CALLS_MAX, bytes: 1e9 } }, 3],
    ['member', { ...MODEL_PER_DAY, member: { questions: 100, calls: 1_000, bytes: 2 * QUESTION_BYTES_MAX } }, 2],
  ] as const)('of the %s hold for questions that are asked at once (%#)', async (whose, quota, fit) => {
    await server.sql`delete from assistant_days where day = '2031-01-01'`;
    const own = await community(server, (await server.person()).userId);
    const [one, other] = [await memberOf(server, own.id, 'member'), await memberOf(server, own.id, 'member')];
    const askers = [one, other].map(({ userId }) => ({ userId, communityId: own.id, now }));
    const times = Array.from({ length: 14 }, (_, at) => askers[whose === 'member' ? 0 : at % 2] as (typeof askers)[0]);
    const taken = await Promise.allSettled(times.map((asker) => takeQuestion(server.sql, asker, quota)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(fit);
    for (const one of taken)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ status: 429, reason: 'QUESTIONS_USED_UP', details: { whose } });
    // What cost less than it might makes space again.
    const [first] = times as [(typeof askers)[0]];
    await settleQuestion(server.sql, first, { calls: 0, sent: 0, received: 0 });
    await takeQuestion(server.sql, first, quota);
    await settleQuestion(server.sql, first, most);
    await expect(takeQuestion(server.sql, first, quota)).rejects.toMatchObject({ details: { whose } });
    const asked = { userId: first.userId, communityIds: [own.id], now };
    if (whose === 'all' || whose === 'member') expect(await questionsLeft(server.sql, asked, quota)).toBe(0);
  });
});

test('a prompt goes to the service that was named, and to no other', async () => {
  let strangers = 0;
  const other = createServer((_, response) => {
    strangers += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await new Promise((done) => other.once('listening', done));
  const { port } = other.address() as { port: number };
  const mira = await memberOf(server, place.id, 'member');
  model.act(() => play((response) => response.writeHead(308, { location: `http://127.0.0.1:${port}/v1` }).end()));
  await ask(server, mira.cookie, { question: 'Where does this go?' });
  expect([model.paid.calls, strangers]).toEqual([1, 0]);
  await new Promise((done) => other.close(done));
});
