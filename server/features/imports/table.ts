import { setImmediate as breathe } from 'node:timers/promises';
import { IMPORT_CELL_MAX, IMPORT_COLUMNS, IMPORT_LINES } from '../../contract/import-limits.ts';
import type { ImportCheck, ImportField, ImportQuery, ImportSource } from '../../contract/imports.ts';
import { CSV_CELLS_MAX, type CsvRow, csvReader } from '../../rules/csv.ts';
import { type Letters, lettersOf, piecesOf } from '../../rules/letters.ts';
import { withoutGuard } from '../exports/table.ts';
import type { Findings } from './findings.ts';
import { fieldsOf, sourceOf } from './presets.ts';

/** Rows that are processed before yielding to other work. */
const ROWS_AT_ONCE = 1_000;
/** Rows whose cells may be shown beside the name of their column. */
const ROWS_SHOWN = 2_000;
const SAMPLES = 3;
const SAMPLE_MAX = 60;

/** A row below the names of the columns: only the cells that become something, in the order of `positions`. */
type Row = { line: number; cells: string[]; isTooLong: boolean };

/** A file with known columns. */
export type Table = {
  letters: Letters;
  source: ImportSource;
  columns: ImportCheck['columns'];
  /** The line of their names. */
  head: number;
  /** The columns that become something. */
  positions: ReadonlyMap<ImportField, number>;
  /** The empty ones left out. */
  rows: Row[];
};

/** Reads a file and detects its columns. Errors are among `findings`, for example an unknown encoding. */
export async function readTable(bytes: Uint8Array, query: ImportQuery, findings: Findings): Promise<Table> {
  const { line: oddLine, read, offered } = lettersOf(bytes);
  const letters: Letters = { read: query.encoding ?? read, offered };
  const nothing: Table = {
    letters,
    source: query.source ?? 'other',
    columns: [],
    head: 1,
    positions: new Map(),
    rows: [],
  };
  if (letters.read === null) {
    findings.stop('letters_unknown', { line: oddLine });
    return nothing;
  }
  const reader = csvReader();
  let table: Table | null = null;
  /** Takes rows until one shows that this is no file to go on with. */
  const take = (rows: readonly CsvRow[]): boolean =>
    rows.every((row) => {
      if (table) return addRow(table, row, findings);
      table = headOf(row, { asked: query, letters }, findings);
      return table !== null;
    });
  for (const piece of piecesOf(bytes, letters.read)) {
    if (!take(reader.push(piece))) return table ?? nothing;
    await breathe();
  }
  const { rows, openAt } = reader.end();
  if (!take(rows)) return table ?? nothing;
  if (openAt !== null) findings.stop('quote_open', { line: openAt });
  const whole: Table = table ?? nothing;
  if (whole === nothing) findings.stop('empty');
  else if (whole.rows.length === 0 && !findings.hasStopped()) findings.stop('no_lines', { line: whole.head });
  return whole;
}

/** The columns by their names, which the first row holds; null where it is empty. */
function headOf(
  { cells, line }: CsvRow,
  { asked: query, letters }: { asked: ImportQuery; letters: Letters },
  findings: Findings,
): Table | null {
  const names = cells.map((cell) => cell.trim());
  if (names.every((name) => name === '')) {
    findings.stop('empty');
    return null;
  }
  const source = query.source ?? sourceOf(query.kind, names);
  if (names.length > IMPORT_COLUMNS) {
    findings.stop('columns_many', { line });
    return null;
  }
  const { columns } = query;
  const fields = columns
    ? names.map((_, at) => columns[at] ?? ('leave' as const))
    : fieldsOf(query.kind, source, names);
  const positions = new Map<ImportField, number>();
  for (const [at, field] of fields.entries()) {
    if (field === 'leave') continue;
    if (positions.has(field)) findings.stop('column_twice', { line, column: at });
    else positions.set(field, at);
  }
  const head = names.map((name, at) => ({
    name: name.slice(0, SAMPLE_MAX),
    samples: [],
    field: fields[at] ?? ('leave' as const),
  }));
  return { letters, source, columns: head, head: line, positions, rows: [] };
}

/** False where the table has as many rows as it may. */
function addRow({ columns, positions, rows }: Table, { cells, line }: CsvRow, findings: Findings): boolean {
  if (cells.every((cell) => cell.trim() === '')) return true;
  if (rows.length >= IMPORT_LINES) {
    findings.stop('lines_many', { line });
    return false;
  }
  if (rows.length < ROWS_SHOWN) {
    for (const [at, { samples }] of columns.entries()) {
      const cell = (cells[at] ?? '').trim().slice(0, SAMPLE_MAX);
      if (samples.length < SAMPLES && cell !== '' && !samples.includes(cell)) samples.push(cell);
    }
  }
  const isTooLong = cells.length > CSV_CELLS_MAX || cells.slice(columns.length).some((cell) => cell.trim() !== '');
  rows.push({ line, cells: [...positions.values()].map((at) => cells[at] ?? ''), isTooLong });
  return true;
}

/** A row: the trimmed text of a field, and its column's position. */
export type Lookup = { line: number; text(field: ImportField): string; column(field: ImportField): number | null };

/** Iterates over rows with valid cells, yielding to other work now and then. */
export async function eachRow(
  { positions, rows }: Table,
  findings: Findings,
  cellMax: number = IMPORT_CELL_MAX,
  look: (row: Lookup) => void,
): Promise<void> {
  const order = new Map([...positions.keys()].map((field, at) => [field, at]));
  const columns = [...positions.values()];
  for (const [count, { line, cells, isTooLong }] of rows.entries()) {
    if (count % ROWS_AT_ONCE === 0) await breathe();
    if (isTooLong) {
      findings.leave('cells_many', { line });
      continue;
    }
    const long = cells.findIndex((cell) => cell.length > cellMax);
    if (long >= 0) {
      findings.leave('cell_long', { line, column: columns[long] ?? null });
      continue;
    }
    const lost = cells.findIndex((cell) => cell.includes('\ufffd'));
    if (lost >= 0 && !findings.take('letters_lost', { line, column: columns[lost] ?? null })) continue;
    look({
      line,
      text: (field) => withoutGuard((cells[order.get(field) ?? -1] ?? '').trim()),
      column: (field) => positions.get(field) ?? null,
    });
  }
}

/** The cells of one column, trimmed, as many at a time as are looked at at once. */
export function* cellsOf({ positions, rows }: Table, field: ImportField): Generator<string[]> {
  const column = [...positions.keys()].indexOf(field);
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    yield rows.slice(at, at + ROWS_AT_ONCE).map(({ cells }) => (cells[column] ?? '').trim());
}
