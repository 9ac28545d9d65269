import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { QUIZ_ATTEMPT_QUESTIONS, QUIZ_COOL_DOWN_MINUTES } from '../../server/contract/limits.ts';
import type { AttemptQuestion, QuizAnswer, QuizAttempt } from '../../server/contract/quiz.ts';
import { bank } from '../../server/features/quiz/bank.ts';
import { ofFile } from '../support/of-file.ts';
import { singles } from '../support/quiz.ts';
import { type Reply, testServer } from '../support/server.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let packs = 0;
const server = await ofFile(testServer({ sandbox: false }));
afterAll(() => {
  for (let at = 1; at <= packs; at += 1) bank.delete(`test-${at}`);
});

/** A pack of ten questions of its own, so that no test meets the tries of another. */
function freshPack(): string {
  packs += 1;
  const id = `test-${packs}`;
  bank.set(id, singles(id, 10));
  return `shipped:${id}`;
}
type Person = { cookie: string };
const post = (by: Person, path: string, body: unknown, key: string = randomUUID()): Promise<Reply> =>
  server.command('POST', path, { cookie: by.cookie, key, body });
const takeOut = (by: Person, pack: string, key?: string) => post(by, '/api/quiz/attempts', { pack }, key);
const send = (by: Person, attempt: { id: string }, answers: QuizAnswer[], tookMs = MINUTE, key?: string) =>
  post(by, `/api/quiz/attempts/${attempt.id}/answers`, { tookMs, answers }, key);
const quizOf = async (by: Person) => (await server.request('GET', '/api/quiz', { cookie: by.cookie })).json;

const optionsOf = (question: AttemptQuestion) => (question.kind === 'single' ? question.options : []);
/** Answers of which so many are right. */
const answering = ({ questions }: QuizAttempt, right: number): QuizAnswer[] =>
  questions.map((question, at) => {
    const isWanted = (text: string) => (text === 'Stop and look at the map') === at < right;
    return { questionId: question.id, optionIds: [optionsOf(question).find(({ text }) => isWanted(text))?.id ?? ''] };
  });
const leaks = ({ text }: Reply) => /"correct"|"key"|"tolerance"|Because of/.test(text);

