import { expect, test } from 'vitest';
import { csvCell, type Line, tableText } from '../../server/features/exports/table.ts';
import { fc, runs } from '../support/chance.ts';

const SIGNS = ['=', '+', '-', '@', '|', '%', '\u2212', '＝', '＋', '－', '＠'];
const TRIGGERS = [...SIGNS, '\t', '\r', '\n', '\0'];

/** A reader of RFC 4180 of its own, as strict as one can be. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      at += 1;
      for (;;) {
        if (at >= text.length) throw new Error('a quote is not closed');
        if (text[at] === '"' && text[at + 1] === '"') {
          cell += '"';
          at += 2;
        } else if (text[at] === '"') {
          at += 1;
          break;
        } else {
          cell += text[at];
          at += 1;
        }
      }
    } else {
      while (at < text.length && text[at] !== ',' && text[at] !== '\r') {
        if (text[at] === '"' || text[at] === '\n') throw new Error('a bare cell holds what must be quoted');
        cell += text[at];
        at += 1;
      }
    }
    row.push(cell);
    if (text[at] === ',') at += 1;
    else if (text.startsWith('\r\n', at)) {
      rows.push(row);
      row = [];
      at += 2;
    } else throw new Error(`neither a comma nor an end of line at ${at}`);
  }
  return rows;
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}
async function csvOf(columns: string[], lines: Line[]): Promise<string> {
  let text = '';
  for await (const part of tableText('csv', columns, once(lines))) text += part;
  return text;
}

const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(...TRIGGERS, ' ', '\u00a0', '\ufeff', '"', ',', ';', "'", 'cmd|', 'HYPERLINK("https://x")', 'a'),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

test('whatever people write is read back as it was, and no cell begins a formula', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ a: nasty, b: nasty }), { minLength: 1, maxLength: 5 }), async (lines) => {
      const text = await csvOf(['a', 'b'], lines);
      expect(text.startsWith('\ufeff"a","b"\r\n')).toBe(true);
      const [, ...rows] = parse(text.slice(1));
      expect(rows).toHaveLength(lines.length);
      for (const [index, line] of lines.entries()) {
        for (const [column, value] of [line.a, line.b].entries()) {
          const cell = rows[index]?.[column] ?? '';
          expect(cell.replaceAll("'", '')).toBe(value.replaceAll("'", ''));
          expect(TRIGGERS).not.toContain(cell[0]);
          // Some readers drop what is blank before they look for a formula, and part cells at semicolons.
          for (const part of cell.split(/[;\t\r\n]/)) expect(SIGNS).not.toContain(part.replace(/^[\s\0"]+/, '')[0]);
        }
      }
    }),
    { numRuns: runs(400) },
  );
});

test.each(TRIGGERS.map((sign) => `${sign}1+1`))('%j is text', (value) => {
  expect(csvCell(value)).toBe(`"'${value}"`);
});

test.each([' ', '\u00a0', '\ufeff', '\u200b', "'", '"'])('%j before a formula hides nothing', (before) => {
  expect(csvCell(`${before}=1+1`)).toBe(`"'${before.replace('"', '""')}=1+1"`);
});

test.each([
  ['x;=1+1', "x;'=1+1"],
  ["hi; \u200b=cmd|' /C calc'!A0;y", "hi; \u200b'=cmd|' /C calc'!A0;y"],
  ['a;"=1', 'a;"\'=1'],
  ['one\n=2+3\r\n-4', "one\n'=2+3\r\n'-4"],
  ['one\t+5', "one\t'+5"],
  ['=1;=2', "'=1;'=2"],
  ['a; b; c=1\n\nd', 'a; b; c=1\n\nd'],
])('%j begins no formula where cells are parted at semicolons', (text, shown) => {
  expect(csvCell(text)).toBe(`"${shown.replaceAll('"', '""')}"`);
});

test('harmless text, numbers and nothing stay as they are', () => {
  expect([csvCell('Ana'), csvCell('a=1'), csvCell('2026-11-21'), csvCell(-5), csvCell(0), csvCell(null)]).toEqual([
    '"Ana"',
    '"a=1"',
    '"2026-11-21"',
    '-5',
    '0',
    '',
  ]);
});

test('a line of NDJSON is one JSON value, whatever it holds', async () => {
  const lines = [{ a: 'one\ntwo\u2028"', b: null, n: -5 }, { a: '=1' }];
  let text = '';
  for await (const part of tableText('ndjson', ['a', 'b', 'n'], once(lines))) text += part;
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(lines);
});
