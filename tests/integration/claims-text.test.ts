import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  DECISION_REASON_MAX,
  DECISIONS_AT_ONCE,
  LINK_MAX,
  QUIZ_EXPLANATION_MAX,
  QUIZ_OPTION_MAX,
  QUIZ_OPTIONS_MAX,
  QUIZ_QUESTION_MAX,
  QUIZ_QUESTIONS_MAX,
  TASK_TITLE_MAX,
} from '../../server/contract/limits.ts';
import { NAUGHTY, NOT_SHOWN } from '../support/naughty.ts';
import { ofFile } from '../support/of-file.ts';
import { type Reply, testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

let leader: { userId: string; cookie: string };
let member: { userId: string; cookie: string };
const server = await ofFile(testServer({ sandbox: false }));
const place = await community(server, (await server.person()).userId);

beforeEach(async () => {
  leader = await memberOf(server, place.id, 'leader');
  member = await memberOf(server, place.id, 'member');
  await server.sql`update tasks set status = 'archived' where community_id = ${place.id}`;
});

function send(who: { cookie: string }, path: string, body: unknown, method = 'POST'): Promise<Reply> {
  server.advance(5_000);
  return server.command(method, `/api/communities/${place.id}${path}`, { cookie: who.cookie, body });
}
async function read(who: { cookie: string }, path: string): Promise<Reply> {
  server.advance(5_000);
  const reply = await server.request('GET', `/api/communities/${place.id}${path}`, { cookie: who.cookie });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return reply;
}
const asKept = (text: string) => text.trim().replaceAll('\r\n', '\n');
const newTask = async (setup: object, more: object = {}) => {
  const made = await send(leader, '/tasks', {
    setup,
    title: 'A task',
    instructions: '',
    points: 1,
    recurrence: 'once',
    ...more,
  });
  expect(made.status, made.text).toBe(201);
  return made.json.id as string;
};
/** Refused by name, or null when it went through. */
function refusedOf(reply: Reply): string | null {
  if (reply.status < 400) return null;
  expect([400, 422], reply.text).toContain(reply.status);
  expect(reply.json.reason).toMatch(/^(INVALID_INPUT|BAD_TEXT|URL_NOT_ALLOWED)$/);
  return reply.json.reason;
}

const TEXTS = [
  ...NAUGHTY.map((text) => ({ text, isShown: true })),
  ...NOT_SHOWN.map((text) => ({ text, isShown: false })),
];

describe.each(TEXTS.map((one) => ({ ...one, name: JSON.stringify(one.text) })))('$name', ({ text, isShown }) => {
  it('is kept as it is, or refused by name, wherever it is written', async () => {
    const padded = `Words: ${text}`;
    const refused: (string | null)[] = [];

    const asTask = await send(leader, '/tasks', {
      setup: {
        kind: 'poll',
        multiple: false,
        choices: [
          { id: 'a', text: text.slice(0, 160) },
          { id: 'b', text: 'Other' },
        ],
      },
      title: padded,
      instructions: text,
      points: 1,
      recurrence: 'once',
    });
    refused.push(refusedOf(asTask));
    if (asTask.status === 201) {
      const shown = await read(member, `/tasks/${asTask.json.id}`);
      expect([shown.json.title, shown.json.instructions]).toEqual([asKept(padded), asKept(text)]);
      expect(shown.json.ask.choices[0].text).toBe(asKept(text));
    }

    const writing = await newTask({ kind: 'submit_text' });
    const written = await send(member, `/tasks/${writing}/claims`, { evidence: { kind: 'submit_text', text: padded } });
    refused.push(refusedOf(written));
    if (written.status === 201) {
      const claimId = written.json.id;
      expect(written.json.evidence.text).toBe(asKept(padded));
      const queue = await read(leader, `/review?taskId=${writing}`);
      expect(queue.json.items[0].claim.evidence.text).toBe(asKept(padded));
      const rejected = await send(leader, `/claims/${claimId}/decision`, { decision: 'reject', reason: padded });
      expect(rejected.json.reason).toBe(asKept(padded));
      const appealed = await send(member, `/claims/${claimId}/appeal`, { text: `${padded} and so on` });
      expect(appealed.json.appeal.text).toBe(asKept(`${padded} and so on`));
      const history = (await read(member, `/claims/${claimId}`)).json.history;
      expect(history.map((step: { reason: string | null }) => step.reason)).toEqual([
        null,
        asKept(padded),
        asKept(`${padded} and so on`),
      ]);
      await read(leader, `/claims/${claimId}/similar`);
    }

    const linking = await newTask({ kind: 'submit_url', hosts: [] });
    refused.push(
      refusedOf(
        await send(member, `/tasks/${linking}/claims`, {
          evidence: { kind: 'submit_url', url: `https://example.org/${text}`, note: text },
        }),
      ),
    );
    const scanned = await send(
      member,
      `/tasks/${await newTask({
        kind: 'telegram_event',
        place: 'Hut',
        startsAt: new Date(Date.now() - 60_000).toISOString(),
        endsAt: new Date(Date.now() + 86_400_000).toISOString(),
      })}/claims`,
      { evidence: { kind: 'telegram_event', code: text } },
    );
    // A code is never kept but where it is one.
    if (scanned.json.reason === 'CODE_WRONG')
      expect(scanned.json).toMatchObject({ status: 422, message: 'This code does not belong to this event.' });
    else expect(refusedOf(scanned)).not.toBe(null);

    // There is one rule for what cannot be shown, wherever it is written.
    if (isShown) expect(refused[1]).toBe(null);
    else expect(refused.slice(0, 3).every((reason) => reason !== null)).toBe(true);
  });
});

describe('text of which nothing can be seen', () => {
  it.each([
    ['zero-width spaces', '\u200b'],
    ['joiners', '\u2060'],
    ['Hangul fillers', '\u3164'],
    ['empty Braille cells', '\u2800'],
    ['tag characters', '\u{e0061}'],
    ['accents on nothing', '\u0301'],
  ])('is refused by name wherever it is written: %s', async (_, sign) => {
    const unseen = sign.repeat(12);
    const task = { title: 'A task', instructions: '', points: 1, recurrence: 'once' };
    const option = { id: 'b', text: 'Other' };
    const question = { id: 'q', text: 'Which one?', options: [{ id: 'a', text: 'One' }, option], correct: ['a'] };
    const quiz = (more: object) => ({ kind: 'quiz', passPercent: 50, questions: [{ ...question, ...more }] });
    const poll = { kind: 'poll', multiple: false, choices: [{ id: 'a', text: unseen }, option] };
    const writing = await newTask({ kind: 'submit_text' });
    const claim = (text: string) =>
      send(member, `/tasks/${writing}/claims`, { evidence: { kind: 'submit_text', text } });
    const adjustment = { userId: member.userId, points: 1, reason: unseen };
    const refused = [
      await send(leader, '', { name: unseen }, 'PATCH'),
      await send(leader, '', { tags: [unseen] }, 'PATCH'),
      await send(leader, '/tasks', { ...task, setup: { kind: 'check_in' }, title: unseen }),
      await send(leader, '/tasks', { ...task, setup: quiz({ text: unseen }) }),
      await send(leader, '/tasks', { ...task, setup: quiz({ options: [{ id: 'a', text: unseen }, option] }) }),
      await send(leader, '/tasks', { ...task, setup: poll }),
      await send(leader, '/announcements', { title: unseen, body: 'Body' }),
      await send(leader, '/announcements', { title: 'Title', body: unseen }),
      await send(leader, '/adjustments', adjustment),
      await claim(unseen),
    ];
    const waiting = await claim(`Words ${unseen}`);
    expect(waiting.status, waiting.text).toBe(201);
    refused.push(await send(leader, `/claims/${waiting.json.id}/decision`, { decision: 'reject', reason: unseen }));
    expect(refused.map(({ status, json }) => [status, json.reason])).toEqual(refused.map(() => [400, 'INVALID_INPUT']));
    for (const { json } of refused)
      expect(json.message).toBe(`${json.details.problems[0].field}: ${json.details.problems[0].message}`);
  });
});

describe('the least length of a text', () => {
  it('counts what is seen, wherever one is asked for', async () => {
    const task = { instructions: '', points: 1, recurrence: 'once', setup: { kind: 'check_in' } };
    const writing = await newTask({ kind: 'submit_text' });
    const claim = await send(member, `/tasks/${writing}/claims`, {
      evidence: { kind: 'submit_text', text: 'My own words' },
    });
    const decide = (reason: string) =>
      send(leader, `/claims/${claim.json.id}/decision`, { decision: 'reject', reason });
    const appeal = (text: string) => send(member, `/claims/${claim.json.id}/appeal`, { text });
    const short = [
      await send(leader, '/tasks', { ...task, title: '👍👍' }),
      await send(leader, '/adjustments', { userId: member.userId, points: 1, reason: 'no\u200b\u200b' }),
      await decide('n\u0301\u0302o'),
    ];
    expect((await decide('n\u0301ot')).status).toBe(200);
    short.push(await appeal('👍'.repeat(9)), await appeal(`So  ${' '.repeat(9)}was it`));
    for (const { status, json, text } of short) {
      expect([status, json.reason], text).toEqual([400, 'INVALID_INPUT']);
      expect(json.details.problems).toHaveLength(1);
    }
    const sent = await appeal('👍'.repeat(10));
    expect(sent.status, sent.text).toBe(200);
  });
});

describe('far dates', () => {
  it.each([
    '0001-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '2020-02-29T00:00:00Z',
    '2099-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
    '2026-11-21T00:00:00+23:59',
  ])('%s of a device pays nothing more and moves no period', async (actedAt) => {
    const taskId = await newTask({ kind: 'check_in' }, { recurrence: 'daily' });
    const day = server.runtime.now().toISOString().slice(0, 10);
    const first = await send(member, `/tasks/${taskId}/claims`, { actedAt });
    expect([first.status, first.json.period], first.text).toEqual([201, day]);
    const second = await send(member, `/tasks/${taskId}/claims`, {});
    expect([second.status, second.json.reason]).toEqual([409, 'ALREADY_CLAIMED']);
    const link = await newTask({ kind: 'visit_link', url: 'https://example.org/' });
    const visited = await send(member, `/tasks/${link}/claims`, {
      evidence: { kind: 'visit_link', openedAt: actedAt },
    });
    expect(visited.status).toBe(201);
    const [row] = await server.sql<
      [{ count: number }]
    >`select count(*)::int from point_events where user_id = ${member.userId}`;
    expect(row.count).toBe(2);
  });

  it.each(['+275760-09-13T00:00:00Z', '2026-02-30T00:00:00Z', '2026-11-21', 'yesterday', '10000-01-01T00:00:00Z'])(
    '%s is no date',
    async (actedAt) => {
      const taskId = await newTask({ kind: 'check_in' });
      const reply = await send(member, `/tasks/${taskId}/claims`, { actedAt });
      expect([reply.status, reply.json.reason]).toEqual([400, 'INVALID_INPUT']);
    },
  );
});

describe('what the fields allow', () => {
  it('is taken whole in any script: a quiz, and a bulk of decisions', async () => {
    const filled = (length: number) => 'ж'.repeat(length);
    const options = Array.from({ length: QUIZ_OPTIONS_MAX }, (_, at) => ({
      id: `o${at}`,
      text: filled(QUIZ_OPTION_MAX),
    }));
    const questions = Array.from({ length: QUIZ_QUESTIONS_MAX }, (_, at) => ({
      id: `q${at}`,
      text: filled(QUIZ_QUESTION_MAX),
      options,
      correct: ['o0'],
      explanation: filled(QUIZ_EXPLANATION_MAX),
    }));
    const setup = { kind: 'quiz', passPercent: 50, questions };
    const taskId = await newTask(setup);
    expect((await send(leader, `/tasks/${taskId}`, { setup, title: filled(TASK_TITLE_MAX) }, 'PATCH')).status).toBe(
      200,
    );
    const decisions = Array.from({ length: DECISIONS_AT_ONCE }, () => ({
      claimId: randomUUID(),
      decision: 'reject',
      reason: filled(DECISION_REASON_MAX),
    }));
    const decided = await send(leader, '/decisions', { decisions });
    expect([decided.status, decided.json.results?.length], decided.text).toEqual([200, DECISIONS_AT_ONCE]);
  });

  it('is no longer as it is kept: a link whose letters become more', async () => {
    const url = `https://example.org/${'ж'.repeat(LINK_MAX / 2)}`;
    const made = await send(leader, '/tasks', {
      setup: { kind: 'visit_link', url },
      title: 'A task',
      instructions: '',
      points: 1,
      recurrence: 'once',
    });
    expect(made.json).toMatchObject({
      status: 422,
      reason: 'URL_NOT_ALLOWED',
      message: expect.stringContaining(`${LINK_MAX} characters`),
      details: { field: 'setup.url' },
    });
    const taskId = await newTask({ kind: 'submit_url', hosts: [] });
    const claimed = await send(member, `/tasks/${taskId}/claims`, { evidence: { kind: 'submit_url', url } });
    expect([claimed.status, claimed.json.reason]).toEqual([422, 'URL_NOT_ALLOWED']);
    await read(leader, '/tasks');
  });
});

it('an id in capitals is the same id: a task that it names can be met', async () => {
  const first = await newTask({ kind: 'check_in' });
  const conditions = { match: 'all', of: [{ is: 'task', taskId: first.toUpperCase() }] };
  const second = await newTask({ kind: 'check_in' }, { conditions });
  expect((await send(member, `/tasks/${second}/claims`, {})).json.reason).toBe('CONDITIONS_NOT_MET');
  for (const taskId of [first, second]) expect((await send(member, `/tasks/${taskId}/claims`, {})).status).toBe(201);
});
