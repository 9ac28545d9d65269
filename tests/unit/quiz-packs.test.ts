import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const root = resolve(import.meta.dirname, '../..');
const PRACTICE = join(root, 'app/features/quiz/packs');
const BANK = join(root, 'server/features/quiz/bank');
const LETTERS = ['a', 'b', 'c', 'd', 'e', 'f'];
const KINDS = ['single', 'multiple', 'ordering', 'matching', 'number'];

const kebab = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const decimal = z.string().regex(/^\d+(\.\d+)?$/);
const words = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .refine((text) => text.trim() === text, 'has spaces around');
const entry = z.strictObject({ id: z.string().regex(/^[a-f1-6]$/), text: words(1, 160) });
const common = {
  id: kebab,
  text: words(3, 300),
  explanation: words(3, 600),
  source: z.strictObject({ title: words(3, 200), url: z.url({ protocol: /^https$/ }) }),
};
const options = z.array(entry).min(2).max(6);
const items = z.array(entry).min(3).max(6);
const Question = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('single'), ...common, options, correct: z.array(z.string()).length(1) }),
  z.strictObject({ kind: z.literal('multiple'), ...common, options, correct: z.array(z.string()).min(2) }),
  z.strictObject({ kind: z.literal('ordering'), ...common, items, correct: z.array(z.string()) }),
  z.strictObject({
    kind: z.literal('matching'),
    ...common,
    left: items,
    right: items,
    correct: z.record(z.string(), z.string()),
  }),
  z.strictObject({
    kind: z.literal('number'),
    ...common,
    correct: z.strictObject({ value: decimal, tolerance: decimal }),
    unit: words(1, 20).optional(),
  }),
]);
type Question = z.infer<typeof Question>;
const Pack = z.strictObject({
  id: kebab,
  title: words(3, 80),
  about: words(3, 200),
  language: z.literal('en'),
  questions: z.array(Question),
});

const names = (folder: string) => readdirSync(folder).sort();
const read = (folder: string, name: string) => Pack.parse(JSON.parse(readFileSync(join(folder, name), 'utf8')));
const packs = [PRACTICE, BANK].flatMap((folder) =>
  names(folder).map((name) => ({
    name: `${folder === BANK ? 'graded' : 'practice'} ${name}`,
    file: name,
    isGraded: folder === BANK,
    ...read(folder, name),
  })),
);
const everyQuestion = packs.flatMap((pack) => pack.questions);
const singles = everyQuestion.filter((question) => question.kind === 'single');
const textsOf = (entries: readonly { text: string }[]) => entries.map(({ text }) => text);
const idsOf = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);
const repeated = (of: readonly string[]) => of.filter((one, at) => of.indexOf(one) !== at);
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');

/** What a person may choose from, whatever the kind; empty for a number. */
function choices(question: Question): string[] {
  switch (question.kind) {
    case 'single':
    case 'multiple':
      return textsOf(question.options);
    case 'ordering':
      return textsOf(question.items);
    case 'matching':
      return [...textsOf(question.left), ...textsOf(question.right)];
    case 'number':
      return [];
  }
}

it('ships ten packs or more, each to practise with and to be graded on, under one name', () => {
  expect(names(BANK)).toEqual(names(PRACTICE));
  expect(names(PRACTICE).length).toBeGreaterThanOrEqual(10);
  for (const file of names(PRACTICE)) {
    const [practice, graded] = [read(PRACTICE, file), read(BANK, file)];
    expect(`${practice.id}.json`).toBe(file);
    expect({ ...graded, questions: [] }).toEqual({ ...practice, questions: [] });
  }
});

describe.each(packs)('$name', ({ questions, isGraded }) => {
  it('has enough questions, of each kind', () => {
    expect(questions.length).toBeGreaterThanOrEqual(isGraded ? 16 : 15);
    for (const kind of KINDS) {
      const count = questions.filter((question) => question.kind === kind).length;
      expect(count, kind).toBeGreaterThanOrEqual(isGraded ? 1 : 2);
    }
  });

  it('names no question twice', () => expect(repeated(idsOf(questions))).toEqual([]));

  it('has one right answer to each question, of those to choose from', () => {
    for (const question of questions) {
      const { id } = question;
      switch (question.kind) {
        case 'single':
        case 'multiple': {
          const ids = idsOf(question.options);
          expect(ids, id).toEqual(LETTERS.slice(0, ids.length));
          expect(repeated(question.correct), id).toEqual([]);
          expect(ids, id).toEqual(expect.arrayContaining(question.correct));
          expect(question.correct.length, id).toBeLessThan(ids.length);
          expect(question.text.endsWith('Choose all that apply.'), id).toBe(question.kind === 'multiple');
          break;
        }
        case 'ordering':
          expect(question.correct.toSorted(), id).toEqual(idsOf(question.items));
          // Shown in the right order, it would answer itself.
          expect(question.correct, id).not.toEqual(idsOf(question.items));
          break;
        case 'matching': {
          const rights = Object.values(question.correct);
          expect(Object.keys(question.correct).toSorted(), id).toEqual(idsOf(question.left));
          expect(repeated(rights), id).toEqual([]);
          expect(idsOf(question.right), id).toEqual(expect.arrayContaining(rights));
          expect(rights, id).not.toEqual(idsOf(question.right).slice(0, rights.length));
          break;
        }
        case 'number':
          expect(Number(question.correct.tolerance), id).toBeLessThan(Number(question.correct.value) || 1);
      }
      expect(repeated(choices(question).map(plain)), id).toEqual([]);
      expect(choices(question).join(' '), id).not.toMatch(/(all|none) of the above/i);
    }
  });
});

it('asks nothing twice: no text and no set of answers comes back, graded or not', () => {
  expect(repeated(everyQuestion.map(({ text }) => plain(text)))).toEqual([]);
  const sets = everyQuestion.map(choices).filter((texts) => texts.length > 0);
  expect(repeated(sets.map((texts) => texts.map(plain).toSorted().join('|')))).toEqual([]);
});

it('gives nothing away by where the right answer is: no letter has more than two in five', () => {
  for (const letter of LETTERS) {
    const held = singles.filter(({ correct }) => correct.includes(letter)).length;
    expect(held / singles.length, letter).toBeLessThanOrEqual(0.4);
  }
});

it('gives nothing away by length: the right answer is the longest in at most two of five', () => {
  const longest = singles.filter(({ options, correct }) => {
    const right = options.filter(({ id }) => correct.includes(id)).map(({ text }) => text.length);
    const wrong = options.filter(({ id }) => !correct.includes(id)).map(({ text }) => text.length);
    return Math.max(...right) >= Math.max(...wrong);
  });
  expect(longest.length / singles.length).toBeLessThanOrEqual(0.4);
});

it('varies how many answers are right in multiple choice, so that their number is no hint', () => {
  const multiples = everyQuestion.filter((question) => question.kind === 'multiple');
  expect(
    new Set(multiples.map(({ correct, options }) => `${correct.length} of ${options.length}`)).size,
  ).toBeGreaterThan(2);
});
