/** Answers in progress. Pure. */
import type { AttemptQuestion, QuizAnswer } from '../../../server/contract/quiz.ts';

/** The answer before any choice: an ordering starts with an order. */
export const initialAnswer = (question: AttemptQuestion): QuizAnswer => ({
  questionId: question.id,
  optionIds: question.kind === 'ordering' ? question.items.map(({ id }) => id) : [],
});

/** The order after moving an item one position; unchanged at the end. */
export function moved(ids: readonly string[], id: string, by: -1 | 1): string[] {
  const from = ids.indexOf(id);
  const to = from + by;
  const next = [...ids];
  const other = next[to];
  if (from < 0 || other === undefined) return next;
  next[to] = id;
  next[from] = other;
  return next;
}

/** A matching with one left side paired with another partner, or, for an empty one, with none. */
export function paired(answer: QuizAnswer, left: string, choice: string): QuizAnswer {
  const others = (answer.pairs ?? []).filter((pair) => pair.left !== left);
  return { ...answer, pairs: choice === '' ? others : [...others, { left, choice }] };
}

/** The items in random order, so a stored pack's order does not reveal the answer. */
export function shuffled<T>(items: readonly T[], random: () => number = Math.random): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(Math.floor(random() * left.length), 1));
}

/** The same question with its entries in random order. */
export function mixed(question: AttemptQuestion, random: () => number = Math.random): AttemptQuestion {
  switch (question.kind) {
    case 'single':
    case 'multiple':
      return { ...question, options: shuffled(question.options, random) };
    case 'ordering':
      return { ...question, items: shuffled(question.items, random) };
    case 'matching':
      return { ...question, left: shuffled(question.left, random), choices: shuffled(question.choices, random) };
    case 'number':
      return question;
  }
}
