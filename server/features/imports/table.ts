import { setImmediate as breathe } from 'node:timers/promises';
import { CSV_CELLS_MAX, type CsvRow, csvRows, dividerOf } from '../../contract/csv.ts';
import { IMPORT_CELL_MAX, IMPORT_COLUMNS, IMPORT_LINES } from '../../contract/import-limits.ts';
import type { ImportField, ImportFile, ImportSource } from '../../contract/imports.ts';
import { withoutGuard } from '../exports/table.ts';
import type { Findings } from './findings.ts';
import { fieldsOf, sourceOf } from './presets.ts';

/** Rows that are looked at without letting others have their turn. */
const AT_ONCE = 2_000;
const SAMPLES = 3;
const SAMPLE_MAX = 60;

/** A file whose columns are known. */
export type Table = {
  source: ImportSource;
  names: string[];
  fields: ImportField[];
  /** Rows below the names of the columns, the empty ones left out. */
  rows: CsvRow[];
};

/** Reads a file and finds out what its columns are. What stops it is among `findings` then. */
export async function readTable(file: ImportFile, findings: Findings): Promise<Table> {
  const reading = csvRows(file.text, dividerOf(file.text));
  const head = reading.next();
  const names = head.done ? [] : head.value.cells.map((cell) => cell.trim());
  const nothing = { source: file.source ?? 'other', names: [], fields: [], rows: [] };
  if (names.every((name) => name === '')) {
    findings.stop('empty');
    return nothing;
  }
  if (names.length > IMPORT_COLUMNS) {
    findings.stop('columns_many');
    return nothing;
  }
  const rows: CsvRow[] = [];
  for (let count = 1; ; count += 1) {
    if (count % AT_ONCE === 0) await breathe();
    const next = reading.next();
    if (next.done) {
      if (next.value !== null) findings.stop('quote_open', { line: next.value });
      break;
    }
    if (next.value.cells.every((cell) => cell.trim() === '')) continue;
    rows.push(next.value);
    if (rows.length > IMPORT_LINES) {
      findings.stop('lines_many', { line: next.value.line });
      break;
    }
  }
  const source = file.source ?? sourceOf(file.kind, names);
  const guessed = fieldsOf(file.kind, source, names);
  const fields = file.columns ? names.map((_, at) => file.columns?.[at] ?? 'leave') : guessed;
  for (const [at, field] of fields.entries())
    if (field !== 'leave' && fields.indexOf(field) !== at) findings.stop('column_twice', { line: 1, column: at });
  if (rows.length === 0 && !findings.hasStopped()) findings.stop('no_lines');
  return { source, names, fields, rows };
}

/** The columns with what stands in them first. */
export const columnsOf = ({ names, fields, rows }: Table) =>
  names.map((name, at) => {
    const samples = new Set<string>();
    for (const { cells } of rows.slice(0, AT_ONCE)) {
      const cell = (cells[at] ?? '').trim();
      if (cell !== '') samples.add(cell.slice(0, SAMPLE_MAX));
      if (samples.size === SAMPLES) break;
    }
    return { name: name.slice(0, SAMPLE_MAX), samples: [...samples], field: fields[at] ?? 'leave' };
  });

/** What a row holds: the text of a field, trimmed, and the place of its column. */
export type Lookup = { line: number; text(field: ImportField): string; column(field: ImportField): number | null };

/** Goes through the rows whose cells are as many and as long as they may be; lets others have their turn now and then. */
export async function eachRow(
  { names, fields, rows }: Table,
  findings: Findings,
  cellMax: number = IMPORT_CELL_MAX,
  look: (row: Lookup) => void,
): Promise<void> {
  const places = new Map(fields.map((field, at) => [field, at] as const).filter(([field]) => field !== 'leave'));
  for (const [count, { cells, line }] of rows.entries()) {
    if (count % AT_ONCE === 0) await breathe();
    const extra = cells.length > CSV_CELLS_MAX || cells.slice(names.length).some((cell) => cell.trim() !== '');
    if (extra) {
      findings.leave('cells_many', { line });
      continue;
    }
    const long = [...places.values()].find((at) => (cells[at]?.length ?? 0) > cellMax);
    if (long !== undefined) {
      findings.leave('cell_long', { line, column: long });
      continue;
    }
    look({
      line,
      text: (field) => {
        const at = places.get(field);
        return at === undefined ? '' : withoutGuard((cells[at] ?? '').trim());
      },
      column: (field) => places.get(field) ?? null,
    });
  }
}
