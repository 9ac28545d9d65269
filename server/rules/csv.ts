/** A row of a table as text, with the line of the file on which it begins, counted from 1. */
export type CsvRow = { cells: string[]; line: number };

/** Most cells of one row; a longer row belongs to no table, and its length says so. */
export const CSV_CELLS_MAX = 256;
/** Most characters of a cell: none is nearly as long. */
const CSV_CELL_MAX = 200_001;

/** `push` gives the rows that end in a piece; `end` the last one, and the line of a quotation that the file leaves open. */
export type CsvReader = {
  push(piece: string): CsvRow[];
  end(): { rows: CsvRow[]; openAt: number | null };
};

const DIVIDERS: readonly string[] = [',', ';', '\t'];
/** Excel's own first line, such as `sep=;`: it names the divider and comes before the header. */
const SEPARATOR_LINE = /^"?sep=([^\w"\r\n])"?(?=[\r\n]|$)/i;

/** The sign between the cells: of comma, semicolon and tab the one that the first row holds most often outside of quotations. */
export function dividerOf(text: string): string {
  const counts = DIVIDERS.map(() => 0);
  let isQuoted = false;
  // A quotation begins where a cell does.
  let isStart = true;
  let before = '';
  for (const sign of text.replace(/^[\r\n]+/, '')) {
    const nth = DIVIDERS.indexOf(sign);
    if (sign === '"' && (isQuoted || isStart || before === sign)) isQuoted = !isQuoted;
    else if (!isQuoted && (sign === '\n' || sign === '\r')) break;
    else if (!isQuoted && nth >= 0) counts[nth] = (counts[nth] ?? 0) + 1;
    isStart = nth >= 0 || (isStart && sign.trim() === '');
    before = sign;
  }
  return DIVIDERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/**
 * Reads a table (RFC 4180) piece by piece. All line ends are accepted; a byte order mark and empty lines are skipped.
 * The first piece decides the divider; it may name it itself (`sep=;`).
 */
export function csvReader(): CsvReader {
  let divider: string | null = null;
  let rows: CsvRow[] = [];
  let cells: string[] = [];
  let began = 1;
  let line = 1;
  let value = '';
  // Only blanks so far. Checking the text itself at each mark would be quadratic.
  let isBlank = true;
  let quotedAt: number | null = null;
  /** The piece before ended with a sign that the next one explains: a mark inside of a quotation, or a carriage return. */
  let open: '"' | '\r' | null = null;

  const add = (part: string) => {
    if (value.length < CSV_CELL_MAX) value += part;
  };
  const endCell = () => {
    if (cells.length <= CSV_CELLS_MAX) cells.push(value);
    value = '';
    isBlank = true;
  };
  const endRow = () => {
    if (cells.length > 0 || value !== '' || !isBlank) {
      endCell();
      rows.push({ cells, line: began });
      cells = [];
    }
  };
  const endLine = () => {
    endRow();
    line += 1;
    began = line;
  };
  /** From inside a quotation to its end, or to that of the piece; gives where it goes on. */
  const readQuoted = (text: string, at: number): number => {
    const close = text.indexOf('"', at);
    const part = text.slice(at, close === -1 ? undefined : close);
    add(part);
    line += linesIn(part);
    if (close === -1) return text.length;
    open = '"';
    return close + 1;
  };
  const readSign = (sign: string): void => {
    if (sign === '"' && isBlank) {
      value = '';
      isBlank = false;
      quotedAt = line;
    } else if (sign === '"') add(sign);
    else if (sign === divider) endCell();
    else {
      endLine();
      if (sign === '\r') open = sign;
    }
  };
  const readPlain = (text: string, at: number): number => {
    let end = at;
    while (end < text.length && !isSign(text.charCodeAt(end), divider)) end += 1;
    const part = text.slice(at, end);
    add(part);
    isBlank &&= part.trim() === '';
    return end;
  };
  /** Resolves a sign at the end of a piece once the next character is known. */
  const readOpen = (next: string): number => {
    const before = open;
    open = null;
    if (before === '\r') return next === '\n' ? 1 : 0;
    if (next !== '"') {
      quotedAt = null;
      return 0;
    }
    add('"');
    return 1;
  };
  const taken = (): CsvRow[] => {
    const read = rows;
    rows = [];
    return read;
  };
  return {
    push(piece) {
      if (piece === '') return [];
      let text = piece;
      if (divider === null) {
        text = piece.replace(/^\ufeff/, '');
        const separator = SEPARATOR_LINE.exec(text);
        divider = separator?.[1] ?? dividerOf(text);
        // Its line end stays, so line numbers are right.
        if (separator) text = text.slice(separator[0].length);
      }
      for (let at = 0; at < text.length; ) {
        if (open !== null) at += readOpen(text.charAt(at));
        else if (quotedAt !== null) at = readQuoted(text, at);
        else if (isSign(text.charCodeAt(at), divider)) {
          readSign(text.charAt(at));
          at += 1;
        } else at = readPlain(text, at);
      }
      return taken();
    },
    end() {
      if (open !== null) readOpen('');
      endRow();
      return { rows: taken(), openAt: quotedAt };
    },
  };
}

/** The same of a text that is there whole. */
export function csvTable(text: string): { rows: CsvRow[]; openAt: number | null } {
  const reader = csvReader();
  const first = reader.push(text);
  const { rows, openAt } = reader.end();
  return { rows: [...first, ...rows], openAt };
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Whether a character outside of quotes may have a meaning: divider, line end, quote. */
const isSign = (code: number, divider: string | null): boolean =>
  code === 10 || code === 13 || code === 34 || code === divider?.charCodeAt(0);
