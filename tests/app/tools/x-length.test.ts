import { describe, expect, test } from 'vitest';
import { isPost, partsOf, X_LONG_POST_MAX, xLength } from '../../../app/features/tools/x-length.ts';
import { linksOf } from '../../../app/features/tools/x-links.ts';
import { conformance } from '../../support/x-conformance.ts';

describe('twitter-text’s conformance data', () => {
  test.each(conformance.lengths)('length: $description', ({ text, weightedLength, valid }) => {
    expect(xLength(text)).toBe(weightedLength);
    expect(isPost(text)).toBe(valid);
  });
  test.each(conformance.urls)('links: $description', ({ text, expected }) => {
    expect(linksOf(text).map(({ url }) => url)).toEqual(expected);
  });
  test.each(conformance.indices)('places: $description', ({ text, expected }) => {
    expect(linksOf(text).map(({ url, start, end }) => ({ url, indices: [start, end] }))).toEqual(expected);
  });
});

test.each([
  ['©', 1],
  ['©\uFE0F', 2],
  ['1', 1],
  ['1\uFE0F\u20E3', 2],
  ['☺', 2],
  ['☺\uFE0E', 4],
  ['🇩🇪', 2],
  ['🇩🇪🇫', 4],
  ['👩🏽‍🚀', 2],
  ['⚡\uFE0F', 2],
  ['✅\uFE0F', 4],
  ['…', 2],
  ['“”', 2],
  ['€', 2],
  ['ก', 1],
  ['한', 2],
  ['\r\n', 2],
])('%s counts %i', (text, length) => {
  expect(xLength(text)).toBe(length);
});

test('an emoji that is younger than twitter-text counts 2 as every other does', () => {
  expect(xLength('🫡🏽')).toBe(2);
  expect(xLength('🧑‍🤝‍🧑')).toBe(2);
  expect(xLength('❤️‍🔥')).toBe(2);
});

test('a long post may have 25,000', () => {
  expect(isPost('a'.repeat(281))).toBe(false);
  expect(isPost('a'.repeat(25_000), X_LONG_POST_MAX)).toBe(true);
  expect(isPost('a'.repeat(25_001), X_LONG_POST_MAX)).toBe(false);
});

test('a preview marks links, mentions, hashtags and cashtags, and loses nothing', () => {
  const text = 'See https://a.example.com/x. Thanks @mira_x, #Café2 $ETH and mail@me.com, not #1 or a#b';
  const parts = partsOf(text);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect(parts.filter(({ kind }) => kind !== 'text').map((part) => part.text)).toEqual([
    'https://a.example.com/x',
    '@mira_x',
    '#Café2',
    '$ETH',
  ]);
});
