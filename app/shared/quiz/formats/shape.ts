/** Shared by the pack formats: problems by line, and ids for entries that a file knows by position. Pure. */
import {
  QUIZ_EXPLANATION_MAX,
  QUIZ_NUMBER_MAX,
  QUIZ_OPTION_MAX,
  QUIZ_PACK_QUESTIONS_MAX,
  QUIZ_QUESTION_ID_MAX,
  QUIZ_QUESTION_MAX,
  QUIZ_SOURCE_TITLE_MAX,
  QUIZ_UNIT_MAX,
} from '../../../../server/contract/limits.ts';
import type { QuizQuestion } from '../../../../server/contract/quiz.ts';
import { type QuestionProblem, questionProblem } from '../../../../server/contract/quiz-check.ts';

/** Problems of a file beyond those of one question. */
export type FormatProblem =
  | QuestionProblem
  | 'too long'
  | 'a source that is no https link'
  | 'an unknown kind'
  | 'an essay'
  | 'words to be typed'
  | 'a question without an empty line before it'
  | 'not this format'
  | 'a column that is missing'
  | 'a quotation that does not end'
  | 'braces that do not close'
  | 'answers without braces'
  | 'too many questions'
  | 'no questions';
/** `line` counts from 1; `what` is the affected piece of the file, shortened. */
export type ImportProblem = { line: number; problem: FormatProblem; what?: string };
/** Parts of a question that have no equivalent here and are left out. */
export type LeftOut =
  | 'a category'
  | 'a column or field that is not read'
  | 'a mark behind the answers'
  | 'credit for a part'
  | 'feedback to answers'
  | 'formatting'
  | 'letters that cannot be read';
/** The contents of a file: its valid `questions`, the problems, and what was `leftOut`. */
export type Imported = {
  questions: QuizQuestion[];
  problems: ImportProblem[];
  leftOut: { line: number; part: LeftOut; what?: string }[];
};

export const sourceIs = (url: string): boolean =>
  url.length <= 2_000 && URL.canParse(url) && new URL(url).protocol === 'https:';

/** Whether any text exceeds the schema's length in characters. */
function isTooLong(question: QuizQuestion): boolean {
  const entries = (of: readonly { text: string }[]) => of.some(({ text }) => text.length > QUIZ_OPTION_MAX);
  const { text, explanation, source } = question;
  if (text.length > QUIZ_QUESTION_MAX || explanation.length > QUIZ_EXPLANATION_MAX) return true;
  if (source && source.title.length > QUIZ_SOURCE_TITLE_MAX) return true;
  switch (question.kind) {
    case 'single':
    case 'multiple':
      return entries(question.options);
    case 'ordering':
      return entries(question.items);
    case 'matching':
      return entries(question.left) || entries(question.right);
    case 'number': {
      const { value, tolerance } = question.correct;
      return Math.max(value.length, tolerance.length) > QUIZ_NUMBER_MAX || (question.unit ?? '').length > QUIZ_UNIT_MAX;
    }
  }
}

/** The first problem of a question from a file; null when it is valid. */
export function problemIn(question: QuizQuestion): FormatProblem | null {
  if (question.text.trim().length < 3) return 'no text';
  if (isTooLong(question)) return 'too long';
  if (question.source && !(question.source.title !== '' && sourceIs(question.source.url)))
    return 'a source that is no https link';
  return questionProblem(question);
}

/** The lines with replacement characters, left by bytes that were no valid text. */
export const lostLetters = (source: string): Imported['leftOut'] =>
  source
    .split(/\r\n|\r|\n/)
    .flatMap((text, at) =>
      text.includes('\ufffd')
        ? [{ line: at + 1, part: 'letters that cannot be read' as const, what: text.trim().slice(0, WHAT_MAX) }]
        : [],
    );

