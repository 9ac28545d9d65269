import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AttemptScreen } from '../../../app/features/quiz/attempt-screen.tsx';
import { Graded, Waiting } from '../../../app/features/quiz/graded.tsx';
import { FormOf } from '../../../app/kinds/member.tsx';
import type { OutboxEntry } from '../../../app/lib/device.ts';
import { read } from '../../../app/lib/query.ts';
import { m } from '../../../app/paraglide/messages.js';
import { useQuiz } from '../../../app/shared/quiz/use-attempts.ts';
import { viewTask } from '../../../app/shared/tasks/task-view.ts';
import type { QuizAttempt } from '../../../server/contract/quiz.ts';
import { keyOf, withoutKey } from '../../../server/contract/quiz-grade.ts';
import { NUMBER, SINGLE } from '../../support/quiz.ts';
import { entryOf, taskOf } from '../member/support.ts';
import { aUser, draw, fakeServer, json, press } from '../support.tsx';

const device = vi.hoisted(() => ({ sent: [] as unknown[], outbox: [] as unknown[] }));
vi.mock('../../../app/lib/device.ts', async () => ({
  ...(await import('../quiet-device.ts')),
  enqueue: async (entry: unknown) => {
    device.sent.push(entry);
    return 'entry-1';
  },
  useOutbox: () => device.outbox as OutboxEntry[],
}));
vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

beforeEach(() => {
  device.sent = [];
  device.outbox = [];
  vi.stubGlobal('scrollTo', () => undefined);
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});

const attemptOf = (over: Partial<QuizAttempt> = {}): QuizAttempt => ({
  id: 'a1',
  pack: 'shipped:privacy',
  title: 'Privacy',
  communityId: null,
  taskId: null,
  count: 2,
  needed: 2,
  drawnAt: '2026-11-26T09:00:00.000Z',
  questions: [withoutKey(SINGLE), withoutKey(NUMBER)],
  result: null,
  ...over,
});
const pack = { ref: 'shipped:privacy', title: 'Privacy', about: '', count: 2, needed: 2, passed: false, retryAt: null };

/** Draws for a member whose attempts these are, as they were read; then the server is away. */
async function drawWith(children: ReactNode, attempts: QuizAttempt[]) {
  const server = fakeServer();
  server.answer(({ url }) => json(url === '/api/auth/user' ? aUser : { packs: [pack], attempts }));
  const view = await draw(
    <>
      {children}
      <Seen />
    </>,
  );
  await screen.findByText('all is read');
  server.answer(() => Promise.reject(new TypeError('Failed to fetch')));
  return { ...view, server };
}
const Seen = () => (useQuiz().data ? <p>all is read</p> : null);

