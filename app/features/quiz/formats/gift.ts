/**
 * Questions as GIFT, the text format of Moodle (docs.moodle.org, "GIFT format"; the ordering as its ordering question type
 * writes it). What GIFT has no place for (source, unit) stands in comments: docs/quiz-formats.md. Pure.
 */
import type { QuizQuestion } from '../../../../server/contract/quiz.ts';
import { type Decimal, readDecimal } from '../../../../server/contract/quiz-grade.ts';
import {
  collector,
  type FormatProblem,
  type Imported,
  kebab,
  lettered,
  matchingOf,
  orderOf,
  pairsOf,
} from './shape.ts';

/** Signs that mean something to GIFT; a line break is written as `\n`. */
const escaped = (text: string): string =>
  text
    .replace(/[\\~=#{}:%>[]/g, (sign) => `\\${sign}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '')
    // At the beginning of a line it would be a comment.
    .replace(/^\/\//, '\\/\\/');
const unescaped = (text: string): string =>
  text.replace(/\\([\s\S])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign)).trim();

export const writeGift = (questions: readonly QuizQuestion[]): string => `${questions.map(write).join('\n\n')}\n`;

function write(question: QuizQuestion): string {
  const { id, text, explanation, source } = question;
  const comments = [
    ...(source ? [`// source: ${source.url} ${source.title}`] : []),
    ...(question.kind === 'number' && question.unit !== undefined ? [`// unit: ${question.unit}`] : []),
  ];
  const feedback = explanation === '' ? [] : [`\t####${escaped(explanation)}`];
  const body = [...answersOf(question), ...feedback].join('\n');
  return [...comments, `::${id}::${escaped(text)} {${body}\n}`].join('\n');
}

function answersOf(question: QuizQuestion): string[] {
  switch (question.kind) {
    case 'single':
      return [
        '',
        ...question.options.map(({ id, text }) => `\t${id === question.correct[0] ? '=' : '~'}${escaped(text)}`),
      ];
    case 'multiple': {
      const part = weight(question.correct.length);
      const sign = (id: string) => (question.correct.includes(id) ? `%${part}%` : '%-100%');
      return ['', ...question.options.map(({ id, text }) => `\t~${sign(id)}${escaped(text)}`)];
    }
    case 'ordering': {
      const items = orderOf(question);
      return [`>${items.length} ALL VERTICAL ABSOLUTE_POSITION`, ...items.map((text) => `\t${escaped(text)}`)];
    }
    case 'matching': {
      const { pairs, extra } = pairsOf(question);
      const lines = pairs.map(([left, right]) => `\t=${escaped(left)} -> ${escaped(right)}`);
      return ['', ...lines, ...extra.map((right) => `\t= -> ${escaped(right)}`)];
    }
    case 'number':
      return [`#${question.correct.value}:${question.correct.tolerance}`];
  }
}

/** A share of 100 as Moodle writes it: at most five places. */
const weight = (count: number): string => String(Math.round(10_000_000 / count) / 100_000);

/** Reads a file of questions divided by empty lines. Feedback to single answers is left out: there is one explanation. */
export function readGift(source: string): Imported {
  const found = collector();
  for (const { text, line, comments } of blocksOf(source)) {
    const result = questionIn(text, comments);
    if (typeof result === 'string') found.fail(line, result, text);
    else found.add(result, line);
  }
  return found.end();
}

type Block = { text: string; line: number; comments: string[] };
function blocksOf(source: string): Block[] {
  const blocks: Block[] = [];
  let block: Block | null = null;
  let comments: string[] = [];
  const lines = source.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  for (const [at, line] of [...lines, ''].entries()) {
    if (/^\s*\/\//.test(line)) comments.push(line.replace(/^\s*\/\//, '').trim());
    else if (/^\s*\$(CATEGORY|COURSE)\s*:/i.test(line)) block = null;
    else if (line.trim() !== '') {
      block ??= { text: '', line: at + 1, comments };
      block.text += block.text === '' ? line : `\n${line}`;
    } else {
      if (block !== null) blocks.push(block);
      block = null;
      comments = [];
    }
  }
  return blocks;
}

/** Where a sign stands that no backslash takes its meaning from; -1 for nowhere. */
function indexOf(text: string, wanted: string, from = 0): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(wanted, at)) return at;
  }
  return -1;
}

function questionIn(block: string, comments: readonly string[]): QuizQuestion | FormatProblem {
  let text = block.trim();
  let name = '';
  if (text.startsWith('::')) {
    const end = indexOf(text, '::', 2);
    if (end < 0) return 'not this format';
    name = unescaped(text.slice(2, end));
    text = text.slice(end + 2);
  }
  const open = indexOf(text, '{');
  if (open < 0) return 'answers without braces';
  const close = indexOf(text, '}', open);
  if (close < 0) return 'braces that do not close';
  const after = text.slice(close + 1).trim();
  const before = text.slice(0, open).replace(/^\s*\[(html|plain|moodle|markdown)\]/i, '');
  const said = comments.find((one) => /^source:/i.test(one))?.replace(/^source:\s*/i, '');
  const [url = '', ...title] = (said ?? '').split(/\s+/);
  const unit = comments.find((one) => /^unit:/i.test(one))?.replace(/^unit:\s*/i, '');
  const inside = text.slice(open + 1, close);
  const feedback = indexOf(inside, '####');
  return withAnswers(feedback < 0 ? inside : inside.slice(0, feedback), {
    id: kebab(name),
    // A gap in a sentence is a question, too.
    text: after === '' ? unescaped(before) : `${unescaped(before)} _____ ${unescaped(after)}`,
    explanation: feedback < 0 ? '' : unescaped(inside.slice(feedback + 4)),
    unit,
    ...(said !== undefined && { source: { title: title.join(' ') || url, url } }),
  });
}

