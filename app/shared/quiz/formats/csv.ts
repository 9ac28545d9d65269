/** Questions as a table (RFC 4180), one a row: docs/quiz-formats.md. Pure. */

import { QUIZ_ITEMS_MAX, QUIZ_OPTIONS_MAX } from '../../../../server/contract/limits.ts';
import type { QuizQuestion } from '../../../../server/contract/quiz.ts';
import { csvTable } from '../../../../server/rules/csv.ts';
import { collector, type Imported, kebab, lettered, matchingOf, orderOf, pairsOf } from './shape.ts';

/** Partners of a matching, plus the most extra ones when all lefts share one partner. */
const PARTNERS = QUIZ_ITEMS_MAX + QUIZ_OPTIONS_MAX - 1;
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at + 1}`);
const COLUMNS = [
  'id',
  'kind',
  'question',
  ...numbered('answer', QUIZ_OPTIONS_MAX),
  ...numbered('match', PARTNERS),
  'right',
  'tolerance',
  'unit',
  'explanation',
  'source_title',
  'source_url',
];
const NEEDED = ['kind', 'question', 'right', 'answer1'];

const cell = (text: string): string => (/[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export function writeCsv(questions: readonly QuizQuestion[]): string {
  const rows = questions.map((question) => COLUMNS.map((name) => cell(cellsOf(question)[name] ?? '')).join(','));
  return `${[COLUMNS.join(','), ...rows].join('\r\n')}\r\n`;
}

function cellsOf(question: QuizQuestion): Record<string, string> {
  const { id, kind, text, explanation, source } = question;
  const common = {
    id,
    kind,
    question: text,
    explanation,
    source_title: source?.title ?? '',
    source_url: source?.url ?? '',
  };
  const answers = (texts: readonly string[], name = 'answer') =>
    Object.fromEntries(texts.map((one, at) => [`${name}${at + 1}`, one]));
  switch (question.kind) {
    case 'single':
    case 'multiple': {
      const { options, correct } = question;
      const right = options.flatMap((option, at) => (correct.includes(option.id) ? [at + 1] : [])).join(' ');
      return { ...common, ...answers(options.map((option) => option.text)), right };
    }
    case 'ordering':
      return { ...common, ...answers(orderOf(question)) };
    case 'matching': {
      const { pairs, extra } = pairsOf(question);
      const partners = Array.from({ length: QUIZ_ITEMS_MAX }, (_, at) => pairs[at]?.[1] ?? '');
      return { ...common, ...answers(pairs.map(([left]) => left)), ...answers([...partners, ...extra], 'match') };
    }
    case 'number': {
      const { value, tolerance } = question.correct;
      return { ...common, right: value, tolerance, unit: question.unit ?? '' };
    }
  }
}

/** Reads a table with a header row, separated by commas, semicolons or tabs. */
export function readCsv(source: string): Imported {
  const found = collector();
  const { rows, openAt } = csvTable(source);
  if (openAt !== null) found.fail(openAt, 'a quotation that does not end');
  const [names, ...lines] = rows;
  const columns = names?.cells.map((name) => name.trim().toLowerCase()) ?? [];
  const missing = NEEDED.find((name) => !columns.includes(name));
  if (missing !== undefined) {
    found.fail(names?.line ?? 1, 'a column that is missing', missing);
    return found.end();
  }
  for (const name of columns)
    if (name !== '' && !COLUMNS.includes(name))
      found.leaveOut(names?.line ?? 1, 'a column or field that is not read', name);
  for (const { cells, line } of openAt === null ? lines : lines.slice(0, -1)) {
    if (cells.every((one) => one.trim() === '')) continue;
    const row = new Map(columns.map((name, at) => [name, (cells[at] ?? '').trim()]));
    const question = questionOf((name) => row.get(name) ?? '');
    if (question === null) found.fail(line, 'an unknown kind', row.get('kind'));
    else found.add(question, line);
  }
  return found.end();
}

function questionOf(at: (name: string) => string): QuizQuestion | null {
  const kind = at('kind').toLowerCase();
  const [title, url] = [at('source_title'), at('source_url')];
  const common = {
    id: kebab(at('id')),
    text: at('question'),
    explanation: at('explanation'),
    ...((title !== '' || url !== '') && { source: { title: title || url, url } }),
  };
  const answers = numbered('answer', QUIZ_OPTIONS_MAX).map(at);
  switch (kind) {
    case 'single':
    case 'multiple': {
      const given = answers.flatMap((text, index) => (text === '' ? [] : [{ text, place: index + 1 }]));
      const options = lettered(given.map(({ text }) => text));
      const wanted = at('right')
        .split(/[\s;,]+/)
        .filter(Boolean);
      // A number without an answer refers to a missing right answer.
      const correct = wanted.map(
        (one) => options[given.findIndex(({ place: index }) => String(index) === one)]?.id ?? '?',
      );
      return { kind, ...common, options, correct };
    }
    case 'ordering': {
      const items = lettered(answers.filter(Boolean));
      return { kind, ...common, items, correct: items.map(({ id }) => id) };
    }
    case 'matching': {
      const partners = numbered('match', PARTNERS).map(at);
      const pairs = answers.flatMap((left, index) => (left === '' ? [] : [[left, partners[index] ?? ''] as const]));
      const extra = partners.filter((text, index) => text !== '' && (answers[index] ?? '') === '');
      return { kind, ...common, ...matchingOf(pairs, extra) };
    }
    case 'number': {
      const unit = at('unit');
      const correct = { value: at('right'), tolerance: at('tolerance') || '0' };
      return { kind, ...common, correct, ...(unit !== '' && { unit }) };
    }
    default:
      return null;
  }
}
