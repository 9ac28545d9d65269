/** Answers that somebody pasted: one a line, or a table (RFC 4180, with commas, semicolons or tabs). */
export type Pasted = 'lines' | 'table';

/** Rows of a table. A cell in quotes may hold the separator, line breaks, and a quote that is written twice. */
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

/** The separator that the first line has most of. */
function separatorOf(text: string): string {
  const [line = ''] = text.split('\n');
  const count = (sign: string) => line.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best), ',');
}

/** The column that holds the most words: where the answers most likely are. */
export function wordiestColumn(rows: readonly string[][]): number {
  const lengths: number[] = [];
  for (const row of rows.slice(1))
    for (const [at, cell] of row.entries()) lengths[at] = (lengths[at] ?? 0) + cell.trim().length;
  return Math.max(0, lengths.indexOf(Math.max(...lengths, 0)));
}

/** The answers of a text that was pasted. Of a table they are those of one column, its first row aside. */
export function answersIn(text: string, pasted: Pasted, column: number): string[] {
  const cells =
    pasted === 'lines'
      ? text.split('\n')
      : tableRows(text)
          .slice(1)
          .map((row) => row[column] ?? '');
  return cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
}