describe('an attempt', () => {
  it('is drawn without keys, under ids of its own, and the same is given again while it is open', async () => {
    const [pack, one, other] = [freshPack(), await server.person(), await server.person()];
    const first = await takeOut(one, pack);
    expect(first.status).toBe(201);
    expect(first.json).toMatchObject({ pack, count: QUIZ_ATTEMPT_QUESTIONS, needed: 4, result: null, taskId: null });
    expect(first.json.questions).toHaveLength(QUIZ_ATTEMPT_QUESTIONS);
    // Another device, and both at once.
    const again = await Promise.all([takeOut(one, pack), takeOut(one, pack)]);
    expect(again.map(({ json }) => json.id)).toEqual([first.json.id, first.json.id]);
    const theirs = await takeOut(other, pack);
    const idsOf = ({ json }: Reply) =>
      json.questions.flatMap((question: AttemptQuestion) => [question.id, ...optionsOf(question).map(({ id }) => id)]);
    expect(new Set([...idsOf(first), ...idsOf(theirs)]).size).toBe(2 * 5 * QUIZ_ATTEMPT_QUESTIONS);
    const read = await server.request('GET', '/api/quiz', { cookie: one.cookie });
    expect(read.json.attempts).toEqual([first.json]);
    expect([first, theirs, ...again, read].filter(leaks)).toEqual([]);
  });

  it('that is passed is told with its answers, why and where from', async () => {
    const [pack, by] = [freshPack(), await server.person()];
    const { json: attempt } = await takeOut(by, pack);
    server.advance(MINUTE);
    const graded = await send(by, attempt, answering(attempt, 4));
    expect(graded.status).toBe(200);
    expect(graded.json.result).toMatchObject({ outcome: 'passed', score: 4 });
    const { told } = graded.json.result;
    expect(told.filter(({ isRight }: { isRight: boolean }) => isRight)).toHaveLength(4);
    expect(told[0]).toMatchObject({
      explanation: expect.stringContaining('Because of'),
      source: { title: 'A handbook' },
    });
    expect((await quizOf(by)).packs.find((one: { ref: string }) => one.ref === pack)).toMatchObject({ passed: true });
  });

  it('that failed is told no number, no question and no key, waits, and has other questions the next time', async () => {
    const [pack, by] = [freshPack(), await server.person()];
    const first = (await takeOut(by, pack)).json;
    server.advance(MINUTE);
    const failed = await send(by, first, answering(first, 3));
    expect(failed.json).toMatchObject({ questions: [], result: { outcome: 'failed', score: null, told: null } });
    expect(leaks(failed)).toBe(false);
    expect(await takeOut(by, pack)).toMatchObject({ status: 409, json: { reason: 'COOLING_DOWN' } });
    server.advance(QUIZ_COOL_DOWN_MINUTES * MINUTE);
    const second = (await takeOut(by, pack)).json;
    const texts = (attempt: QuizAttempt) => attempt.questions.map(({ text }) => text);
    expect(texts(second).filter((text) => texts(first).includes(text))).toEqual([]);
    await send(by, second, answering(second, 0));
    server.advance(QUIZ_COOL_DOWN_MINUTES * MINUTE);
    // Two a day: the third waits until the first is a day ago.
    const third = await takeOut(by, pack);
    expect(third.json.reason).toBe('COOLING_DOWN');
    const { retryAt } = third.json.details;
    expect((await quizOf(by)).packs.find((one: { ref: string }) => one.ref === pack).retryAt).toBe(retryAt);
    server.advance(DAY);
    expect((await takeOut(by, pack)).status).toBe(201);
  });

  it('is graded once: under repeats, on two devices at once, and by whoever comes later', async () => {
    const [pack, by] = [freshPack(), await server.person()];
    const { json: attempt } = await takeOut(by, pack);
    server.advance(MINUTE);
    const key = randomUUID();
    const all = await Promise.all([
      send(by, attempt, answering(attempt, 0), MINUTE, key),
      send(by, attempt, answering(attempt, 0), MINUTE, key),
      send(by, attempt, answering(attempt, 0)),
    ]);
    expect(all.map(({ json }) => json.result?.outcome ?? json.reason)).not.toContain('passed');
    const late = await send(by, attempt, answering(attempt, 5));
    expect(late.json.result).toMatchObject({ outcome: 'failed' });
    const rows = await server.sql`select score from quiz_attempts where id = ${attempt.id}`;
    expect(rows).toMatchObject([{ score: 0 }]);
  });

  it('answered faster than people read is not counted, whatever a device says of the time', async () => {
    const [pack, by] = [freshPack(), await server.person()];
    const first = (await takeOut(by, pack)).json;
    server.advance(5_000);
    // An hour cannot have passed within five seconds.
    const hasty = await send(by, first, answering(first, 5), 60 * MINUTE);
    expect(hasty.json.result).toMatchObject({ outcome: 'hasty', score: null, told: null });
    expect(leaks(hasty)).toBe(false);
    server.advance(DAY);
    const second = (await takeOut(by, pack)).json;
    server.advance(DAY);
    expect((await send(by, second, answering(second, 5), 5_000)).json.result.outcome).toBe('hasty');
    server.advance(DAY);
    const third = (await takeOut(by, pack)).json;
    server.advance(DAY);
    expect((await send(by, third, answering(third, 5), 8_000)).json.result.outcome).toBe('passed');
  });

  it('is nobody else’s', async () => {
    const [pack, by, other] = [freshPack(), await server.person(), await server.person()];
    const { json: attempt } = await takeOut(by, pack);
    expect((await send(other, attempt, [])).status).toBe(404);
    expect((await send(by, { id: randomUUID() }, [])).status).toBe(404);
    expect((await send(by, { id: 'no-id' }, [])).status).toBe(404);
    expect((await quizOf(other)).attempts).toEqual([]);
    expect((await server.request('GET', '/api/quiz')).status).toBe(401);
  });

  it('of a pack that is not there, or is a community’s, is refused', async () => {
    const by = await server.person();
    expect((await takeOut(by, 'shipped:nothing')).status).toBe(404);
    expect((await takeOut(by, `own:${randomUUID()}`)).status).toBe(404);
    expect((await takeOut(by, 'nothing')).status).toBe(400);
  });
});