describe('an attempt that was taken out', () => {
  test('is answered without a connection, and goes to the outbox as one act', async () => {
    await drawWith(<AttemptScreen attemptId="a1" />, [attemptOf()]);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(SINGLE.text);
    await press('Next question');
    expect(screen.getByRole('alert').textContent).toBe('Answer the question first.');
    fireEvent.click(screen.getByRole('radio', { name: 'Call a friend' }));
    await press('Next question');
    fireEvent.change(screen.getByRole('textbox'), { target: { value: '21000' } });
    // Nothing here says what is right.
    expect(document.body.textContent).not.toMatch(/That’s right|Not quite|You still know/);
    await press('Send answers');
    expect(device.sent).toMatchObject([
      {
        path: '/api/quiz/attempts/a1/answers',
        subject: 'quiz:a1',
        label: 'Privacy',
        body: {
          tookMs: expect.any(Number),
          answers: [
            { questionId: 'fog', optionIds: ['c'] },
            { questionId: 'gas', optionIds: [], value: '21000' },
          ],
        },
      },
    ]);
  });

  test('leads back to its community, or to the quiz where it has none', async () => {
    const hrefOf = (name: RegExp | string) => screen.getAllByRole('link', { name }).at(-1)?.getAttribute('href');
    await drawWith(<AttemptScreen attemptId="a1" />, [attemptOf({ taskId: 't1', communityId: 'c1' })]);
    expect(hrefOf(m.member_back_to_today({ today: m.shell_today() }))).toBe('/community/c1/dashboard');
    cleanup();
    await drawWith(<AttemptScreen attemptId="a1" />, [attemptOf({ taskId: 't1' })]);
    expect(hrefOf(/Back to the quiz/)).toBe('/web3-quiz');
    cleanup();
    await drawWith(<Waiting />, [attemptOf({ taskId: 't1' })]);
    expect(hrefOf(/Privacy/)).toBe('/web3-quiz?attempt=a1');
  });

  test('keeps its answers when the page closes in between', async () => {
    await drawWith(<AttemptScreen attemptId="a1" />, [attemptOf()]);
    fireEvent.click(screen.getByRole('radio', { name: 'Light a fire' }));
    cleanup();
    await drawWith(<AttemptScreen attemptId="a1" />, [attemptOf()]);
    expect((screen.getByRole('radio', { name: 'Light a fire' }) as HTMLInputElement).checked).toBe(true);
  });

  test('is pencil once it was answered, and says that the right answers are not here', async () => {
    device.outbox = [entryOf('quiz:a1', { state: 'waiting', label: 'Privacy' })];
    await drawWith(
      <>
        <AttemptScreen attemptId="a1" />
        <Waiting />
      </>,
      [attemptOf()],
    );
    expect(screen.getByRole('status').textContent).toMatch(
      /2 answers saved on this phone .* The right answers aren’t on this phone/,
    );
    expect(screen.getAllByText(/Graded when there is a connection/)).toHaveLength(2);
    expect(document.querySelectorAll('.pencil-card')).toHaveLength(2);
    expect(screen.queryByRole('radio')).toBe(null);
  });

  test('that failed tells no number and leads to practice', async () => {
    const result = { outcome: 'failed' as const, gradedAt: '2026-11-26T10:00:00.000Z', score: null, told: null };
    await drawWith(<AttemptScreen attemptId="a1" />, [attemptOf({ questions: [], result })]);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Not passed yet');
    expect(screen.getByText(/You needed 2 of 2/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Practise Privacy' }).getAttribute('href')).toContain('practice=privacy');
  });

  test('that was passed shows each question that was missed, with why', async () => {
    const told = [SINGLE, NUMBER].map((question, at) => ({
      questionId: question.id,
      isRight: at === 0,
      yours: at === 0 ? keyOf(question) : { questionId: question.id, optionIds: [], value: '5' },
      key: keyOf(question),
      explanation: question.explanation,
      source: question.source ?? null,
    }));
    const result = { outcome: 'passed' as const, gradedAt: '2026-11-26T10:00:00.000Z', score: 1, told };
    await drawWith(<AttemptScreen attemptId="a1" />, [attemptOf({ needed: 1, result })]);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Result: 1 of 2 right');
    expect(document.body.textContent).toContain('5 gas');
    expect(document.body.textContent).toContain('21000 gas');
    expect(document.body.textContent).toContain('It is fixed.');
  });

  test('of somebody else, or one too old, is not here', async () => {
    await drawWith(<AttemptScreen attemptId="a2" />, [attemptOf()]);
    expect(screen.getByText('This attempt isn’t here')).toBeTruthy();
  });
});

describe('graded packs', () => {
  test('are taken out with a connection, and one that is out leads to its questions', async () => {
    const { server } = await drawWith(<Graded />, []);
    const out = attemptOf({ id: 'a9' });
    server.answer(({ method }) => (method === 'POST' ? json(out, 201) : json({ packs: [pack], attempts: [out] })));
    await press('Download Privacy');
    expect(server.asked.find(({ method }) => method === 'POST')).toMatchObject({
      url: '/api/quiz/attempts',
      init: { body: JSON.stringify({ pack: 'shipped:privacy' }) },
    });
    expect((await screen.findByRole('link', { name: 'Answer' })).getAttribute('href')).toContain('attempt=a9');
  });
});

describe('a task that draws from a pack', () => {
  const ask = { kind: 'quiz' as const, passPercent: 80, questions: [], pack: { title: 'Privacy', count: 2 } };
  const view = viewTask('c1', taskOf('t1', { kind: 'quiz', ask }), []);

  test('is taken out first, then answered with all kinds, and sent with the claim', async () => {
    const { client } = await drawWith(<FormOf communityId="c1" view={view} onDone={() => undefined} />, []);
    expect(screen.getByRole('button', { name: 'Download the questions' })).toBeTruthy();
    expect(document.body.textContent).toContain('2 of 2 right answers are needed');
    await act(async () =>
      client.setQueryData(read('GET /api/quiz').queryKey, {
        packs: [],
        attempts: [attemptOf({ taskId: 't1', communityId: 'c1' })],
      }),
    );
    fireEvent.click(await screen.findByRole('radio', { name: 'Call a friend' }));
    fireEvent.change(screen.getByRole('textbox'), { target: { value: '5' } });
    await press('Send answers');
    expect(device.sent).toMatchObject([
      {
        path: '/api/communities/c1/tasks/t1/claims',
        body: {
          evidence: {
            kind: 'quiz',
            attemptId: 'a1',
            answers: [
              { questionId: 'fog', optionIds: ['c'] },
              { questionId: 'gas', value: '5' },
            ],
          },
        },
      },
    ]);
  });
});
