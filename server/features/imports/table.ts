import { setImmediate as breathe } from 'node:timers/promises';
import { CSV_CELLS_MAX, type CsvRow, csvReader } from '../../contract/csv.ts';
import { IMPORT_CELL_MAX, IMPORT_COLUMNS, IMPORT_LINES } from '../../contract/import-limits.ts';
import type { ImportAsked, ImportCheck, ImportField, ImportSource } from '../../contract/imports.ts';
import { withoutGuard } from '../exports/table.ts';
import type { Findings } from './findings.ts';
import { fieldsOf, sourceOf } from './presets.ts';

/** Bytes of a file, and rows of it, that are looked at without letting others have their turn. */
const BYTES_AT_ONCE = 64 * 1024;
const ROWS_AT_ONCE = 1_000;
/** Rows whose cells may be shown beside the name of their column. */
const ROWS_SHOWN = 2_000;
const SAMPLES = 3;
const SAMPLE_MAX = 60;

/** A row below the names of the columns: only the cells that become something, in the order of `places`. */
type Row = { line: number; cells: string[]; isTooLong: boolean };

/** A file whose columns are known. */
export type Table = {
  source: ImportSource;
  columns: ImportCheck['columns'];
  /** The columns that become something. */
  places: ReadonlyMap<ImportField, number>;
  /** The empty ones left out. */
  rows: Row[];
};

/** Reads a file (UTF-8, or UTF-16 with its mark) and finds out what its columns are. What stops it is among `findings` then. */
export async function readTable(bytes: Uint8Array, asked: ImportAsked, findings: Findings): Promise<Table> {
  const reader = csvReader();
  const nothing: Table = { source: asked.source ?? 'other', columns: [], places: new Map(), rows: [] };
  let table: Table | null = null;
  /** Takes rows until one shows that this is no file to go on with. */
  const take = (rows: readonly CsvRow[]): boolean =>
    rows.every((row) => {
      if (table) return addRow(table, row, findings);
      table = headOf(row, asked, findings);
      return table !== null;
    });
  for (const piece of textOf(bytes)) {
    if (!take(reader.push(piece))) return table ?? nothing;
    await breathe();
  }
  const { rows, openAt } = reader.end();
  if (!take(rows)) return table ?? nothing;
  if (openAt !== null) findings.stop('quote_open', { line: openAt });
  const read: Table = table ?? nothing;
  if (read === nothing) findings.stop('empty');
  else if (read.rows.length === 0 && !findings.hasStopped()) findings.stop('no_lines');
  return read;
}

/** What no database keeps is marked. */
function* textOf(bytes: Uint8Array): Generator<string> {
  const [first, second] = bytes;
  const mark =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  const decoder = new TextDecoder(mark);
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
    const piece = bytes.subarray(at, at + BYTES_AT_ONCE);
    yield decoder.decode(piece, { stream: at + BYTES_AT_ONCE < bytes.length }).replaceAll('\0', '\ufffd');
  }
}

/** The columns by their names, which the first row holds; null where it is empty. */
function headOf({ cells }: CsvRow, asked: ImportAsked, findings: Findings): Table | null {
  const names = cells.map((cell) => cell.trim());
  if (names.every((name) => name === '')) {
    findings.stop('empty');
    return null;
  }
  const source = asked.source ?? sourceOf(asked.kind, names);
  if (names.length > IMPORT_COLUMNS) {
    findings.stop('columns_many');
    return null;
  }
  const { columns } = asked;
  const fields = columns
    ? names.map((_, at) => columns[at] ?? ('leave' as const))
    : fieldsOf(asked.kind, source, names);
  const places = new Map<ImportField, number>();
  for (const [at, field] of fields.entries()) {
    if (field === 'leave') continue;
    if (places.has(field)) findings.stop('column_twice', { line: 1, column: at });
    else places.set(field, at);
  }
  const head = names.map((name, at) => ({
    name: name.slice(0, SAMPLE_MAX),
    samples: [],
    field: fields[at] ?? ('leave' as const),
  }));
  return { source, columns: head, places, rows: [] };
}

/** False where the table has as many rows as it may. */
function addRow({ columns, places, rows }: Table, { cells, line }: CsvRow, findings: Findings): boolean {
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
  rows.push({ line, cells: [...places.values()].map((at) => cells[at] ?? ''), isTooLong });
  return true;
}

/** What a row holds: the text of a field, trimmed, and the place of its column. */
export type Lookup = { line: number; text(field: ImportField): string; column(field: ImportField): number | null };

/** Goes through the rows whose cells are as many and as long as they may be; lets others have their turn now and then. */
export async function eachRow(
  { places, rows }: Table,
  findings: Findings,
  cellMax: number = IMPORT_CELL_MAX,
  look: (row: Lookup) => void,
): Promise<void> {
  const order = new Map([...places.keys()].map((field, at) => [field, at]));
  const columns = [...places.values()];
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
    look({
      line,
      text: (field) => withoutGuard((cells[order.get(field) ?? -1] ?? '').trim()),
      column: (field) => places.get(field) ?? null,
    });
  }
}

/** The cells of one column, trimmed, as many at a time as are looked at at once. */
export function* cellsOf({ places, rows }: Table, field: ImportField): Generator<string[]> {
  const column = [...places.keys()].indexOf(field);
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    yield rows.slice(at, at + ROWS_AT_ONCE).map(({ cells }) => (cells[column] ?? '').trim());
}
