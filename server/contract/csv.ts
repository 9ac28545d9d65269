/** A row of a table as text, with the line of the file on which it begins, counted from 1. */
export type CsvRow = { cells: string[]; line: number };

/** Cells of one row that are kept; a row of more is no row of any table, and its length says so. */
export const CSV_CELLS_MAX = 256;

const DIVIDERS = [',', ';', '\t'] as const;
export type Divider = (typeof DIVIDERS)[number];

/** The sign between the cells: of comma, semicolon and tab the one that the first line holds most often. */
export function dividerOf(text: string): Divider {
  const head = /^[^\r\n]*/.exec(text.replace(/^\ufeff/, ''))?.[0] ?? '';
  const counted = DIVIDERS.map((sign) => head.split(sign).length);
  return DIVIDERS[counted.indexOf(Math.max(...counted))] ?? ',';
}

/**
 * The rows of a table (RFC 4180), one after the other, so that who reads a long one may pause. Ends of lines are those of any
 * system; a mark of the byte order is left out, and so is an empty last line. The generator's own answer is the line of a
 * quotation that the file does not end, whose row is given as it is; null where there is none.
 */
export function* csvRows(source: string, divider: Divider): Generator<CsvRow, number | null> {
  const text = source.replace(/^\ufeff/, '');
  let cells: string[] = [];
  let began = 1;
  let line = 1;
  let value = '';
  // Only blanks so far: asked of the text itself, each mark would cost as much as all before it.
  let isBlank = true;
  let quotedAt: number | null = null;
  const endCell = () => {
    if (cells.length <= CSV_CELLS_MAX) cells.push(value);
    value = '';
    isBlank = true;
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (quotedAt !== null) {
      const close = text.indexOf('"', at);
      const part = text.slice(at, close === -1 ? undefined : close);
      value += part;
      line += part.split('\n').length - 1;
      if (close === -1) break;
      if (text[close + 1] === '"') value += '"';
      else quotedAt = null;
      at = quotedAt === null ? close : close + 1;
    } else if (sign === '"' && isBlank) {
      value = '';
      isBlank = false;
      quotedAt = line;
    } else if (sign === divider) endCell();
    else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[at + 1] === '\n') at += 1;
      endCell();
      yield { cells, line: began };
      cells = [];
      line += 1;
      began = line;
    } else {
      let end = at + 1;
      while (end < text.length && !isSign(text.charCodeAt(end), divider)) end += 1;
      const part = text.slice(at, end);
      value += part;
      isBlank = isBlank && part.trim() === '';
      at = end - 1;
    }
  }
  if (value !== '' || cells.length > 0 || quotedAt !== null) {
    endCell();
    yield { cells, line: began };
  }
  return quotedAt;
}

/** Whether a character outside of a quotation may mean something: the divider, an end of line, a quotation mark. */
const isSign = (code: number, divider: Divider): boolean =>
  code === 10 || code === 13 || code === 34 || code === divider.charCodeAt(0);
