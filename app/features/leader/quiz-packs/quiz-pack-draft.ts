/** A pack in its editor. Pure, except for new ids. */
import type { NewQuizPack, QuizQuestion } from '../../../../server/contract/quiz.ts';
import { newId, newOption } from '../../../kinds/choices.ts';
import { type FormatProblem, problemIn } from '../../../shared/quiz/formats/shape.ts';

export type PackDraft = NewQuizPack;
export const KINDS = ['single', 'multiple', 'ordering', 'matching', 'number'] as const;
export type QuestionKind = (typeof KINDS)[number];

const blanks = (count: number) => Array.from({ length: count }, newOption);

/** An empty question of a kind, with the fields that all kinds share (`of`). */
export function questionOf(kind: QuestionKind, of?: QuizQuestion): QuizQuestion {
  const common = {
    id: of?.id ?? `question-${newId()}`,
    text: of?.text ?? '',
    explanation: of?.explanation ?? '',
    ...(of?.source && { source: of.source }),
  };
  switch (kind) {
    case 'single':
    case 'multiple': {
      // The two kinds of choice convert into each other with all their texts.
      const had = of?.kind === 'single' || of?.kind === 'multiple' ? of : null;
      const options = had?.options ?? blanks(2);
      const correct = had?.correct ?? [options[0]?.id ?? ''];
      return { kind, ...common, options, correct: kind === 'single' ? correct.slice(0, 1) : correct };
    }
    case 'ordering': {
      const items = blanks(3);
      return { kind, ...common, items, correct: items.map(({ id }) => id) };
    }
    case 'matching': {
      const [left, right] = [blanks(3), blanks(3)];
      return {
        kind,
        ...common,
        left,
        right,
        correct: Object.fromEntries(left.map(({ id }, at) => [id, right[at]?.id ?? ''])),
      };
    }
    case 'number':
      return { kind, ...common, correct: { value: '', tolerance: '0' } };
  }
}

export const emptyPack = (): PackDraft => ({ title: '', about: '', language: 'en', questions: [questionOf('single')] });

/** Without spaces around texts. */
export function tidy(pack: PackDraft): PackDraft {
  return { ...pack, title: pack.title.trim(), about: pack.about.trim(), questions: pack.questions.map(tidyQuestion) };
}
function tidyQuestion(question: QuizQuestion): QuizQuestion {
  const entries = (of: readonly { id: string; text: string }[]) =>
    of.map(({ id, text }) => ({ id, text: text.trim() }));
  const { source, ...rest } = question;
  const url = source?.url.trim() ?? '';
  const title = source?.title.trim() ?? '';
  const common = {
    text: question.text.trim(),
    explanation: question.explanation.trim(),
    ...((url !== '' || title !== '') && { source: { title: title || url, url } }),
  };
  switch (rest.kind) {
    case 'single':
    case 'multiple':
      return { ...rest, ...common, options: entries(rest.options) };
    case 'ordering':
      return { ...rest, ...common, items: entries(rest.items) };
    case 'matching':
      return { ...rest, ...common, left: entries(rest.left), right: entries(rest.right) };
    case 'number': {
      const { unit, ...plain } = rest;
      const correct = { value: rest.correct.value.trim(), tolerance: rest.correct.tolerance.trim() || '0' };
      return { ...plain, ...common, correct, ...(unit?.trim() && { unit: unit.trim() }) };
    }
  }
}

/** The first problem of each invalid question, by its id. */
export const problemsOf = (pack: PackDraft): ReadonlyMap<string, FormatProblem> =>
  new Map(
    tidy(pack).questions.flatMap((question) => {
      const problem = problemIn(question);
      return problem === null ? [] : [[question.id, problem] as const];
    }),
  );

/** Appends a file's questions, under unused ids. */
export function withImported(pack: PackDraft, imported: readonly QuizQuestion[]): PackDraft {
  const taken = new Set(pack.questions.map(({ id }) => id));
  // Untouched empty questions are dropped.
  const filled = pack.questions.filter(({ text, explanation }) => text.trim() !== '' || explanation !== '');
  const added = imported.map((question) => {
    const id = taken.has(question.id) ? `${question.id.slice(0, 50)}-${newId()}` : question.id;
    taken.add(id);
    return { ...question, id };
  });
  return { ...pack, questions: [...filled, ...added] };
}
