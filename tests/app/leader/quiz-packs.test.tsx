import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { problemsOf, questionOf, withImported } from '../../../app/features/leader/quiz-packs/quiz-pack-draft.ts';
import { QuizPackEditor } from '../../../app/features/leader/quiz-packs/quiz-pack-editor.tsx';
import { QuizPacks } from '../../../app/features/leader/quiz-packs/quiz-packs.tsx';
import { bodyOf, emptyDraft, problemsOf as taskProblems } from '../../../app/features/leader/tasks/task-draft.ts';
import { PackFields } from '../../../app/kinds/quiz/pack-fields.tsx';
import { writeGift } from '../../../app/shared/quiz/formats/gift.ts';
import type { OwnQuizPack } from '../../../server/contract/quiz.ts';
import type { TaskSetup } from '../../../server/contract/tasks.ts';
import { FIVE } from '../../support/quiz.ts';
import { dashboardOf } from '../member/support.ts';
import { click, draw, json, press, serverOfEach } from '../support.tsx';

vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const community = { ...dashboardOf([]).community, role: 'leader' as const };
const summary = (ref: string, over = {}) => ({
  ref,
  title: ref.startsWith('own') ? 'The ridge' : 'Privacy',
  about: '',
  language: 'en',
  questions: 10,
  tasks: 0,
  changedAt: null,
  ...over,
});
const PACKS = [summary('own:p1', { tasks: 1 }), summary('own:p2', { title: 'Huts' }), summary('shipped:privacy')];
const MISS = { ref: 'own:p1', pack: 'The ridge', text: 'How high is the hut?', shown: 12, missed: 9 };
const server = serverOfEach(({ url, method }) => {
  if (method !== 'GET') return json({ id: 'p1', title: 'Saved', ok: true });
  if (url.endsWith('/quiz-packs')) return json({ items: PACKS });
  if (url.endsWith('/quiz-misses')) return json({ items: [MISS] });
  return json({});
});
const sent = () => server.asked.filter(({ method }) => method !== 'GET');
const own: OwnQuizPack = {
  id: 'p1',
  title: 'The ridge',
  about: '',
  language: 'en',
  questions: [...FIVE],
  changedAt: '2026-11-26T09:00:00.000Z',
  tasks: 0,
};

describe('packs of questions', () => {
  test('are listed with their tasks; one in use cannot be deleted, and what is missed most stands below', async () => {
    await draw(<QuizPacks community={community} />);
    expect(await screen.findByText('Huts')).toBeTruthy();
    expect(screen.getByText('How high is the hut?')).toBeTruthy();
    expect(screen.getByText('The ridge · missed 9 of 12 times')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Remove: In use by a task' })).toBeTruthy();
    await press(/^Delete$|^Remove$/);
    const dialog = await screen.findByRole('dialog');
    await click(within(dialog).getAllByRole('button')[0] as HTMLElement);
    expect(sent()).toMatchObject([{ method: 'DELETE', url: expect.stringContaining('/quiz-packs/p2') }]);
  });

  test('are edited in all five kinds and saved whole', async () => {
    const done = vi.fn();
    await draw(<QuizPackEditor communityId="c1" pack={own} onDone={done} />);
    for (const question of FIVE) expect(screen.getByDisplayValue(question.text)).toBeTruthy();
    fireEvent.change(screen.getByDisplayValue('restores'), { target: { value: 'brings back' } });
    await press('Save pack');
    expect(sent()).toHaveLength(1);
    const body = JSON.parse(String(sent()[0]?.init.body));
    expect(sent()[0]).toMatchObject({ method: 'PUT', url: '/api/communities/c1/quiz-packs/p1' });
    expect(body.questions).toHaveLength(5);
    expect(body.questions[3].right).toContainEqual({ id: 'c', text: 'brings back' });
    expect(body.questions[2]).toEqual({ ...FIVE[2], items: expect.any(Array) });
    expect(done).toHaveBeenCalled();
  });

  test('that are not ready say what is missing, and are not sent', async () => {
    await draw(<QuizPackEditor communityId="c1" pack={null} onDone={() => undefined} />);
    await press('Save pack');
    expect(sent()).toEqual([]);
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['The question has no text.']),
    );
  });

  test('take questions from a file’s text, and say by line what they cannot', async () => {
    await draw(<QuizPackEditor communityId="c1" pack={null} onDone={() => undefined} />);
    fireEvent.change(screen.getByLabelText('Format'), { target: { value: 'gift' } });
    const text = `${writeGift(FIVE)}\nSpell it {=colour =color}\n`;
    fireEvent.change(screen.getByLabelText('Or paste it here'), { target: { value: text } });
    expect(screen.getByText('5 questions can be added.')).toBeTruthy();
    expect(screen.getByText(/Line \d+: Answers that are typed in words aren’t supported/)).toBeTruthy();
    await press('Add these questions');
    for (const question of FIVE) expect(screen.getByDisplayValue(question.text)).toBeTruthy();
  });

  test('ask how a file’s letters are written where its bytes do not say it, and name what questions are taken without', async () => {
    await draw(<QuizPackEditor communityId="c1" pack={null} onDone={() => undefined} />);
    // "Что это?" as Windows wrote it in Russia.
    const bytes = [0xd7, 0xf2, 0xee, 0x20, 0xfd, 0xf2, 0xee, 0x3f, ...Buffer.from(' {=yes#Good ~no}\n')];
    const file = new File([Uint8Array.from(bytes)], 'quiz.gift.txt');
    await act(async () => void fireEvent.change(screen.getByLabelText('Choose a file'), { target: { files: [file] } }));
    await screen.findByRole('group', { name: 'Which of these reads right?' });
    expect(screen.queryByText(/can be added/)).toBeNull();
    await click(screen.getByLabelText('Cyrillic (windows-1251): Что это? {=yes#Good ~no}'));
    expect(screen.getByText('1 question can be added.')).toBeTruthy();
    expect(screen.getByText(/Line 1, taken without: feedback to single answers/).textContent).toContain('Что это?');
    await press('Add these questions');
    expect(screen.getByDisplayValue('Что это?')).toBeTruthy();
  });
});