const WHAT_MAX = 60;
/** Collects a reader's questions and problems, with unique ids. */
export function collector(): {
  /** Answers whether the question was accepted. */
  add: (question: QuizQuestion, line: number) => boolean;
  leaveOut: (line: number, part: LeftOut, what?: string) => void;
  fail: (line: number, problem: FormatProblem, what?: string) => void;
  end: () => Imported;
} {
  const questions: QuizQuestion[] = [];
  const problems: ImportProblem[] = [];
  const taken = new Set<string>();
  const leftOut: Imported['leftOut'] = [];
  const cut = (what: string) => (what === '' ? {} : { what: what.slice(0, WHAT_MAX) });
  const fail = (line: number, problem: FormatProblem, what = '') => {
    problems.push({ line, problem, ...cut(what) });
    return false;
  };
  return {
    fail,
    leaveOut: (line, part, what = '') => void leftOut.push({ line, part, ...cut(what) }),
    add(question, line) {
      const problem = problemIn(question);
      if (problem !== null) return fail(line, problem, question.text);
      if (questions.length === QUIZ_PACK_QUESTIONS_MAX) {
        // Reported once: a file may have thousands more.
        return problems.at(-1)?.problem !== 'too many questions' && fail(line, 'too many questions');
      }
      const id = freeId(question.id || `question-${questions.length + 1}`, taken);
      taken.add(id);
      questions.push({ ...question, id });
      return true;
    },
    end() {
      if (questions.length === 0 && problems.length === 0) fail(1, 'no questions');
      return { questions, problems, leftOut };
    },
  };
}

/** An id from a name: small Latin letters, digits and single hyphens; empty when nothing remains. */
export const kebab = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, QUIZ_QUESTION_ID_MAX)
    .replace(/^-+|-+$/g, '');

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.slice(0, QUIZ_QUESTION_ID_MAX - 4).replace(/-+$/, '');
  let next = 2;
  while (taken.has(`${stem}-${next}`)) next += 1;
  return `${stem}-${next}`;
}

/** `a` for 0, `b` for 1; `prefix` distinguishes the two sides of a matching. */
export const letter = (at: number, prefix = ''): string => prefix + String.fromCharCode(97 + at);
export const lettered = (texts: readonly string[], prefix = ''): { id: string; text: string }[] =>
  texts.map((text, at) => ({ id: letter(at, prefix), text }));

/** Both sides of a matching from pairs of texts and unpaired texts. Partners with equal texts are merged. */
export function matchingOf(pairs: readonly (readonly [string, string])[], extra: readonly string[]) {
  const rights = lettered([...new Set([...pairs.map(([, right]) => right), ...extra])], 'r');
  const left = lettered(
    pairs.map(([text]) => text),
    'l',
  );
  const correct: Record<string, string> = {};
  for (const [at, [, text]] of pairs.entries())
    correct[letter(at, 'l')] = rights.find((one) => one.text === text)?.id ?? '';
  return { left, right: rights, correct };
}

/** A matching's texts as files store them. */
export function pairsOf(question: Extract<QuizQuestion, { kind: 'matching' }>) {
  const textOf = (id: string | undefined) => question.right.find((one) => one.id === id)?.text ?? '';
  const used = new Set(Object.values(question.correct));
  return {
    pairs: question.left.map(({ id, text }) => [text, textOf(question.correct[id])] as const),
    extra: question.right.filter(({ id }) => !used.has(id)).map(({ text }) => text),
  };
}

/** Texts of an ordering, in the right order. */
export const orderOf = ({ items, correct }: Extract<QuizQuestion, { kind: 'ordering' }>): string[] =>
  correct.map((id) => items.find((item) => item.id === id)?.text ?? '');

/**
 * A question with the ids that files without ids get; its visible text is unchanged. Questions with equal texts are
 * equal in this form.
 */
export function plain(question: QuizQuestion): QuizQuestion {
  switch (question.kind) {
    case 'single':
    case 'multiple': {
      const { options, correct } = question;
      const right = options.flatMap(({ id }, at) => (correct.includes(id) ? [letter(at)] : []));
      return { ...question, options: lettered(options.map(({ text }) => text)), correct: right };
    }
    case 'ordering': {
      const items = lettered(orderOf(question));
      return { ...question, items, correct: items.map(({ id }) => id) };
    }
    case 'matching': {
      const { pairs, extra } = pairsOf(question);
      return { ...question, ...matchingOf(pairs, extra) };
    }
    case 'number':
      return question;
  }
}
