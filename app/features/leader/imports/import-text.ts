import type { Encoding } from '../../../../server/contract/import-limits.ts';
import type { ImportField, ImportKind, ImportProblem, ImportSource } from '../../../../server/contract/imports.ts';
import type { QueryOf } from '../../../../server/contract/routes.ts';
import { csvTable } from '../../../../server/rules/csv.ts';
import { lettersOf, textIn } from '../../../../server/rules/letters.ts';

/** A file that somebody chose, with what they chose about it. */
export type ImportFile = {
  kind: ImportKind;
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** How its letters are written; found out from its bytes when absent. */
  encoding?: Encoding;
  /** Whose columns they are; found out by their names when absent. */
  source?: ImportSource;
  /** What each column becomes, in the order of the file; as the source's are when absent. */
  columns?: ImportField[];
  /** Where there is a choice: whether the lines are taken. */
  choices?: { problem: ImportProblem; take: boolean }[];
};

/** UTF-16, where it says that it is that, is up to twice as large as what travels instead. */
export function tightened(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { read } = lettersOf(bytes.subarray(0, 4));
  return read?.startsWith('utf-16') ? new TextEncoder().encode(`\ufeff${textIn(bytes, read)}`) : bytes;
}

/** The file as it travels: its bytes, and beside them what is asked of them. */
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

/** The rows of a file by the line on which each begins. */
export function rowsByLine(text: string): Map<number, string[]> {
  return new Map(csvTable(text).rows.map(({ cells, line }) => [line, cells]));
}

const cell = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Some rows of a file as a file of their own, under the names of the columns, which its first row holds. */
export function fileOf(rows: ReadonlyMap<number, string[]>, lines: readonly number[]): string {
  const [head = 1] = rows.keys();
  return [head, ...lines.filter((line) => line !== head)]
    .map((line) => `${(rows.get(line) ?? []).map(cell).join(',')}\r\n`)
    .join('');
}
