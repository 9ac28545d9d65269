import type { QuizAnswer, QuizPack, QuizQuestion } from '../../server/contract/quiz.ts';
import { fc } from './chance.ts';

const source = { title: 'A handbook', url: 'https://example.org/handbook' };
const entries = (...texts: string[]) => texts.map((text, at) => ({ id: 'abcdef'[at] ?? '', text }));

/** A question of each kind, with its key. */
export const SINGLE: QuizQuestion = {
  id: 'fog',
  kind: 'single',
  text: 'Fog comes in on the ridge. What first?',
  options: entries('Walk faster', 'Stop and look at the map', 'Call a friend', 'Light a fire'),
  correct: ['b'],
  explanation: 'You still know roughly where you are.',
  source,
};
export const MULTIPLE: QuizQuestion = {
  id: 'pack',
  kind: 'multiple',
  text: 'What belongs into a rucksack?',
  options: entries('Water', 'A map', 'An anvil', 'A piano'),
  correct: ['a', 'b'],
  explanation: 'Cold air dries you out.',
};
export const ORDERING: QuizQuestion = {
  id: 'payment',
  kind: 'ordering',
  text: 'Put what happens in order.',
  items: entries('A block holds it', 'The wallet signs', 'It waits'),
  correct: ['b', 'c', 'a'],
  explanation: 'Nothing waits unsigned.',
};
export const MATCHING: QuizQuestion = {
  id: 'words',
  kind: 'matching',
  text: 'What does what?',
  left: entries('Key', 'Seed', 'Address'),
  right: entries('receives', 'signs', 'restores', 'mints'),
  correct: { a: 'b', b: 'c', c: 'a' },
  explanation: '',
};
export const NUMBER: QuizQuestion = {
  id: 'gas',
  kind: 'number',
  text: 'What does a plain transfer cost in gas?',
  correct: { value: '21000', tolerance: '0.5' },
  unit: 'gas',
  explanation: 'It is fixed.',
};
export const FIVE: readonly QuizQuestion[] = [SINGLE, MULTIPLE, ORDERING, MATCHING, NUMBER];

/** A pack with so many single questions of four options, the second of which is right. */
export const singles = (id: string, count: number): QuizPack => ({
  id,
  title: `Pack ${id}`,
  about: 'For tests',
  language: 'en',
  questions: Array.from({ length: count }, (_, at) => ({
    ...SINGLE,
    id: `${id}-${at}`,
    text: `Question ${at} of ${id}?`,
    explanation: `Because of ${at}, says ${id}`,
  })) as QuizQuestion[],
});

export const answer = (questionId: string, ...optionIds: string[]): QuizAnswer => ({ questionId, optionIds });

/** Text as people write it, with the signs that formats use for themselves. */
const piece = fc.oneof(
  fc.constantFrom(
    '=',
    '~',
    '#',
    '{',
    '}',
    ':',
    '%',
    '->',
    '::',
    '//',
    '"',
    ',',
    ';',
    '\\',
    '\\n',
    "'",
    '[html]',
    '<b>',
    '&amp;',
    '**',
    '$',
    '>',
  ),
  fc.constantFrom('Word', 'ключ', '鍵', '🔑', 'a', '1', 'é', '%50%', '####', 'T', '...', '=>'),
);
const text = (min: number, max: number) =>
  fc
    .array(piece, { minLength: min, maxLength: max })
    .map((parts) => parts.join(' ').trim())
    .filter((words) => words.length >= 3);
const distinct = (min: number, max: number) =>
  fc.uniqueArray(text(1, 5), { minLength: min, maxLength: max, selector: (one) => one.normalize('NFC') });
const lettered = (texts: string[]) => texts.map((one, at) => ({ id: 'abcdef'[at] ?? '', text: one }));
const common = {
  id: fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,2}$/),
  text: text(2, 10),
  explanation: fc.oneof(fc.constant(''), text(2, 20), fc.constant('One line.\n\nAnd another: {x}')),
};
const withSource = fc.option(
  fc.record({
    title: fc.constantFrom('A book', 'Chapter 1: = and ~', 'Книга'),
    url: fc.constant('https://example.org/a?b=1#c'),
  }),
  { nil: undefined },
);
const optional = <T extends object>(name: string, value: T | undefined | string) =>
  value === undefined ? {} : { [name]: value };

const choice = fc
  .record({
    ...common,
    texts: distinct(2, 6),
    source: withSource,
    at: fc.nat(5),
    more: fc.array(fc.nat(5)),
    isOne: fc.boolean(),
  })
  .map(({ texts, at, more, isOne, source: from, ...rest }): QuizQuestion => {
    const options = lettered(texts);
    const places = [...new Set([at, ...(isOne ? [] : more)].map((one) => one % texts.length))].sort();
    const correct = places.map((place) => 'abcdef'[place] ?? '');
    return { kind: isOne ? 'single' : 'multiple', ...rest, ...optional('source', from), options, correct };
  });
const ordering = fc
  .record({ ...common, texts: distinct(3, 6), source: withSource })
  .map(({ texts, source: from, ...rest }): QuizQuestion => {
    const items = lettered(texts);
    return {
      kind: 'ordering',
      ...rest,
      ...optional('source', from),
      items,
      correct: items.map(({ id }) => id).reverse(),
    };
  });
const matching = fc
  .record({
    ...common,
    lefts: distinct(3, 6),
    rights: distinct(3, 6),
    joins: fc.array(fc.nat(5), { minLength: 6, maxLength: 6 }),
  })
  .map(({ lefts, rights, joins, ...rest }): QuizQuestion => {
    const [left, right] = [lettered(lefts), lettered(rights)];
    const correct = Object.fromEntries(
      left.map(({ id }, at) => [id, right[(joins[at] ?? 0) % right.length]?.id ?? '']),
    );
    return { kind: 'matching', ...rest, left, right, correct };
  });
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.option(fc.stringMatching(/^\d{1,8}$/), { nil: null }))
  .map(([whole, part]) => (part === null ? String(whole) : `${whole}.${part}`));
const numeric = fc
  .record({
    ...common,
    value: decimal,
    tolerance: fc.constantFrom('0', '0.5', '10'),
    unit: fc.constantFrom(undefined, 'gas', '%'),
  })
  .map(
    ({ value, tolerance, unit, ...rest }): QuizQuestion => ({
      kind: 'number',
      ...rest,
      correct: { value, tolerance },
      ...optional('unit', unit),
    }),
  );

/** Questions of all kinds, each with an id of its own. */
export const questions = fc.uniqueArray(fc.oneof(choice, ordering, matching, numeric), {
  minLength: 1,
  maxLength: 6,
  selector: ({ id }) => id,
});
