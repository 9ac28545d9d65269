import { describe, expect, it } from 'vitest';
import type { QuizAnswer, QuizQuestion } from '../../server/contract/quiz.ts';
import { QuizPack, QuizQuestion as QuizQuestionSchema } from '../../server/contract/quiz.ts';
import { questionProblem } from '../../server/contract/quiz-check.ts';
import {
  inWords,
  isAnswered,
  isRight,
  keyOf,
  neededOf,
  readTyped,
  withoutKey,
} from '../../server/contract/quiz-grade.ts';
import { fc } from '../support/chance.ts';
import { answer, FIVE, MATCHING, MULTIPLE, NUMBER, ORDERING, questions, SINGLE, singles } from '../support/quiz.ts';

const pairs = (...joined: [string, string][]): QuizAnswer => ({
  questionId: 'words',
  optionIds: [],
  pairs: joined.map(([left, choice]) => ({ left, choice })),
});
const typed = (value: string): QuizAnswer => ({ questionId: 'gas', optionIds: [], value });

describe('a question', () => {
  it.each<[string, QuizQuestion, QuizAnswer, boolean]>([
    ['its one option', SINGLE, answer('fog', 'b'), true],
    ['another option', SINGLE, answer('fog', 'a'), false],
    ['two options where one is right', SINGLE, answer('fog', 'b', 'a'), false],
    ['nothing', SINGLE, answer('fog'), false],
    ['all right options', MULTIPLE, answer('pack', 'b', 'a'), true],
    ['one of two', MULTIPLE, answer('pack', 'a'), false],
    ['one of two twice', MULTIPLE, answer('pack', 'a', 'a'), false],
    ['every option', MULTIPLE, answer('pack', 'a', 'b', 'c', 'd'), false],
    ['the right order', ORDERING, answer('payment', 'b', 'c', 'a'), true],
    ['another order', ORDERING, answer('payment', 'c', 'b', 'a'), false],
    ['a part of the order', ORDERING, answer('payment', 'b', 'c'), false],
    ['the order and more', ORDERING, answer('payment', 'b', 'c', 'a', 'a'), false],
    ['all pairs', MATCHING, pairs(['a', 'b'], ['c', 'a'], ['b', 'c']), true],
    ['one pair that is not right', MATCHING, pairs(['a', 'b'], ['c', 'd'], ['b', 'c']), false],
    ['a pair too few', MATCHING, pairs(['a', 'b'], ['c', 'a']), false],
    ['one side joined twice', MATCHING, pairs(['a', 'b'], ['c', 'a'], ['b', 'c'], ['b', 'a']), false],
    ['its number', NUMBER, typed('21000'), true],
    ['its number with a group', NUMBER, typed(' 21,000 '), true],
    ['its number with blanks', NUMBER, typed('21 000.5'), true],
    ['the end of its tolerance', NUMBER, typed('20999.5'), true],
    ['a number beyond its tolerance', NUMBER, typed('20999.4999999999999999999'), false],
    ['no number', NUMBER, typed('many'), false],
  ])('is answered with %s', (_, question, given, expected) => {
    expect(isRight(question, given)).toBe(expected);
    expect(isRight(question, undefined)).toBe(false);
  });

  it('is right with its own key, in words too, and with no key in what is asked', () => {
    fc.assert(
      fc.property(questions, (all) => {
        for (const question of all) {
          expect(questionProblem(question)).toBe(null);
          expect(isRight(question, keyOf(question))).toBe(true);
          expect(isAnswered(withoutKey(question), keyOf(question))).toBe(true);
          expect(inWords(withoutKey(question), keyOf(question))).not.toBe('');
          expect(JSON.stringify(withoutKey(question))).not.toMatch(/"correct"|"explanation"|"tolerance"/);
        }
      }),
    );
  });

  it.each([
    ['0,5', '0.5'],
    ['.5', '0.5'],
    ['-,5', '-0.5'],
    ['1,234,567.8', '1234567.8'],
    ['12,34', '12.34'],
    ['−3', '-3'],
    ['+3', '3'],
    ['1e3', null],
    ['', null],
    ['1.2.3', null],
  ])('takes %s as people type it', (given, expected) => {
    const found = readTyped(given);
    const wanted = expected === null ? null : readTyped(expected);
    expect(found).toEqual(wanted);
  });

  it('needs its whole share of right answers', () => {
    expect([neededOf(5, 80), neededOf(5, 81), neededOf(3, 60), neededOf(1, 1)]).toEqual([4, 5, 2, 1]);
  });

  it.each([
    ['no right answer', { ...SINGLE, correct: [] }],
    ['more than one right answer', { ...SINGLE, correct: ['a', 'b'] }],
    ['a right answer that is not among the answers', { ...MULTIPLE, correct: ['a', 'x'] }],
    [
      'two answers that read the same',
      {
        ...MULTIPLE,
        options: [...(MULTIPLE.kind === 'multiple' ? MULTIPLE.options : []), { id: 'e', text: 'Water ' }],
      },
    ],
    ['an order that does not name each item once', { ...ORDERING, correct: ['a', 'a', 'b'] }],
    ['a left side without its right side', { ...MATCHING, correct: { a: 'b', b: 'c', c: 'x' } }],
    ['a left side without its right side', { ...MATCHING, correct: { a: 'b', b: 'c' } }],
    ['a tolerance below zero', { ...NUMBER, correct: { value: '1', tolerance: '-1' } }],
  ])('is refused with %s', (problem, question) => {
    expect(questionProblem(question as QuizQuestion)).toBe(problem);
    expect(QuizQuestionSchema.safeParse(question).success).toBe(false);
  });

  it('belongs to a pack under an id of its own', () => {
    const pack = { ...singles('twice', 2), questions: [SINGLE, SINGLE] };
    expect(QuizPack.safeParse(pack).success).toBe(false);
    expect(QuizPack.safeParse({ ...pack, questions: FIVE }).success).toBe(true);
  });
});
