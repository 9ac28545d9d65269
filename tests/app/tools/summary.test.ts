import { expect, test } from 'vitest';
import { answersIn, tableRows, wordiestColumn } from '../../../app/features/tools/answer-lines.ts';
import { summarise } from '../../../app/features/tools/summary.ts';

const ANSWERS = [
  'The meeting place was hard to find. A sign at the bridge would help.',
  'Loved the walk! But I could not find the meeting place at all.',
  'Please send the meeting place earlier. I came by bus.',
  'The tea stop was the best part of it.',
  'More tea stops, and a longer break at the tea stop by the lake.',
  'Everything fine.',
  '',
];

test('names what several answers share, and quotes a sentence for each', () => {
  const { answers, themes } = summarise(ANSWERS);
  expect(answers).toBe(6);
  expect(themes.map(({ terms: [term], answers: of }) => [term, of])).toEqual([
    ['meeting place', 3],
    ['tea stop', 2],
  ]);
  for (const {
    terms: [term],
    quote,
  } of themes) {
    expect(ANSWERS[quote.at]).toContain(quote.text);
    expect(quote.text.toLowerCase()).toContain(term ?? '?');
  }
});

test('every sentence is one that somebody wrote, each of another answer', () => {
  const { quotes } = summarise(ANSWERS);
  expect(quotes.length).toBeGreaterThan(0);
  for (const { text, at } of quotes) expect(ANSWERS[at]).toContain(text);
  expect(new Set(quotes.map(({ at }) => at)).size).toBe(quotes.length);
});

test('the same answers give the same summary', () => {
  expect(summarise(ANSWERS)).toEqual(summarise(ANSWERS));
});

test('words that stand in the same answers are one theme', () => {
  const copies = [
    'I crossed the ford at dawn.',
    'I crossed the ford at dawn!',
    'Crossed the ford at dawn',
    'The tea was good.',
    'Good tea.',
  ];
  expect(summarise(copies).themes.map(({ terms, answers }) => [terms, answers])).toEqual([
    [['crossed', 'ford', 'dawn'], 3],
    [['tea', 'good'], 2],
  ]);
});

test('nothing shared is no theme', () => {
  expect(summarise(['One bridge.', 'Two rivers here.'])).toEqual({ answers: 2, themes: [], quotes: [] });
  expect(summarise([])).toEqual({ answers: 0, themes: [], quotes: [] });
});

test('a table is read with its quotes, line breaks and separators', () => {
  const text = 'Name;Answer\r\nMira;"Two lines,\nand a ""quote"""\nTom;Short\n\n';
  expect(tableRows(text)).toEqual([
    ['Name', 'Answer'],
    ['Mira', 'Two lines,\nand a "quote"'],
    ['Tom', 'Short'],
  ]);
  expect(wordiestColumn(tableRows(text))).toBe(1);
  expect(answersIn(text, 'table', 1)).toEqual(['Two lines,\nand a "quote"', 'Short']);
  expect(answersIn('one\n\n two \n', 'lines', 0)).toEqual(['one', 'two']);
});
