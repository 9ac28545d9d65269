import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { PracticeRun } from '../../../app/features/quiz/practice-run.tsx';
import type { QuizPack } from '../../../server/contract/quiz.ts';
import type { PracticeNote } from '../../../worker/schema.ts';
import { MATCHING, MULTIPLE, NUMBER, ORDERING, SINGLE } from '../../support/quiz.ts';
import { draw, press } from '../support.tsx';

vi.mock('../../../app/lib/logs.ts', () => ({ log: vi.fn(), logError: vi.fn() }));

const notes: PracticeNote[] = [];
const again = vi.fn();
beforeEach(() => {
  notes.length = 0;
  again.mockReset();
  vi.stubGlobal('scrollTo', () => undefined);
});

const packOf = (...questions: QuizPack['questions']): QuizPack => ({
  id: 'walks',
  title: 'Walks',
  about: '',
  language: 'en',
  questions,
});
const practise = async (...questions: QuizPack['questions']) => {
  const pack = packOf(...questions);
  const turns = questions.map(({ id }) => ({ pack: 'walks', question: id }));
  await draw(
    <PracticeRun
      packs={[pack]}
      turns={turns}
      record={{ cards: {}, days: {} }}
      note={(note) => notes.push(note)}
      onAgain={again}
    />,
  );
};
const heading = () => screen.getByRole('heading', { level: 1 }).textContent;

describe('a session of practice', () => {
  test('says gently what was not right, why, when it comes again and where that is from', async () => {
    await practise(SINGLE);
    expect(heading()).toBe(SINGLE.text);
    expect(screen.getAllByRole('radio')).toHaveLength(4);
    await press('Check answer');
    expect(screen.getByRole('alert').textContent).toBe('Answer the question first.');
    fireEvent.click(screen.getByRole('radio', { name: 'Light a fire' }));
    await press('Check answer');
    const said = screen.getByRole('status');
    expect(within(said).getByRole('heading').textContent).toBe('Not quite');
    expect(said.textContent).toContain('You still know roughly where you are.');
    expect(said.textContent).toContain('again tomorrow');
    expect(within(said).getByRole('link', { name: 'A handbook' }).getAttribute('href')).toBe(
      'https://example.org/handbook',
    );
    expect(document.body.textContent).not.toMatch(/wrong!/i);
    // The chosen and the right one, and no other.
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['Light a fireYour answer', 'Stop and look at the mapRight']),
    );
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    expect(document.activeElement?.textContent).toBe('See the result');
    expect(notes).toMatchObject([
      { pack: 'walks', question: 'fog', isRight: false, card: { lastRight: false, interval: 1 } },
    ]);
  });

  test('goes on to the result, what to look at again, and these once more', async () => {
    await practise(SINGLE, NUMBER);
    fireEvent.click(screen.getByRole('radio', { name: 'Walk faster' }));
    await press('Check answer');
    await press('Next question');
    expect(heading()).toBe(NUMBER.text);
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    fireEvent.change(screen.getByRole('textbox'), { target: { value: '21 000' } });
    await press('Check answer');
    expect(screen.getByRole('status').textContent).toContain('That’s right');
    await press('See the result');
    expect(heading()).toBe('Result: 1 of 2 right');
    expect(screen.getByRole('img', { name: 'Right, except 1' })).toBeTruthy();
    expect(screen.getByText('1 question to look at again')).toBeTruthy();
    expect(screen.getByText(/Walk faster/)).toBeTruthy();
    await press('Practise this one again');
    expect(again).toHaveBeenCalledWith([{ pack: 'walks', question: 'fog' }]);
  });

  test('takes several answers', async () => {
    await practise(MULTIPLE);
    expect(screen.getByText('Choose all that are right')).toBeTruthy();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Water' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'A map' }));
    await press('Check answer');
    expect(notes).toMatchObject([{ isRight: true }]);
  });

  test('takes an order by arrows that are there only where they work, and says each move aloud', async () => {
    await practise(ORDERING);
    const order = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent?.replace(/^\d/, ''));
    const wanted = ['The wallet signs', 'It waits', 'A block holds it'];
    expect(screen.getAllByRole('button', { name: /^Move/ })).toHaveLength(4);
    // Brings each to its place from the end upwards.
    for (const [place, item] of wanted.entries()) while (order().indexOf(item) > place) await press(`Move up: ${item}`);
    expect(order()).toEqual(wanted);
    await press('Move down: The wallet signs');
    expect(screen.getByRole('status').textContent).toBe('Now number 2 of 3');
    await press('Move up: The wallet signs');
    expect(screen.getByRole('status').textContent).toBe('Now number 1 of 3');
    await press('Check order');
    expect(notes).toMatchObject([{ isRight: true }]);
  });

  test('takes pairs, each side once', async () => {
    await practise(MATCHING);
    const choose = (left: string, right: string) => {
      const select = screen.getByRole('combobox', { name: left });
      const option = within(select).getByRole('option', { name: right });
      fireEvent.change(select, { target: { value: option.getAttribute('value') } });
    };
    choose('Key', 'mints');
    choose('Seed', 'restores');
    await press('Check answer');
    expect(notes).toEqual([]);
    choose('Address', 'receives');
    choose('Key', 'signs');
    await press('Check answer');
    expect(notes).toMatchObject([{ isRight: true }]);
  });
});
