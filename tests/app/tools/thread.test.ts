import { expect, test } from 'vitest';
import { graphemesOf } from '../../../app/features/tools/graphemes.ts';
import { threadOf } from '../../../app/features/tools/thread.ts';
import { xLength } from '../../../app/features/tools/x-length.ts';
import { linksOf } from '../../../app/features/tools/x-links.ts';
import { fc, runs } from '../../support/chance.ts';
import { AS_ITS_LENGTH, growth } from '../../support/growth.ts';

const RUNS = { numRuns: runs(30) };
const FAMILY = '👨‍👩‍👧‍👦';
const word = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[a-z]{1,12}[.,!?]?$/) },
  fc.constantFrom(
    FAMILY,
    '🇩🇪🇫🇷',
    '👩🏽‍🚀!',
    'é',
    '한국어',
    'これは日本語です。次の文です。',
    '@mira_x',
    '#offline2026',
    '$ETH',
  ),
  fc.constantFrom('https://example.com/a/rather/long/path?with=a&query=1', 'muster.example.org', 'http://t.co/abcde'),
  fc.stringMatching(/^[a-z]{300,320}$/),
  fc
    .array(fc.constantFrom('日', '本', '語', 'の', '文', '。', FAMILY), { minLength: 100, maxLength: 200 })
    .map((signs) => signs.join('')),
);
const blank = fc.constantFrom(' ', ' ', ' ', '\n', '\n\n', '  ');
const written = fc
  .array(fc.tuple(word, blank), { minLength: 1, maxLength: 120 })
  .map((pairs) => pairs.map(([a, b]) => a + b).join(''));
const withoutBlanks = (text: string): string => text.replace(/\s+/gu, '');
const NUMBER = / (\d+)\/(\d+)$/;

test('no post is longer than X takes, numbers counted', () => {
  fc.assert(
    fc.property(written, fc.boolean(), (text, numbered) => {
      for (const post of threadOf(text, { numbered })) {
        expect(xLength(post)).toBeLessThanOrEqual(280);
        expect(xLength(post)).toBeGreaterThan(0);
      }
    }),
    RUNS,
  );
});

test('nothing is lost but the blanks where a post ends', () => {
  fc.assert(
    fc.property(written, (text) => {
      const posts = threadOf(text, { numbered: false });
      expect(withoutBlanks(posts.join(''))).toBe(withoutBlanks(text));
      let at = 0;
      for (const post of posts) {
        const found = text.indexOf(post, at);
        expect(found).toBeGreaterThanOrEqual(at);
        expect(text.slice(at, found).trim()).toBe('');
        at = found + post.length;
      }
    }),
    RUNS,
  );
});

/** Places of the text behind which a post ends. */
function endsIn(text: string): number[] {
  const ends: number[] = [];
  let at = 0;
  for (const post of threadOf(text, { numbered: false })) {
    at = text.indexOf(post, at) + post.length;
    ends.push(at);
  }
  return ends.slice(0, -1);
}

test('no post ends inside a character, a link, a mention or a hashtag', () => {
  fc.assert(
    fc.property(written, (text) => {
      const ends = endsIn(text);
      const tags = [...text.matchAll(/(?<!\S)[@#$][A-Za-z0-9_]+/g)].map((match) => ({
        start: match.index,
        end: match.index + match[0].length,
      }));
      for (const whole of [...graphemesOf(text), ...linksOf(text), ...tags])
        expect(ends.filter((end) => end > whole.start && end < whole.end)).toEqual([]);
    }),
    RUNS,
  );
});

test('a word is parted only where it is longer than a post', () => {
  fc.assert(
    fc.property(written, (text) => {
      for (const end of endsIn(text)) {
        const before = /\S*$/.exec(text.slice(0, end))?.[0] ?? '';
        const after = /^\S*/.exec(text.slice(end))?.[0] ?? '';
        const isSentence = /[。！？]$/.test(before);
        if (before !== '' && after !== '' && !isSentence) expect(xLength(before + after)).toBeGreaterThan(270);
      }
    }),
    RUNS,
  );
});

test('numbers run from 1 to how many there are', () => {
  fc.assert(
    fc.property(written, (text) => {
      const posts = threadOf(text);
      if (posts.length === 1) return;
      posts.forEach((post, at) => {
        expect(NUMBER.exec(post)?.slice(1)).toEqual([String(at + 1), String(posts.length)]);
      });
    }),
    RUNS,
  );
});

test('what fits is one post without a number', () => {
  expect(threadOf('  Just this. ')).toEqual(['Just this.']);
  expect(threadOf('\n ')).toEqual([]);
  expect(threadOf('a'.repeat(280))).toEqual(['a'.repeat(280)]);
  expect(threadOf('a'.repeat(281))).toHaveLength(2);
});

test('a post ends behind a sentence where that fills half of it, else behind a word', () => {
  const sentence = `${'word '.repeat(35)}end.`;
  const [first, second] = threadOf(`${sentence} ${'more '.repeat(60)}`);
  expect(first).toBe(`${sentence} 1/3`);
  expect(second).toMatch(/^more .*more 2\/3$/);
});

test('ten and more posts have longer numbers, and still fit', () => {
  const posts = threadOf('Each of these has so many words. '.repeat(100));
  expect(posts.length).toBeGreaterThan(9);
  expect(posts[0]).toMatch(/ 1\/1\d$/);
  expect(Math.max(...posts.map(xLength))).toBeLessThanOrEqual(280);
});

test('a link longer than a post is one of 23 characters, and stays whole', () => {
  const link = `https://example.com/${'a'.repeat(400)}`;
  const posts = threadOf(`${'word '.repeat(60)}${link} ${'word '.repeat(40)}`, { numbered: false });
  expect(posts.filter((post) => post.includes(link))).toHaveLength(1);
});

test('a text as long as a long post is split, and takes no longer than its length asks for', () => {
  const sentence = 'Nothing here is longer than a usual sentence of twelve words, I think. ';
  expect(threadOf(sentence.repeat(350)).length).toBeGreaterThan(80);
  const power = growth((size) => {
    const text = sentence.repeat(size / sentence.length);
    return () => threadOf(text);
  }, 3_000);
  expect(power).toBeLessThan(AS_ITS_LENGTH);
});
