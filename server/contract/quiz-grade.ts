/** Grading of the five kinds of question: on the device where one practises, on the server where it counts. Pure. */
import type { AttemptQuestion, QuizAnswer, QuizQuestion } from './quiz.ts';
import { type Decimal, readDecimal } from './quiz-check.ts';

/**
 * A number as people type it: `21000`, `21 000`, `21,000`, `0,5`, `+1.5`, with blanks around. A comma is a decimal one
 * only where groups of three cannot be meant.
 */
export function readTyped(text: string): Decimal | null {
  const plain = text
    .replace(/[\s\u00a0\u202f'’_]/g, '')
    .replace('−', '-')
    .replace(/^\+/, '');
  if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain)) return readDecimal(plain.replaceAll(',', ''));
  return readDecimal(plain.replace(/^(-?\d*),(\d+)$/, '$1.$2').replace(/^(-?)\./, '$10.'));
}

const scaled = ({ digits, decimals }: Decimal, to: number): bigint => digits * 10n ** BigInt(to - decimals);
const abs = (value: bigint): bigint => (value < 0n ? -value : value);

function isWithin(given: Decimal, value: Decimal, tolerance: Decimal): boolean {
  const decimals = Math.max(given.decimals, value.decimals, tolerance.decimals);
  return abs(scaled(given, decimals) - scaled(value, decimals)) <= scaled(tolerance, decimals);
}

const isSameSet = (given: readonly string[], wanted: readonly string[]): boolean =>
  given.length === wanted.length && new Set(given).size === given.length && given.every((id) => wanted.includes(id));

/**
 * Whether an answer is entirely right: all right options and no other, every item in its position, every pair. No half
 * points.
 */
export function isRight(question: QuizQuestion, answer: QuizAnswer | undefined): boolean {
  if (answer === undefined) return false;
  switch (question.kind) {
    case 'single':
    case 'multiple':
      return isSameSet(answer.optionIds, question.correct);
    case 'ordering': {
      const { correct } = question;
      return answer.optionIds.length === correct.length && correct.every((id, at) => answer.optionIds[at] === id);
    }
    case 'matching': {
      const pairs = new Map((answer.pairs ?? []).map(({ left, choice }) => [left, choice]));
      return (
        answer.pairs?.length === question.left.length &&
        question.left.every(({ id }) => pairs.get(id) === question.correct[id])
      );
    }
    case 'number': {
      const given = readTyped(answer.value ?? '');
      const value = readDecimal(question.correct.value);
      const tolerance = readDecimal(question.correct.tolerance);
      return given !== null && value !== null && tolerance !== null && isWithin(given, value, tolerance);
    }
  }
}

/** The right answer, in the form in which a member gives one. */
export function keyOf(question: QuizQuestion): QuizAnswer {
  const questionId = question.id;
  switch (question.kind) {
    case 'single':
    case 'multiple':
    case 'ordering':
      return { questionId, optionIds: question.correct };
    case 'matching': {
      const pairs = question.left.map(({ id }) => ({ left: id, choice: question.correct[id] ?? '' }));
      return { questionId, optionIds: [], pairs };
    }
    case 'number':
      return { questionId, optionIds: [], value: question.correct.value };
  }
}

/** A question without its key. Every field is listed here, so none slips through. */
export function withoutKey(question: QuizQuestion): AttemptQuestion {
  const { id, text } = question;
  switch (question.kind) {
    case 'single':
    case 'multiple':
      return { kind: question.kind, id, text, options: question.options };
    case 'ordering':
      return { kind: question.kind, id, text, items: question.items };
    case 'matching':
      return { kind: question.kind, id, text, left: question.left, choices: question.right };
    case 'number':
      return { kind: question.kind, id, text, unit: question.unit ?? null };
  }
}

/** Whether an answer covers everything that its question asks. */
export function isAnswered(question: AttemptQuestion, answer: QuizAnswer | undefined): boolean {
  if (answer === undefined) return false;
  switch (question.kind) {
    case 'single':
    case 'multiple':
      return answer.optionIds.length > 0;
    case 'ordering':
      return answer.optionIds.length === question.items.length;
    case 'matching':
      return question.left.every(({ id }) => answer.pairs?.some(({ left }) => left === id) ?? false);
    case 'number':
      return readTyped(answer.value ?? '') !== null;
  }
}

/** An answer in words, shown beside its question: `Stop`, `21000 gas`; orders and pairs on separate lines. */
export function inWords(question: AttemptQuestion, answer: QuizAnswer | null): string {
  if (answer === null) return '';
  const texts = (of: readonly { id: string; text: string }[], ids: readonly string[]) =>
    ids.flatMap((id) => of.find((one) => one.id === id)?.text ?? []);
  switch (question.kind) {
    case 'single':
    case 'multiple':
      return question.options
        .filter(({ id }) => answer.optionIds.includes(id))
        .map(({ text }) => text)
        .join(' · ');
    case 'ordering':
      return texts(question.items, answer.optionIds)
        .map((text, at) => `${at + 1}. ${text}`)
        .join('\n');
    case 'matching':
      return question.left
        .map(({ id, text }) => {
          const chosen = answer.pairs?.find(({ left }) => left === id)?.choice ?? '';
          return `${text}: ${texts(question.choices, [chosen])[0] ?? '–'}`;
        })
        .join('\n');
    case 'number':
      return [answer.value ?? '', question.unit ?? ''].filter(Boolean).join(' ');
  }
}

/** How many of so many must be right for this percentage. */
export const neededOf = (count: number, passPercent: number): number => Math.ceil((count * passPercent) / 100);
