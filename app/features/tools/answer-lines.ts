/** Pasted answers: one a line, or a table (RFC 4180, with commas, semicolons or tabs). */
export type Pasted = 'lines' | 'table';

/** A table's rows. A quoted cell may contain separators, line breaks, and doubled quotes. */
export function tableRows(text: string): string[][] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.some((one) => one.trim() !== '')) rows.push(row);
    row = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === separator) {
      row.push(cell);
      cell = '';
    } else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  endRow();
  return rows;
}

/** The most frequent separator in the first line. */
function separatorOf(text: string): string {
  const [line = ''] = text.split('\n');
  const count = (sign: string) => line.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ',');
}

/** The column with the most words, which most likely holds the answers. */
export function wordiestColumn(rows: readonly string[][]): number {
  const lengths: number[] = [];
  for (const row of rows.slice(1))
    for (const [at, cell] of row.entries()) lengths[at] = (lengths[at] ?? 0) + cell.trim().length;
  return Math.max(0, lengths.indexOf(Math.max(...lengths, 0)));
}

/** The answers in a pasted text; in a table, those of one column, without the header row. */
export function answersIn(text: string, pasted: Pasted, column: number): string[] {
  const cells =
    pasted === 'lines'
      ? text.split('\n')
      : tableRows(text)
          .slice(1)
          .map((row) => row[column] ?? '');
  return cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
}
