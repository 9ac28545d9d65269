import type { Encoding } from '../../../../server/contract/import-limits.ts';
import type { ImportField, ImportKind, ImportProblem, ImportSource } from '../../../../server/contract/imports.ts';
import type { QueryOf } from '../../../../server/contract/routes.ts';
import { csvTable } from '../../../../server/rules/csv.ts';
import { lettersOf, textIn } from '../../../../server/rules/letters.ts';

/** A chosen file with the leader's choices. */
export type ImportFile = {
  kind: ImportKind;
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Its character encoding; detected from its bytes when absent. */
  encoding?: Encoding;
  /** The product that it comes from; detected from its column names when absent. */
  source?: ImportSource;
  /** The field of each column, in the file's order; the source's fields when absent. */
  columns?: ImportField[];
  /** For optional findings: whether to import their lines. */
  choices?: { problem: ImportProblem; take: boolean }[];
};

/** UTF-16 with a byte order mark is converted, because it may be twice as large. */
export function tightened(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { read } = lettersOf(bytes.subarray(0, 4));
  return read?.startsWith('utf-16') ? new TextEncoder().encode(`\ufeff${textIn(bytes, read)}`) : bytes;
}

/** The file as it is sent: its bytes, and the choices beside them. */
export function sentOf(file: ImportFile): {
  body: Blob;
  query: QueryOf<'POST /api/communities/:communityId/imports'>;
} {
  const { kind, name, bytes, encoding, source, columns, choices = [] } = file;
  const chosen = (take: boolean) =>
    choices
      .filter((one) => one.take === take)
      .map(({ problem }) => problem)
      .join(',') || undefined;
  const query = { kind, name, encoding, source, columns: columns?.join(','), take: chosen(true), leave: chosen(false) };
  return { body: new Blob([bytes], { type: 'text/csv' }), query };
}

/** A file's rows by the number of their first line. */
export function rowsByLine(text: string): Map<number, string[]> {
  return new Map(csvTable(text).rows.map(({ cells, line }) => [line, cells]));
}

const cell = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Some rows as a file with the original header row. */
export function fileOf(rows: ReadonlyMap<number, string[]>, lines: readonly number[]): string {
  const [head = 1] = rows.keys();
  return [head, ...lines.filter((line) => line !== head)]
    .map((line) => `${(rows.get(line) ?? []).map(cell).join(',')}\r\n`)
    .join('');
}
