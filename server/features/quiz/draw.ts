import { randomBytes, randomInt } from 'node:crypto';
import { QUIZ_HUMAN_FLOOR_MS } from '../../contract/limits.ts';
import type { QuizAnswer, QuizQuestion } from '../../contract/quiz.ts';
import { isRight, neededOf } from '../../contract/quiz-grade.ts';

/** A drawn question: its id in the pack, and the same question under ids of this attempt. */
export type Drawn = { of: string; question: QuizQuestion };

/** Random source: a whole number from 0 to below `below`, and a fresh id. */
export type Chance = { below: (below: number) => number; id: () => string };
const CHANCE: Chance = { below: (below) => randomInt(below), id: () => randomBytes(9).toString('hex') };

function shuffled<T>(items: readonly T[], { below }: Chance): T[] {
  const left = [...items];
  return items.map(() => left.splice(below(left.length), 1)[0] as T);
}

/**
 * Draws questions for an attempt: first those that the member had least often (`drawnBefore`: times by the pack's ids),
 * then randomly. So what a failed attempt reveals is useless for the next.
 */
export function draw(
  questions: readonly QuizQuestion[],
  count: number,
  drawnBefore: ReadonlyMap<string, number>,
  chance: Chance = CHANCE,
): Drawn[] {
  const times = (question: QuizQuestion) => drawnBefore.get(question.id) ?? 0;
  return shuffled(questions, chance)
    .sort((a, b) => times(a) - times(b))
    .slice(0, count)
    .map((question) => ({ of: question.id, question: renamed(question, chance) }));
}

/** The same question with random ids in random order: nothing of it is recognizable. */
function renamed(question: QuizQuestion, chance: Chance): QuizQuestion {
  const names = new Map<string, string>();
  const nameOf = (id: string): string => names.get(id) ?? '';
  const entries = (of: readonly { id: string; text: string }[]) =>
    shuffled(of, chance).map(({ id, text }) => {
      const name = chance.id();
      names.set(id, name);
      return { id: name, text };
    });
  const id = chance.id();
  switch (question.kind) {
    case 'single':
    case 'multiple': {
      const options = entries(question.options);
      return { ...question, id, options, correct: question.correct.map(nameOf) };
    }
    case 'ordering': {
      const items = entries(question.items);
      return { ...question, id, items, correct: question.correct.map(nameOf) };
    }
    case 'matching': {
      const rights = entries(question.right);
      const rightOf = (of: string): string => nameOf(question.correct[of] ?? '');
      // The sides may share ids: the left one is named on its own.
      const left = shuffled(question.left, chance).map((one) => ({ ...one, name: chance.id() }));
      return {
        ...question,
        id,
        left: left.map(({ name, text }) => ({ id: name, text })),
        right: rights,
        correct: Object.fromEntries(left.map((one) => [one.name, rightOf(one.id)])),
      };
    }
    case 'number':
      return { ...question, id };
  }
}

export type Graded = { outcome: 'passed' | 'failed' | 'hasty'; score: number };

/**
 * Grades answers to drawn questions. Faster than people read is `hasty`, whatever was right.
 * @param tookMs how long the questions were open by the device; never longer than since they were drawn
 */
export function gradeDrawn(
  drawn: readonly Drawn[],
  answers: readonly QuizAnswer[],
  { passPercent, tookMs }: { passPercent: number; tookMs: number },
): Graded & { isHasty: boolean } {
  const given = new Map(answers.map((answer) => [answer.questionId, answer]));
  const score = drawn.filter(({ question }) => isRight(question, given.get(question.id))).length;
  const isHasty = tookMs < QUIZ_HUMAN_FLOOR_MS * drawn.length;
  const hasPassed = score >= neededOf(drawn.length, passPercent);
  return { outcome: isHasty ? 'hasty' : hasPassed ? 'passed' : 'failed', score, isHasty };
}
