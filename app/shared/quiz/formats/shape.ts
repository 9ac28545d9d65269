/** What the file formats of packs share: problems by line, ids for what a file names by its place. Pure. */
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

/** What is wrong with a file, beside what may be wrong with one question. */
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
/** `line` counts from 1; `what` is the piece of the file that it is about, cut short. */
export type ImportProblem = { line: number; problem: FormatProblem; what?: string };
/** What a question is taken without, because questions have no place for it here. */
export type LeftOut =
  | 'a category'
  | 'a column or field that is not read'
  | 'a mark behind the answers'
  | 'credit for a part'
  | 'feedback to answers'
  | 'formatting'
  | 'letters that cannot be read';
/** What a file holds. Where there are problems, `questions` are those without; `leftOut` is what they are taken without. */
export type Imported = {
  questions: QuizQuestion[];
  problems: ImportProblem[];
  leftOut: { line: number; part: LeftOut; what?: string }[];
};

export const sourceIs = (url: string): boolean =>
  url.length <= 2_000 && URL.canParse(url) && new URL(url).protocol === 'https:';

/** Longest of every text, in characters: what the schema holds a pack to. */
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

/** Everything that a question from a file must be, the first problem of it; null where it can be taken. */
export function problemIn(question: QuizQuestion): FormatProblem | null {
  if (question.text.trim().length < 3) return 'no text';
  if (isTooLong(question)) return 'too long';
  if (question.source && !(question.source.title !== '' && sourceIs(question.source.url)))
    return 'a source that is no https link';
  return questionProblem(question);
}

/** The lines of a file that hold what was no letter to whoever read its bytes. */
export const lostLetters = (source: string): Imported['leftOut'] =>
  source
    .split(/\r\n|\r|\n/)
    .flatMap((text, at) =>
      text.includes('\ufffd')
        ? [{ line: at + 1, part: 'letters that cannot be read' as const, what: text.trim().slice(0, WHAT_MAX) }]
        : [],
    );

const WHAT_MAX = 60;
/** Collects what a reader finds, with ids that no two questions share. */
export function collector(): {
  /** Answers whether the question is taken. */
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
        // Once is enough: a file may have thousands more.
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

/** An id made of a name: small Latin letters, digits and single hyphens; empty where nothing is left of it. */
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

/** `a` for 0, `b` for 1; `prefix` tells the two sides of a matching apart. */
export const letter = (at: number, prefix = ''): string => prefix + String.fromCharCode(97 + at);
export const lettered = (texts: readonly string[], prefix = ''): { id: string; text: string }[] =>
  texts.map((text, at) => ({ id: letter(at, prefix), text }));

/** Both sides of a matching from pairs of texts, and texts that belong to nothing. Partners that read alike are one. */
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

/** Texts of a matching as files hold them. */
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
 * A question with the ids that files without ids give: everything that a person reads is the same. Two questions that
 * read alike are equal in this form.
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