type Common = Pick<QuizQuestion, 'id' | 'text' | 'explanation' | 'source'> & { unit: string | undefined };

function withAnswers(given: string, { unit, ...common }: Common): QuizQuestion | FormatProblem {
  const inside = given.trim();
  if (inside.startsWith('>')) {
    const [, ...lines] = inside.split('\n');
    const items = lettered(lines.map(unescaped).filter(Boolean));
    return { kind: 'ordering', ...common, items, correct: items.map(({ id }) => id) };
  }
  if (inside.startsWith('#')) {
    const correct = numberIn(inside.slice(1).trim().replace(/^=/, ''));
    return correct ? { kind: 'number', ...common, correct, ...(unit && { unit }) } : 'not a number';
  }
  if (/^(T|TRUE|F|FALSE)$/i.test(plainTruth(inside))) {
    const isTrue = /^t/i.test(inside);
    return { kind: 'single', ...common, options: lettered(['True', 'False']), correct: [isTrue ? 'a' : 'b'] };
  }
  const answers = answersIn(inside);
  if (answers === null) return 'an unknown kind';
  if (answers.every(({ isRight, arrow }) => isRight && arrow >= 0)) {
    const sides = answers.map(
      ({ text, arrow }) => [unescaped(text.slice(0, arrow)), unescaped(text.slice(arrow + 2))] as const,
    );
    const pairs = sides.filter(([left]) => left !== '');
    const extra = sides.filter(([left]) => left === '').map(([, right]) => right);
    return { kind: 'matching', ...common, ...matchingOf(pairs, extra) };
  }
  // Words to be typed have more than one spelling that is right: there is no such kind here.
  if (answers.every(({ isRight }) => isRight)) return 'an unknown kind';
  const options = lettered(answers.map(({ text }) => unescaped(text)));
  const isWeighted = answers.some(({ weight: part }) => part !== null);
  const isRight = (one: Answer) => one.isRight || (one.weight ?? 0) > 0;
  const correct = options.flatMap(({ id }, at) => (answers[at] && isRight(answers[at]) ? [id] : []));
  return { kind: isWeighted ? 'multiple' : 'single', ...common, options, correct };
}

/** The answer of a true or false question, without feedback. */
const plainTruth = (inside: string): string => inside.split('#')[0]?.trim() ?? '';

type Answer = { isRight: boolean; weight: number | null; text: string; arrow: number };
/** Answers that begin with `=` or `~`, without the feedback behind their `#`; null where the text begins with neither. */
function answersIn(inside: string): Answer[] | null {
  const starts: number[] = [];
  for (let at = 0; at < inside.length; at += 1) {
    if (inside[at] === '\\') at += 1;
    else if (inside[at] === '=' || inside[at] === '~') starts.push(at);
  }
  if (starts[0] !== 0) return null;
  return starts.map((start, at) => {
    const whole = inside.slice(start + 1, starts[at + 1] ?? inside.length);
    const hash = indexOf(whole, '#');
    const body = (hash < 0 ? whole : whole.slice(0, hash)).trim();
    const [lead = '', part] = /^%(-?\d+(?:\.\d+)?)%/.exec(body) ?? [];
    const text = body.slice(lead.length).replace(/^\s*\[(html|plain|moodle|markdown)\]/i, '');
    return {
      isRight: inside[start] === '=',
      weight: part === undefined ? null : Number(part),
      text,
      arrow: indexOf(text, '->'),
    };
  });
}

/** `5:0.1` and `5` as a value with its tolerance, `1..5` as the middle with half of the range. */
function numberIn(text: string): { value: string; tolerance: string } | null {
  const first = text.split(/[=~]/)[0]?.trim() ?? '';
  const plain = first.split('#')[0]?.trim() ?? '';
  const [from, to] = plain.split('..').map((one) => readDecimal(one.trim()));
  if (plain.includes('..')) return from && to ? middle(from, to) : null;
  const [value = '', tolerance = '0'] = plain.split(':').map((one) => one.trim());
  return readDecimal(value) && readDecimal(tolerance) ? { value, tolerance } : null;
}
function middle(from: Decimal, to: Decimal): { value: string; tolerance: string } {
  const places = Math.max(from.places, to.places);
  const at = ({ digits, places: own }: Decimal) => digits * 10n ** BigInt(places - own);
  // Ten times as fine, so that halves come out even.
  return {
    value: written((at(from) + at(to)) * 5n, places + 1),
    tolerance: written((at(to) - at(from)) * 5n, places + 1),
  };
}
function written(digits: bigint, places: number): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
  const part = text.slice(-places).replace(/0+$/, '');
  return `${sign}${text.slice(0, -places)}${part === '' ? '' : `.${part}`}`;
}
