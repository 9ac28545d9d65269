import { describe, expect, test } from 'vitest';
import { groupSimilar, likenessOf, NEARLY_THE_SAME, wordsIn } from '../../../app/shared/answers/likeness.ts';
import { fc, seeded } from '../../support/chance.ts';

const WORDS =
  `walk bridge river guide wallet key phrase paper stone market coin fee block bus ticket garden tea rain valley path map sign
steward meeting answer question picture window lake forest train station number letter story music bread water table chair friend`.split(
    /\s+/,
  );
const pick = (next: () => number): string => WORDS[Math.floor(next() * WORDS.length)] ?? '';
const sentenceOf = (next: () => number, words: number) => Array.from({ length: words }, () => pick(next)).join(' ');

/** Copies with other case and punctuation, copies with a word changed, and texts of their own. `of` says what each was made from. */
function corpus(): { texts: string[]; of: number[] } {
  const next = seeded(27);
  const texts: string[] = [];
  const of: number[] = [];
  const add = (text: string, from: number) => {
    texts.push(text);
    of.push(from);
  };
  for (let source = 0; source < 60; source += 1) {
    const text = sentenceOf(next, 14 + Math.floor(next() * 20));
    add(text, source);
    const copies = Math.floor(next() * 4);
    for (let copy = 0; copy < copies; copy += 1) {
      const words = text.split(' ');
      if (copy % 2 === 1) words[Math.floor(next() * words.length)] = 'changed';
      add(`${words.join(copy % 3 === 0 ? '  ' : ', ').toUpperCase()}!`, source);
    }
  }
  for (let alone = 0; alone < 200; alone += 1) add(sentenceOf(next, 8 + Math.floor(next() * 30)), 1_000 + alone);
  return { texts, of };
}

test('copies and edits are found, and texts of their own are left alone', () => {
  const { texts, of } = corpus();
  const groupOf = new Map<number, number>();
  groupSimilar(texts).groups.forEach(({ members }, group) => {
    for (const { at } of members) groupOf.set(at, group);
  });
  let [right, wrong, missed] = [0, 0, 0];
  for (let a = 0; a < texts.length; a += 1)
    for (let b = 0; b < a; b += 1) {
      const found = groupOf.has(a) && groupOf.get(a) === groupOf.get(b);
      const isCopy = of[a] === of[b];
      if (found && isCopy) right += 1;
      else if (found) wrong += 1;
      else if (isCopy) missed += 1;
    }
  expect(right).toBeGreaterThan(80);
  expect(right / (right + wrong)).toBeGreaterThanOrEqual(0.98);
  expect(right / (right + missed)).toBeGreaterThanOrEqual(0.98);
});

test('the hashes propose what comparing every pair finds', () => {
  const { texts } = corpus();
  const grouped = new Map<number, number>();
  groupSimilar(texts).groups.forEach(({ members }, group) => {
    for (const { at } of members) grouped.set(at, group);
  });
  for (let a = 0; a < texts.length; a += 1)
    for (let b = 0; b < a; b += 1)
      if (likenessOf(texts[a] ?? '', texts[b] ?? '') >= NEARLY_THE_SAME)
        expect(grouped.get(a), `${a} ${b}`).toBe(grouped.get(b));
});

test('case, punctuation and the form of letters make no other answer', () => {
  expect(wordsIn('Ｔｈｅ “Ford”, isn’t ﬁne!')).toEqual(['the', 'ford', 'isnt', 'fine']);
  expect(wordsIn('日本語の文')).toEqual(['日', '本', '語', 'の', '文']);
  const { groups } = groupSimilar([
    'I crossed the ford at dawn.',
    'i CROSSED the ford, at dawn',
    'The bus came late and was full.',
  ]);
  expect(groups).toEqual([
    {
      members: [
        { at: 0, likeness: 1 },
        { at: 1, likeness: 1 },
      ],
    },
  ]);
});

test('short answers are nobody’s copy', () => {
  expect(groupSimilar(['yes', 'Yes!', 'yes, done', 'Yes done'])).toEqual({ groups: [], short: 4 });
  expect(likenessOf('yes', 'yes')).toBe(0);
});

describe('groups', () => {
  test('have every place once, in order, the largest group first', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a b c d e f', 'a b c d e g', 'q w e r t y', 'short'), { maxLength: 30 }),
        (answers) => {
          const { groups } = groupSimilar(answers);
          const places = groups.flatMap(({ members }) => members.map(({ at }) => at));
          expect(new Set(places).size).toBe(places.length);
          for (const { members } of groups) {
            expect(members.length).toBeGreaterThan(1);
            expect(members.map(({ at }) => at)).toEqual(members.map(({ at }) => at).sort((a, b) => a - b));
            for (const { likeness } of members) expect(likeness).toBeGreaterThanOrEqual(NEARLY_THE_SAME);
          }
          expect(groups.map(({ members }) => members.length)).toEqual(
            groups.map(({ members }) => members.length).sort((a, b) => b - a),
          );
          expect(groupSimilar(answers)).toEqual(groupSimilar(answers));
        },
      ),
    );
  });
  test('two thousand answers that are all alike are one group', () => {
    const next = seeded(5);
    const base = sentenceOf(next, 30).split(' ');
    const answers = Array.from({ length: 2_000 }, (_, at) =>
      base.map((word, place) => (place === at % 30 ? `${word}${at}` : word)).join(' '),
    );
    expect(groupSimilar(answers).groups.map(({ members }) => members.length)).toEqual([2_000]);
  });
});
