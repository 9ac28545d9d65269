/** A cell: text of people, a number of ours, or nothing. */
export type Cell = string | number | boolean | null;
export type Line = Readonly<Record<string, Cell>>;

/** Signs that a formula begins with, their full-width forms among them. */
const SIGNS = String.raw`[=+\-@|%\uff1d\uff0b\uff0d\uff20\u2212]`;

/**
 * What a spreadsheet would take for the start of a formula, spaces before it aside: the signs, and characters that end or
 * open a cell.
 */
const FORMULA = new RegExp(String.raw`^'*[\t\r\n\0]|^[\s\0\ufeff\u200b'"]*${SIGNS}`);

/**
 * The same within a text: with decimal commas spreadsheets split cells at semicolons despite quotes, and each part is a
 * cell.
 */
const FORMULA_WITHIN = new RegExp(String.raw`([;\t\r\n](?:[^\S\t\r\n]|[\0\ufeff\u200b'"])*)(?=${SIGNS})`, 'g');

/** One cell of RFC 4180, quoted. Possible formulas get an apostrophe; numbers stay numbers. */
export function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const safe = `${FORMULA.test(cell) ? "'" : ''}${cell.replace(FORMULA_WITHIN, "$1'")}`;
  return `"${safe.replaceAll('"', '""')}"`;
}

const GUARDED_WITHIN = new RegExp(String.raw`([;\t\r\n](?:[^\S\t\r\n]|[\0\ufeff\u200b'"])*)'(?=${SIGNS})`, 'g');

/** The text of a cell as it was before `csvCell` made it harmless; one that it left alone stays. */
export function withoutGuard(text: string): string {
  const bare = text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text;
  return bare.replace(GUARDED_WITHIN, '$1');
}

const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

export const FORMATS = {
  csv: { type: 'text/csv', ending: 'csv' },
  ndjson: { type: 'application/x-ndjson', ending: 'ndjson' },
} as const;
export type Format = keyof typeof FORMATS;

/**
 * A table as text, page by page, so its length needs no memory. CSV begins with a byte order mark, without which
 * spreadsheets misread UTF-8.
 */
export async function* tableText(
  format: Format,
  columns: readonly string[],
  pages: AsyncIterable<readonly Line[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield `\ufeff${csvLine(columns)}`;
  for await (const lines of pages) {
    const texts =
      format === 'csv'
        ? lines.map((line) => csvLine(columns.map((name) => line[name] ?? null)))
        : lines.map((line) => `${JSON.stringify(line)}\n`);
    yield texts.join('');
  }
}
