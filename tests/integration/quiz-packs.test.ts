import { afterAll, describe, expect, it } from 'vitest';
import type { AttemptQuestion, QuizAnswer, QuizAttempt } from '../../server/contract/quiz.ts';
import { keyOf, withoutKey } from '../../server/contract/quiz-grade.ts';
import { bank } from '../../server/features/quiz/bank.ts';
import { ofFile } from '../support/of-file.ts';
import { FIVE, singles } from '../support/quiz.ts';
import { type Reply, testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

const MINUTE = 60_000;

type Person = { userId: string; cookie: string };

const server = await ofFile(testServer({ sandbox: false }));
bank.set('tests', singles('tests', 10));
const place = await community(server, (await server.person()).userId);
const other = await community(server, (await server.person()).userId);
const leader = await memberOf(server, place.id, 'leader');
const stranger = await memberOf(server, other.id, 'leader');
afterAll(() => {
  bank.delete('tests');
});

const ask = (by: Person, method: string, path: string, body?: unknown, at = place): Promise<Reply> =>
  server.command(method, `/api/communities/${at.id}${path}`, { cookie: by.cookie, body });
const OWN = { title: 'The ridge', about: '', language: 'en', questions: FIVE };
const addPack = async (body: unknown = OWN): Promise<string> =>
  (await ask(leader, 'POST', '/quiz-packs', body)).json.id;
const addTask = (by: Person, pack: unknown, more: object = {}, at = place) =>
  ask(
    by,
    'POST',
    '/tasks',
    {
      setup: { kind: 'quiz', passPercent: 80, questions: [], pack },
      title: 'Ready for the ridge?',
      instructions: '',
      points: 30,
      recurrence: 'once',
      ...more,
    },
    at,
  );
const leaks = ({ text }: Reply) => /"correct"|"key"|"tolerance"|You still know roughly|Cold air/.test(text);

/** The right answers to what was asked, told by the texts. */
const rightAnswers = ({ questions }: QuizAttempt): QuizAnswer[] =>
  questions.map((question) => {
    const whole = FIVE.find(({ text }) => text === question.text) ?? FIVE[0];
    if (!whole) throw new Error('no questions');
    const key = keyOf(whole);
    const textsIn = (of: AttemptQuestion) => [
      ...('options' in of ? of.options : []),
      ...('items' in of ? of.items : []),
      ...('left' in of ? of.left.map((one) => ({ ...one, text: `l ${one.text}` })) : []),
      ...('choices' in of ? of.choices.map((one) => ({ ...one, text: `r ${one.text}` })) : []),
    ];
    const [mine, theirs] = [textsIn(question), textsIn(withoutKey(whole))];
    const named = (id: string, side = '') => {
      const text = theirs.find((one) => one.id === id && one.text.startsWith(side))?.text;
      return mine.find((one) => one.text === text)?.id ?? '';
    };
    return {
      questionId: question.id,
      optionIds: key.optionIds.map((id) => named(id)),
      ...(key.pairs && {
        pairs: key.pairs.map(({ left, choice }) => ({ left: named(left, 'l '), choice: named(choice, 'r ') })),
      }),
      ...(key.value !== undefined && { value: key.value }),
    };
  });

describe('a pack of a community’s own', () => {
  it('is written, read, changed and deleted by its leaders, with all kinds of questions', async () => {
    const made = await ask(leader, 'POST', '/quiz-packs', OWN);
    expect(made.status).toBe(201);
    const path = `/quiz-packs/${made.json.id}`;
    expect((await ask(leader, 'GET', path)).json).toMatchObject({ ...OWN, tasks: 0 });
    const changed = await ask(leader, 'PUT', path, { ...OWN, title: 'The ridge, again', questions: FIVE.slice(0, 2) });
    expect(changed.json).toMatchObject({ title: 'The ridge, again', questions: { length: 2 } });
    const { items } = (await ask(leader, 'GET', '/quiz-packs')).json;
    expect(items).toContainEqual(expect.objectContaining({ ref: `own:${made.json.id}`, questions: 2, tasks: 0 }));
    expect(items).toContainEqual(expect.objectContaining({ ref: 'shipped:tests', questions: 10 }));
    expect((await ask(leader, 'DELETE', path)).status).toBe(200);
    expect((await ask(leader, 'GET', path)).status).toBe(404);
    const audit =
      await server.sql`select action from audit_entries where community_id = ${place.id} and subject_id = ${made.json.id} order by id`;
    expect(audit.map(({ action }) => action)).toEqual(['quiz_pack.added', 'quiz_pack.changed', 'quiz_pack.removed']);
  });

  it('is drawn from by no task of another community', async () => {
    const id = await addPack();
    expect(await addTask(stranger, { ref: `own:${id}`, count: 2 }, {}, other)).toMatchObject({
      status: 422,
      json: { reason: 'PACK_UNKNOWN' },
    });
  });

  it('stays while a task draws from it, and keeps as many questions as the task draws', async () => {
    const id = await addPack();
    expect((await addTask(leader, { ref: `own:${id}`, count: 3 })).status).toBe(201);
    expect(await ask(leader, 'DELETE', `/quiz-packs/${id}`)).toMatchObject({
      status: 409,
      json: { reason: 'PACK_IN_USE' },
    });
    const fewer = { ...OWN, questions: FIVE.slice(0, 2) };
    expect((await ask(leader, 'PUT', `/quiz-packs/${id}`, fewer)).json.reason).toBe('PACK_IN_USE');
    expect((await ask(leader, 'PUT', `/quiz-packs/${id}`, { ...OWN, questions: FIVE.slice(0, 3) })).status).toBe(200);
    expect((await addTask(leader, { ref: `own:${id}`, count: 4 })).json.reason).toBe('PACK_TOO_SMALL');
  });

  it.each([
    ['no question', { ...OWN, questions: [] }],
    ['two of the same id', { ...OWN, questions: [FIVE[0], FIVE[0]] }],
    ['a question that cannot be graded', { ...OWN, questions: [{ ...FIVE[0], correct: ['z'] }] }],
    ['text that cannot be shown', { ...OWN, title: 'A\u202eB' }],
    [
      'a source that is no https link',
      { ...OWN, questions: [{ ...FIVE[0], source: { title: 'x', url: 'javascript:alert(1)' } }] },
    ],
  ])('is refused with %s', async (_, body) => {
    expect((await ask(leader, 'POST', '/quiz-packs', body)).status).toBe(400);
  });
});

describe('a quiz task that draws from a pack', () => {
  it('has questions of its own or a pack, never both or neither', async () => {
    const question = {
      id: 'q',
      text: 'What is it?',
      options: [
        { id: 'a', text: 'A' },
        { id: 'b', text: 'B' },
      ],
      correct: ['a'],
    };
    const both = { kind: 'quiz', passPercent: 50, questions: [question], pack: { ref: 'shipped:tests', count: 2 } };
    expect((await addTask(leader, undefined)).status).toBe(400);
    expect((await addTask(leader, undefined, { setup: both })).status).toBe(400);
    expect((await addTask(leader, { ref: 'shipped:nothing', count: 2 })).json.reason).toBe('PACK_UNKNOWN');
  });

  it('is taken out, answered and graded once, and tells nothing of its keys before', async () => {
    const id = await addPack();
    const { json: task } = await addTask(leader, { ref: `own:${id}`, count: 5 });
    const member = await memberOf(server, place.id, 'member');
    const moderator = await memberOf(server, place.id, 'moderator');
    server.advance(MINUTE);
    const shown = await ask(member, 'GET', `/tasks/${task.id}`);
    expect(shown.json.ask).toEqual({
      kind: 'quiz',
      passPercent: 80,
      pack: { title: 'The ridge', count: 5 },
      questions: [],
    });
    const claim = (by: Person, evidence: object) => ask(by, 'POST', `/tasks/${task.id}/claims`, { evidence });
    const startedAt = () => server.runtime.now().toISOString();
    expect((await claim(member, { kind: 'quiz', startedAt: startedAt(), answers: [] })).json.reason).toBe(
      'ATTEMPT_NEEDED',
    );
    const taken = await ask(member, 'POST', `/tasks/${task.id}/attempts`);
    expect(taken.status).toBe(201);
    const evidence = (attempt: QuizAttempt, answers: QuizAnswer[]) => ({
      kind: 'quiz',
      startedAt: startedAt(),
      tookMs: MINUTE,
      attemptId: attempt.id,
      answers,
    });
    server.advance(MINUTE);
    // Somebody else's attempt is nobody's here, and one of a task is not graded beside it.
    expect((await claim(moderator, evidence(taken.json, []))).json.reason).toBe('ATTEMPT_NEEDED');
    const aside = await server.command('POST', `/api/quiz/attempts/${taken.json.id}/answers`, {
      cookie: member.cookie,
      body: { tookMs: MINUTE, answers: [] },
    });
    expect(aside.json.reason).toBe('ATTEMPT_OF_TASK');
    const failed = await claim(member, evidence(taken.json, rightAnswers(taken.json).slice(0, 3)));
    expect(failed.json).toMatchObject({ state: 'rejected', reason: 'Not passed: 4 of 5 are needed' });
    expect((await claim(member, evidence(taken.json, rightAnswers(taken.json)))).json.reason).toMatch(
      /ATTEMPT_USED|COOLING_DOWN/,
    );
    server.advance(11 * MINUTE);
    const second = await ask(member, 'POST', `/tasks/${task.id}/attempts`);
    expect([shown, taken, failed, second].filter(leaks)).toEqual([]);
    server.advance(MINUTE);
    const passed = await claim(member, evidence(second.json, rightAnswers(second.json)));
    expect(passed.json).toMatchObject({ state: 'approved', points: 30 });
    const { attempts } = (await server.request('GET', '/api/quiz', { cookie: member.cookie })).json;
    expect(attempts[0]).toMatchObject({ id: second.json.id, result: { outcome: 'passed', score: 5 } });
    expect(await server.sql`select points from point_events where task_id = ${task.id}`).toEqual([{ points: 30 }]);
  });

  it('answered too fast goes to a reviewer, who reads what was answered; of our packs nobody reads what is right', async () => {
    const id = await addPack();
    for (const [ref, isRight] of [
      [`own:${id}`, true],
      ['shipped:tests', null],
    ] as const) {
      const { json: task } = await addTask(leader, { ref, count: 5 });
      const member = await memberOf(server, place.id, 'member');
      const attempt = (await ask(member, 'POST', `/tasks/${task.id}/attempts`)).json;
      const right =
        ref === 'shipped:tests'
          ? attempt.questions.map((question: AttemptQuestion) => ({
              questionId: question.id,
              optionIds:
                'options' in question
                  ? question.options.filter(({ text }) => text === 'Stop and look at the map').map((one) => one.id)
                  : [],
            }))
          : rightAnswers(attempt);
      const startedAt = server.runtime.now().toISOString();
      const hasty = await ask(member, 'POST', `/tasks/${task.id}/claims`, {
        evidence: { kind: 'quiz', startedAt, tookMs: 60 * MINUTE, attemptId: attempt.id, answers: right },
      });
      expect(hasty.json.state).toBe('checking');
      const queue = await ask(leader, 'GET', `/review?taskId=${task.id}`);
      expect(queue.json.items[0].paper).toHaveLength(5);
      expect(queue.json.items[0].paper[0]).toMatchObject({ question: expect.any(String), isRight });
      expect(leaks(queue)).toBe(false);
      const moderator = await memberOf(server, place.id, 'moderator');
      expect((await ask(moderator, 'GET', `/review?taskId=${task.id}`)).json.items[0].paper).toBe(undefined);
    }
  });

  it('is drawn for members alone, while it is open', async () => {
    const { json: task } = await addTask(leader, { ref: 'shipped:tests', count: 2 });
    const path = `/tasks/${task.id}/attempts`;
    expect((await ask(leader, 'POST', path)).json.reason).toBe('LEADERS_DO_NOT_COMPETE');
    expect((await ask(stranger, 'POST', path)).status).toBe(403);
    const member = await memberOf(server, place.id, 'member');
    expect((await ask(member, 'POST', `/tasks/${place.taskId}/attempts`)).status).toBe(404);
    await ask(leader, 'PATCH', `/tasks/${task.id}`, { status: 'archived' });
    expect((await ask(member, 'POST', path)).json.reason).toBe('TASK_CLOSED');
  });
});

describe('questions missed most', () => {
  it('are counted for leaders; of our own packs only what enough members were asked', async () => {
    const here = await community(server, (await server.person()).userId);
    const chief = await memberOf(server, here.id, 'leader');
    const { json: pack } = await ask(chief, 'POST', '/quiz-packs', OWN, here);
    const tasks = [
      (await addTask(chief, { ref: `own:${pack.id}`, count: 5 }, {}, here)).json,
      (await addTask(chief, { ref: 'shipped:tests', count: 5 }, {}, here)).json,
    ];
    const answerAll = async () => {
      const member = await memberOf(server, here.id, 'member');
      for (const task of tasks) {
        const attempt = (await ask(member, 'POST', `/tasks/${task.id}/attempts`, undefined, here)).json;
        const startedAt = server.runtime.now().toISOString();
        await ask(
          member,
          'POST',
          `/tasks/${task.id}/claims`,
          {
            evidence: {
              kind: 'quiz',
              startedAt,
              tookMs: MINUTE,
              attemptId: attempt.id,
              answers: rightAnswers(attempt).slice(0, 2),
            },
          },
          here,
        );
      }
    };
    await answerAll();
    const misses = async () => (await ask(chief, 'GET', '/quiz-misses', undefined, here)).json.items;
    const few = await misses();
    expect(few).toHaveLength(5);
    expect(few.filter(({ missed }: { missed: number }) => missed === 1)).toHaveLength(3);
    expect(few[0]).toMatchObject({ ref: `own:${pack.id}`, pack: 'The ridge', shown: 1, missed: 1 });
    for (let more = 0; more < 9; more += 1) await answerAll();
    const many = await misses();
    expect(many.some(({ ref }: { ref: string }) => ref === 'shipped:tests')).toBe(true);
    expect(many.find(({ ref }: { ref: string }) => ref.startsWith('own:'))).toMatchObject({ shown: 10 });
  });
});
