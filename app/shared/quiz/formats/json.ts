/** A pack as JSON, exactly as packs are stored: docs/quiz-formats.md. Pure. */
import type { QuizPack, QuizQuestion } from '../../../../server/contract/quiz.ts';
import { collector, type Imported, kebab } from './shape.ts';

export type PackWords = Pick<QuizPack, 'title' | 'about' | 'language'>;

export const writeJson = (pack: QuizPack): string => `${JSON.stringify(pack, null, 2)}\n`;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const ID = /^[a-z0-9-]{1,36}$/;
const entries = (value: unknown) =>
  list(value).map((one, at) => {
    const given = isObject(one) ? one : {};
    return { id: ID.test(text(given['id'])) ? text(given['id']) : `bad-${at}`, text: text(given['text']) };
  });
const ids = (value: unknown): string[] => list(value).map(text);

const FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'kind', 'text', 'explanation', 'source', 'options', 'correct', 'items', 'left', 'right', 'unit'],
]);

/** Reads a pack, or a list of questions. Unknown fields are left out and listed. */
export function readJson(source: string): Imported & { words: Partial<PackWords> } {
  const found = collector();
  let parsed: unknown;
  try {
    parsed = JSON.parse(source.replace(/^\ufeff/, ''));
  } catch (error) {
    found.fail(lineOf(source, error), 'not this format');
    return { ...found.end(), words: {} };
  }
  const pack: Json = isObject(parsed) ? parsed : { questions: parsed };
  if (!Array.isArray(pack['questions'])) found.fail(1, 'not this format');
  const lines = linesOf(source);
  for (const [at, one] of list(pack['questions']).entries()) {
    const line = lines[at] ?? 1;
    const question = isObject(one) ? questionOf(one) : null;
    if (question === null) found.fail(line, 'an unknown kind', isObject(one) ? text(one['kind']) : '');
    else if (found.add(question, line) && isObject(one))
      for (const name of Object.keys(one))
        if (!FIELDS.has(name)) found.leaveOut(line, 'a column or field that is not read', name);
  }
  const words: Partial<PackWords> = {};
  for (const name of ['title', 'about', 'language'] as const)
    if (text(pack[name]) !== '') words[name] = text(pack[name]);
  return { ...found.end(), words };
}

function questionOf(given: Json): QuizQuestion | null {
  const source = isObject(given['source']) ? given['source'] : null;
  const common = {
    id: kebab(text(given['id'])),
    text: text(given['text']),
    explanation: text(given['explanation']),
    ...(source && { source: { title: text(source['title']), url: text(source['url']) } }),
  };
  const { kind } = given;
  switch (kind) {
    case 'single':
    case 'multiple':
      return { kind, ...common, options: entries(given['options']), correct: ids(given['correct']) };
    case 'ordering':
      return { kind, ...common, items: entries(given['items']), correct: ids(given['correct']) };
    case 'matching': {
      const pairs = isObject(given['correct']) ? Object.entries(given['correct']) : [];
      const correct = Object.fromEntries(pairs.map(([left, right]) => [left, text(right)]));
      return { kind, ...common, left: entries(given['left']), right: entries(given['right']), correct };
    }
    case 'number': {
      const correct = isObject(given['correct']) ? given['correct'] : {};
      const unit = text(given['unit']);
      const key = { value: text(correct['value']), tolerance: text(correct['tolerance']) || '0' };
      return { kind, ...common, correct: key, ...(unit !== '' && { unit }) };
    }
    default:
      return null;
  }
}

/** Each engine words the position of an error differently; line 1 when none is found. */
function lineOf(source: string, error: unknown): number {
  const message = error instanceof Error ? error.message : '';
  const line = /line (\d+)/.exec(message)?.[1];
  if (line) return Number(line);
  const position = /position (\d+)/.exec(message)?.[1];
  return position ? source.slice(0, Number(position)).split('\n').length : 1;
}

/** The first line of each question in a well-formed file: the objects directly inside the list `questions`. */
function linesOf(source: string): number[] {
  const lines: number[] = [];
  const open: string[] = [];
  let line = 1;
  // The first list in the file is the list of questions.
  let depth = 0;
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at] ?? '';
    if (sign === '\n') line += 1;
    else if (sign === '"') {
      for (at += 1; at < source.length && source[at] !== '"'; at += 1) if (source[at] === '\\') at += 1;
    } else if (sign === '[' || sign === '{') {
      if (sign === '[' && depth === 0) depth = open.length + 1;
      if (sign === '{' && open.length === depth && depth > 0) lines.push(line);
      open.push(sign);
    } else if (sign === ']' || sign === '}') open.pop();
  }
  return lines;
}
