/** What makes a question valid. Beside the schemas, so the page's editor and imports use the same rules. */
import { QUIZ_ITEMS_MAX, QUIZ_ITEMS_MIN, QUIZ_OPTIONS_MAX } from './limits.ts';

/** A decimal number without rounding: `digits` × 10^-`places`. */
export type Decimal = { digits: bigint; decimals: number };

/** A decimal string as packs hold it, `-12.50`; null for anything else. */
export function readDecimal(text: string): Decimal | null {
  const [, sign, whole, part = ''] = /^(-?)(\d{1,40})(?:\.(\d{1,40}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = BigInt(whole + part);
  return { digits: sign === '-' ? -digits : digits, decimals: part.length };
}

/** What is wrong with a question, as a code; screens have sentences for it. */
export type QuestionProblem =
  | 'no text'
  | 'too few answers'
  | 'too many answers'
  | 'an answer without words'
  | 'two answers that read the same'
  | 'two answers with the same id'
  | 'no right answer'
  | 'more than one right answer'
  | 'a right answer that is not among the answers'
  | 'an order that does not name each item once'
  | 'a left side without its right side'
  | 'not a number'
  | 'a tolerance below zero';

type Entry = { id: string; text: string };
/** What is checked of a question, of which the schema is made only then. */
type Checked = { text: string } & (
  | { kind: 'single' | 'multiple'; options: Entry[]; correct: string[] }
  | { kind: 'ordering'; items: Entry[]; correct: string[] }
  | { kind: 'matching'; left: Entry[]; right: Entry[]; correct: Record<string, string> }
  | { kind: 'number'; correct: { value: string; tolerance: string } }
);

function entriesProblem(entries: readonly Entry[], min: number, max: number): QuestionProblem | null {
  if (entries.length < min) return 'too few answers';
  if (entries.length > max) return 'too many answers';
  if (entries.some(({ text }) => text.trim() === '')) return 'an answer without words';
  if (new Set(entries.map(({ id }) => id)).size !== entries.length) return 'two answers with the same id';
  const texts = new Set(entries.map(({ text }) => text.trim().normalize('NFC')));
  return texts.size === entries.length ? null : 'two answers that read the same';
}

/** Why a question cannot be used or graded; null where it can. The schema checks lengths and characters. */
export function questionProblem(question: Checked): QuestionProblem | null {
  if (question.text.trim() === '') return 'no text';
  switch (question.kind) {
    case 'single':
    case 'multiple':
      return (
        entriesProblem(question.options, 2, QUIZ_OPTIONS_MAX) ??
        chosenProblem(question.options, question.correct, question.kind === 'single')
      );
    case 'ordering': {
      const { items, correct } = question;
      const isEach = correct.length === items.length && new Set(correct).size === items.length;
      return (
        entriesProblem(items, QUIZ_ITEMS_MIN, QUIZ_ITEMS_MAX) ??
        (isEach && items.every(({ id }) => correct.includes(id)) ? null : 'an order that does not name each item once')
      );
    }
    case 'matching': {
      const { left, right, correct } = question;
      const keys = Object.keys(correct);
      const isPaired =
        keys.length === left.length &&
        left.every(({ id }) => Object.hasOwn(correct, id) && right.some((one) => one.id === correct[id]));
      return (
        entriesProblem(left, QUIZ_ITEMS_MIN, QUIZ_ITEMS_MAX) ??
        entriesProblem(right, QUIZ_ITEMS_MIN, QUIZ_ITEMS_MAX) ??
        (isPaired ? null : 'a left side without its right side')
      );
    }
    case 'number': {
      const { value, tolerance } = question.correct;
      const within = readDecimal(tolerance);
      if (readDecimal(value) === null || within === null) return 'not a number';
      return within.digits < 0n ? 'a tolerance below zero' : null;
    }
  }
}

function chosenProblem(options: readonly Entry[], correct: readonly string[], isOne: boolean): QuestionProblem | null {
  if (correct.length === 0) return 'no right answer';
  if (isOne && correct.length > 1) return 'more than one right answer';
  const ids = new Set(options.map(({ id }) => id));
  const isValid = new Set(correct).size === correct.length && correct.every((id) => ids.has(id));
  return isValid ? null : 'a right answer that is not among the answers';
}

/** The id that two questions of a pack share; null where none do. */
export function packProblem(questions: readonly { id: string }[]): string | null {
  const seen = new Set<string>();
  for (const { id } of questions) {
    if (seen.has(id)) return id;
    seen.add(id);
  }
  return null;
}
