import { expect, test } from 'vitest';
import { csvCell, withoutGuard } from '../../server/features/exports/table.ts';
import {
  dateIn,
  decimalSign,
  pointsIn,
  telegramId,
  telegramName,
  xHandle,
} from '../../server/features/imports/cells.ts';
import { csvReader, csvTable } from '../../server/rules/csv.ts';
import { fc, runs } from '../support/chance.ts';
import { AS_ITS_LENGTH, growth } from '../support/growth.ts';

const rowsOf = (text: string) => csvTable(text).rows;

test('rows are told apart at the ends of lines of any system, and know the line on which they begin', () => {
  expect(rowsOf('a,b\r\n1,"x\ny"\n\n2,z\r3,w')).toEqual([
    { cells: ['a', 'b'], line: 1 },
    { cells: ['1', 'x\ny'], line: 2 },
    { cells: ['2', 'z'], line: 5 },
    { cells: ['3', 'w'], line: 6 },
  ]);
  expect(rowsOf('\ufeffa;b\n"say ""hi""";2').map(({ cells }) => cells)).toEqual([
    ['a', 'b'],
    ['say "hi"', '2'],
  ]);
});

test('a quotation that the file does not end is named by its line', () => {
  expect(csvTable('a,b\n1,"2\n3,4\n')).toMatchObject({
    rows: [{ cells: ['a', 'b'], line: 1 }, { line: 2 }],
    openAt: 2,
  });
  expect(csvTable('a,b\n1,"2"').openAt).toBeNull();
});

const marks = fc.stringMatching(/^[",;\t\r\n a'=]{0,40}$/);

test('wherever the pieces of a file end, its rows are the same', () => {
  fc.assert(
    fc.property(marks, fc.array(fc.nat(40), { maxLength: 6 }), (text, cuts) => {
      const head = 'x,y\n';
      const reader = csvReader();
      const rows = reader.push(head);
      const places = [...cuts, text.length].sort((a, b) => a - b);
      for (const [nth, to] of places.entries()) rows.push(...reader.push(text.slice(places[nth - 1] ?? 0, to)));
      const { rows: last, openAt } = reader.end();
      expect({ rows: [...rows, ...last], openAt }).toEqual(csvTable(head + text));
    }),
    { numRuns: 3_000 },
  );
});

test('what an export writes is read back as it was, harmless cells and all', () => {
  const cell = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.stringMatching(/^['=+\-@;\t\n "a1]{0,10}$/));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (cells) => {
      const [, row] = rowsOf(`a,b,c,d,e\r\n${cells.map((one) => csvCell(one)).join(',')}\r\n`);
      expect(row?.cells.map(withoutGuard)).toEqual(cells);
    }),
    { numRuns: runs(400) },
  );
});

test.each([
  ['x', '"'],
  ['', ','],
  ['', '"",'],
  ['', '""'],
  ['', '\n'],
  ['', '\r'],
  ['', ' "'],
])('a table of %j and then %j alone takes no longer than its length asks for', (head, part) => {
  const power = growth((size) => {
    const text = `a,b\nx${head}${part.repeat(size / part.length)}`;
    return () => expect(rowsOf(text).length).toBeGreaterThan(0);
  }, 40_000);
  expect(power).toBeLessThan(AS_ITS_LENGTH);
});

test.each([
  ['1240', null, 1240, 'plain'],
  ['', null, 0, 'missing'],
  ['–', null, 0, 'missing'],
  ['+15', null, 15, 'plain'],
  ['1 240', null, 1240, 'plain'],
  ['1.240', null, 1240, 'grouped'],
  ['1,240', null, 1240, 'grouped'],
  ['1.240', '.', 1, 'decimal'],
  ['1.234.567', null, 1_234_567, 'plain'],
  ['1,234,567.00', null, 1_234_567, 'plain'],
  ['1.234,50', null, 1235, 'decimal'],
  ['100.0', null, 100, 'plain'],
  ['12.5', null, 13, 'decimal'],
] as const)('points written as %j, decimals after %j, are %d (%s)', (text, decimals, points, written) => {
  expect(pointsIn(text, decimals)).toEqual({ points, written });
});

test.each([
  ['-5', 'points_negative'],
  ['−5', 'points_negative'],
  ['12 apples', 'points_unreadable'],
  ['1e5', 'points_unreadable'],
  ['٣', 'points_unreadable'],
  ['10000001', 'points_large'],
  ['9'.repeat(400), 'points_large'],
])('points written as %j are none: %s', (text, problem) => {
  expect(pointsIn(text, null)).toEqual({ problem });
});

test('one cell with decimals says what the dots of its column are', () => {
  expect([decimalSign(['1.240', '12.5']), decimalSign(['1.240', '2.015']), decimalSign(['7,25'])]).toEqual([
    '.',
    null,
    ',',
  ]);
});

test('ids, usernames, handles and dates are taken as people and programs write them, and from nothing else', () => {
  expect(['77', '77.0', '1.2E+09', '0', '-4', '9'.repeat(16)].map(telegramId)).toEqual([
    '77',
    '77',
    null,
    null,
    null,
    null,
  ]);
  expect(['@Mira_O', 'https://t.me/mira_o', 'ab', '4you', 'hanne.aas', 'mira o'].map(telegramName)).toEqual([
    ...['mira_o', 'mira_o'],
    ...[null, null, null, null],
  ]);
  expect(['@Mira', 'https://x.com/Mira', 'a'.repeat(16)].map(xHandle)).toEqual(['mira', 'mira', null]);
  const now = new Date('2026-11-21T12:00:00Z');
  const dates = [
    '2024-03-12',
    '2024-03-12 08:00:00 UTC',
    '2024-03-12T08:00:00+02:00',
    '12/03/2024',
    '2027-01-01',
    '2024-13-40',
  ];
  expect(dates.map((text) => dateIn(text, now)?.toISOString() ?? null)).toEqual([
    ...['2024-03-12T00:00:00.000Z', '2024-03-12T08:00:00.000Z', '2024-03-12T06:00:00.000Z'],
    ...[null, null, null],
  ]);
});
