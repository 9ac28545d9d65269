/**
 * Questions as GIFT, Moodle's text format (docs.moodle.org, "GIFT format"), read as Moodle's
 * `question/format/gift/format.php` reads it; orderings as its ordering question type writes them. Fields that GIFT
 * lacks (source, unit) go into comments: docs/quiz-formats.md. Pure.
 */
import type { QuizQuestion } from '../../../../server/contract/quiz.ts';
import { type Decimal, readDecimal } from '../../../../server/contract/quiz-check.ts';
import { formatOf, type TextFormat, wordsOf } from './marked-text.ts';
import {
  collector,
  type FormatProblem,
  type Imported,
  kebab,
  type LeftOut,
  lettered,
  matchingOf,
  orderOf,
  pairsOf,
} from './shape.ts';

/** Exactly the characters that a backslash escapes. A line break is written as `\n`. */
const escaped = (text: string): string =>
  text
    .replace(/[\\:#={}~]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '');

export const writeGift = (questions: readonly QuizQuestion[]): string => `${questions.map(write).join('\n\n')}\n`;

function write(question: QuizQuestion): string {
  const { id, text, explanation, source } = question;
  const comments = [
    ...(source ? [`// source: ${source.url} ${source.title}`] : []),
    ...(question.kind === 'number' && question.unit !== undefined ? [`// unit: ${question.unit}`] : []),
  ];
  const feedback = explanation === '' ? [] : [`\t####${marked(explanation)}`];
  const body = [...answersOf(question), ...feedback].join('\n');
  // Text that looks like markup makes the whole question plain text.
  const isPlain = /[<&]/.test(JSON.stringify(question));
  return [...comments, `::${id}::${isPlain ? `[plain]${escaped(text)}` : marked(text)} {${body}\n}`].join('\n');
}

/** Protects a first character that would be read as a format or a comment. */
const marked = (text: string): string => (/^(?:\[|\/\/)/.test(text) ? `[plain]${escaped(text)}` : escaped(text));
/** Protects an arrow in a left side, which a backslash cannot escape. */
const leftSide = (text: string): string =>
  text.includes('->')
    ? `[html]${escaped(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>'))}`
    : marked(text);

function answersOf(question: QuizQuestion): string[] {
  switch (question.kind) {
    case 'single': {
      const [right] = question.correct;
      // A percentage at the start of a wrong answer would be read as its weight.
      const wrong = (text: string) => `~${text.startsWith('%') ? '%0%' : ''}${marked(text)}`;
      return ['', ...question.options.map(({ id, text }) => `\t${id === right ? `=${marked(text)}` : wrong(text)}`)];
    }
    case 'multiple': {
      const part = weight(question.correct.length);
      const sign = (id: string) => (question.correct.includes(id) ? `%${part}%` : '%-100%');
      return ['', ...question.options.map(({ id, text }) => `\t~${sign(id)}${marked(text)}`)];
    }
    case 'ordering': {
      const items = orderOf(question);
      return [`>${items.length} ALL VERTICAL ABSOLUTE_POSITION`, ...items.map((text) => `\t${marked(text)}`)];
    }
    case 'matching': {
      const { pairs, extra } = pairsOf(question);
      const lines = pairs.map(([left, right]) => `\t=${leftSide(left)} -> ${escaped(right)}`);
      return ['', ...lines, ...extra.map((right) => `\t= -> ${escaped(right)}`)];
    }
    case 'number':
      return [`#${question.correct.value}:${question.correct.tolerance}`];
  }
}

/** A share of 100 as Moodle writes it: at most five decimals. */
const weight = (count: number): string => String(Math.round(10_000_000 / count) / 100_000);

/** Reads a file of questions separated by empty lines. Parts that cannot be taken over are listed as left out. */
export function readGift(source: string): Imported {
  const found = collector();
  for (const { text, line, comments } of blocksOf(source)) {
    if (text.startsWith('$CATEGORY:')) {
      const [name = '', ...rest] = text.slice('$CATEGORY:'.length).trim().split('\n');
      found.leaveOut(line, 'a category', name);
      // Without an empty line between them, Moodle reads the question as part of the category's name.
      if (rest.length > 0) found.fail(line + 1, 'a question without an empty line before it', rest[0]);
      continue;
    }
    const left = new Set<LeftOut>();
    const result = questionIn(text, comments, (what) => left.add(what));
    if (typeof result === 'string') found.fail(line, result, text);
    else if (found.add(result, line)) for (const what of left) found.leaveOut(line, what, result.text);
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
    else if (line.trim() !== '') {
      block ??= { text: '', line: at + 1, comments };
      block.text += block.text === '' ? line.trimStart() : `\n${line}`;
    } else {
      if (block !== null) blocks.push({ ...block, text: block.text.trimEnd() });
      block = null;
      comments = [];
    }
  }
  return blocks;
}

/** Escaped characters, replaced by lone surrogates (which no text contains) until it is parsed. */
const HIDDEN = '\\:#={}~n';
const hide = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\\([\\:#={}~n])/g, (_, sign: string) => String.fromCharCode(0xdc00 + HIDDEN.indexOf(sign)));
const show = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, (half) => {
      const sign = HIDDEN[half.charCodeAt(0) - 0xdc00] ?? '';
      return sign === 'n' ? '\n' : sign;
    })
    .trim();

type Notes = (what: LeftOut) => void;
/** Turns a text into what a person sees; a question's texts have its format unless they name another. */
type Reader = (text: string) => string;

function questionIn(block: string, comments: readonly string[], note: Notes): QuizQuestion | FormatProblem {
  let text = hide(block).trim();
  let name = '';
  if (text.startsWith('::')) {
    const end = text.indexOf('::', 2);
    if (end < 0) return 'not this format';
    name = show(text.slice(2, end));
    text = text.slice(end + 2).trim();
  }
  const open = text.indexOf('{');
  if (open < 0) return text.includes('}') ? 'braces that do not close' : 'answers without braces';
  const close = text.indexOf('}', open);
  if (close < 0) return 'braces that do not close';
  const sourceLine = comments.find((one) => /^source:/i.test(one))?.replace(/^source:\s*/i, '');
  const [url = '', ...title] = (sourceLine ?? '').split(/\s+/);
  const unit = comments.find((one) => /^unit:/i.test(one))?.replace(/^unit:\s*/i, '');
  const own = formatOf(withGap(text.slice(0, open), text.slice(close + 1), note), 'moodle');
  const plain = ({ format, body }: { format: TextFormat; body: string }) => {
    const { words, isLess } = wordsOf(show(body), format);
    if (isLess) note('formatting');
    return words.trim();
  };
  const read: Reader = (part) => plain(formatOf(part.trim(), own.format));
  const inside = text.slice(open + 1, close).trim();
  const feedback = inside.lastIndexOf('####');
  const common = {
    id: kebab(name),
    text: plain(own),
    explanation: feedback < 0 ? '' : read(inside.slice(feedback + 4)),
    ...(sourceLine !== undefined && { source: { title: title.join(' ') || url, url } }),
  };
  return withAnswers(feedback < 0 ? inside : inside.slice(0, feedback).trim(), { common, unit, read, note });
}

/** A question with its answers inside gets a gap there. Punctuation alone (`Why? {…}.`) is no remainder. */
function withGap(before: string, after: string, note: Notes): string {
  if (after.trim() === '') return before;
  if (!/^[\p{P}\p{S}\s]+$/u.test(after) || !/[.?!…]\s*$/.test(before)) return `${before}_____${after}`;
  note('a mark behind the answers');
  return before;
}

type GiftQuestion = {
  common: Pick<QuizQuestion, 'id' | 'text' | 'explanation' | 'source'>;
  unit: string | undefined;
  read: Reader;
  note: Notes;
};

function withAnswers(inside: string, { common, unit, read, note }: GiftQuestion): QuizQuestion | FormatProblem {
  if (inside === '') return 'an essay';
  if (inside.startsWith('>')) {
    const items = lettered(
      inside
        .split('\n')
        .slice(1)
        .map((item) => read(item))
        .filter(Boolean),
    );
    return { kind: 'ordering', ...common, items, correct: items.map(({ id }) => id) };
  }
  if (inside.startsWith('#')) {
    const correct = numberIn(inside.slice(1), note);
    return typeof correct === 'string' ? correct : { kind: 'number', ...common, correct, ...(unit && { unit }) };
  }
  if (inside.includes('~')) return choiceOf(inside, { common, unit, read, note });
  if (inside.includes('=') && inside.includes('->')) {
    const sides = partsOf(inside, '=').map((part) => {
      const arrow = part.indexOf('->');
      // The right side is plain text.
      return [arrow < 0 ? '' : read(part.slice(0, arrow)), arrow < 0 ? '' : show(part.slice(arrow + 2))] as const;
    });
    if (sides.some(([, right]) => right === '')) return 'a left side without its right side';
    const extra = sides.filter(([left]) => left === '').map(([, right]) => right);
    return {
      kind: 'matching',
      ...common,
      ...matchingOf(
        sides.filter(([left]) => left !== ''),
        extra,
      ),
    };
  }
  const [truth = '', ...remarks] = inside.split('#');
  if (!/^(?:T|TRUE|F|FALSE)$/.test(truth.trim())) return 'words to be typed';
  if (remarks.some((one) => one.trim() !== '')) note('feedback to answers');
  const isTrue = truth.trim().startsWith('T');
  return { kind: 'single', ...common, options: lettered(['True', 'False']), correct: [isTrue ? 'a' : 'b'] };
}

/** Splits into parts that begin with `sign`; text before the first is a part, too. */
function partsOf(text: string, sign: string): string[] {
  const [first = '', ...others] = text.split(sign).map((part) => part.trim());
  return first === '' ? others : [first, ...others];
}

/** A percentage at the start as a share, and the remainder. */
function weighted(part: string): { share: number | null; rest: string } {
  const [lead = '', percent] = /^%(-*\d{1,2}\.?\d*)%/.exec(part) ?? [];
  return { share: percent === undefined ? null : Number(percent) / 100, rest: part.slice(lead.length) };
}

/** An answer without the feedback after its `#`. */
function answerIn(part: string, note: Notes): string {
  const hash = part.indexOf('#');
  if (hash >= 0 && part.slice(hash + 1).trim() !== '') note('feedback to answers');
  return (hash < 0 ? part : part.slice(0, hash)).trim();
}

/** A `=` marks the one right answer; without one, all answers with a positive share are right. */
function choiceOf(inside: string, { common, read, note }: GiftQuestion): QuizQuestion | FormatProblem {
  const isSingle = inside.includes('=');
  const answers = partsOf(inside.replaceAll('=', '~='), '~').map((part) => {
    if (part.startsWith('=')) return { share: 1, text: read(answerIn(part.slice(1), note)) };
    const { share, rest } = weighted(part);
    return { share: share ?? 0, text: read(answerIn(rest, note)) };
  });
  const shares = answers.map(({ share }) => share).filter((share) => share > 0);
  const isRight = (share: number) => (isSingle ? share >= 1 : share > 0);
  const areEqual = shares.every((share) => Math.abs(share * shares.length - 1) < 0.01);
  if (isSingle ? answers.some(({ share }) => share !== 0 && share < 1) : !areEqual) note('credit for a part');
  const options = lettered(answers.map(({ text }) => text));
  const correct = options.flatMap(({ id }, at) => (isRight(answers[at]?.share ?? 0) ? [id] : []));
  return { kind: isSingle ? 'single' : 'multiple', ...common, options, correct };
}

/** The value with full credit: `5:0.1` is 5 with its tolerance, `1..5` the middle with half of the range. */
function numberIn(text: string, note: Notes): { value: string; tolerance: string } | FormatProblem {
  const wrong = text.indexOf('~');
  if (wrong >= 0) answerIn(text.slice(wrong), note);
  const answers = partsOf(wrong < 0 ? text : text.slice(0, wrong), '=').map((part) => {
    const { share, rest } = weighted(part);
    return { share: share ?? 1, text: show(answerIn(rest, note)) };
  });
  const full = answers.filter(({ share }) => share >= 1);
  if (full.length < answers.length && full.length > 0) note('credit for a part');
  const [only] = full;
  if (only === undefined) return answers.length > 0 ? 'no right answer' : 'not a number';
  if (full.length > 1) return 'more than one right answer';
  const [from, to] = only.text.split('..').map((one) => readDecimal(one.trim()));
  if (only.text.includes('..')) return from && to ? middle(from, to) : 'not a number';
  const [value = '', tolerance = '0'] = only.text.split(':').map((one) => one.trim());
  return readDecimal(value) && readDecimal(tolerance) ? { value, tolerance } : 'not a number';
}
function middle(from: Decimal, to: Decimal): { value: string; tolerance: string } {
  const decimals = Math.max(from.decimals, to.decimals);
  const at = ({ digits, decimals: own }: Decimal) => digits * 10n ** BigInt(decimals - own);
  // Ten times as fine, so halves stay exact.
  return {
    value: written((at(from) + at(to)) * 5n, decimals + 1),
    tolerance: written((at(to) - at(from)) * 5n, decimals + 1),
  };
}
function written(digits: bigint, decimals: number): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(decimals + 1, '0');
  const part = text.slice(-decimals).replace(/0+$/, '');
  return `${sign}${text.slice(0, -decimals)}${part === '' ? '' : `.${part}`}`;
}