describe('a pack that is written', () => {
  test('changes the kind of a question and keeps what both have', () => {
    const single = { ...questionOf('single'), text: 'What first?', explanation: 'Because' };
    for (const kind of ['multiple', 'ordering', 'matching', 'number'] as const)
      expect(questionOf(kind, single)).toMatchObject({
        kind,
        id: single.id,
        text: 'What first?',
        explanation: 'Because',
      });
  });

  test('names the first problem of each question', () => {
    const blank = { title: 'A', about: '', language: 'en', questions: [questionOf('single'), ...FIVE] };
    expect([...problemsOf(blank).values()]).toEqual(['no text']);
  });

  test('gives what is imported twice ids of its own, and drops an empty beginning', () => {
    const empty = { title: '', about: '', language: 'en', questions: [questionOf('single')] };
    const once = withImported(empty, FIVE);
    expect(once.questions.map(({ id }) => id)).toEqual(FIVE.map(({ id }) => id));
    const twice = withImported(once, FIVE);
    expect(new Set(twice.questions.map(({ id }) => id)).size).toBe(10);
  });
});

describe('a quiz task', () => {
  const quiz: Extract<TaskSetup, { kind: 'quiz' }> = {
    kind: 'quiz',
    passPercent: 70,
    questions: [
      {
        id: 'q',
        text: 'Own one',
        options: [
          { id: 'a', text: 'A' },
          { id: 'b', text: 'B' },
        ],
        correct: ['a'],
      },
    ],
  };
  function Held() {
    const [setup, setSetup] = useState(quiz);
    return (
      <>
        <PackFields communityId="c1" setup={setup} onSetup={setSetup} />
        <output>{JSON.stringify(setup)}</output>
      </>
    );
  }

  test('draws from a pack in place of its questions, and has them back when its leader changes their mind', async () => {
    await draw(<Held />);
    const select = screen.getByLabelText('Questions');
    await screen.findByRole('option', { name: /Privacy/ });
    fireEvent.change(select, { target: { value: 'shipped:privacy' } });
    const held = () => JSON.parse(screen.getByRole('status').textContent ?? '');
    expect(held()).toMatchObject({ questions: [], pack: { ref: 'shipped:privacy', title: 'Privacy', count: 5 } });
    fireEvent.change(screen.getByLabelText('Questions per attempt'), { target: { value: '3' } });
    expect(held().pack.count).toBe(3);
    fireEvent.change(select, { target: { value: 'here' } });
    expect(held()).toEqual(quiz);
  });

  test('with a pack is ready to be sent, and one that was stored before packs still is', () => {
    const draft = { ...emptyDraft(0), title: 'A quiz' };
    const setup: TaskSetup = { ...quiz, questions: [], pack: { ref: 'shipped:privacy', title: 'Privacy', count: 5 } };
    expect(taskProblems({ ...draft, setup })).toEqual([]);
    expect(bodyOf({ ...draft, setup }).setup).toEqual(setup);
    expect(taskProblems({ ...draft, setup: quiz })).toEqual([]);
  });
});
