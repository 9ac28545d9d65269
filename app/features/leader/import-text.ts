import { csvTable } from '../../../server/contract/csv.ts';
import type { ImportField, ImportKind, ImportProblem, ImportSource } from '../../../server/contract/imports.ts';
import type { QueryOf } from '../../../server/contract/routes.ts';

/** A file that somebody chose, with what they chose about it. */
export type ImportFile = {
  kind: ImportKind;
  name: string;
  text: string;
  /** Whose columns they are; found out by their names when absent. */
  source?: ImportSource;
  /** What each column becomes, in the order of the file; as the source's are when absent. */
  columns?: ImportField[];
  /** Where there is a choice: whether the lines are taken. */
  choices?: { problem: ImportProblem; take: boolean }[];
};

/** The file as it travels: its bytes in UTF-8, and beside them what is asked of them. */
export function sentOf(file: ImportFile): {
  body: Blob;
  query: QueryOf<'POST /api/communities/:communityId/imports'>;
} {
  const { kind, name, text, source, columns, choices = [] } = file;
  const chosen = (take: boolean) =>
    choices
      .filter((one) => one.take === take)
      .map(({ problem }) => problem)
      .join(',') || undefined;
  const query = { kind, name, source, columns: columns?.join(','), take: chosen(true), leave: chosen(false) };
  return { body: new Blob([text], { type: 'text/csv' }), query };
}

/** A file's text: UTF-8, UTF-16 with its mark, or what Windows wrote before. What no database keeps is marked. */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const marked = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null;
  return decoded(bytes, marked).replaceAll('\0', '\ufffd');
}

function decoded(bytes: Uint8Array, marked: string | null): string {
  if (marked !== null) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The rows of a file by the line on which each begins. */
export function rowsByLine(text: string): Map<number, string[]> {
  return new Map(csvTable(text).rows.map(({ cells, line }) => [line, cells]));
}

const cell = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Some rows of a file as a file of their own, under the names of the columns. */
export function fileOf(rows: ReadonlyMap<number, string[]>, lines: readonly number[]): string {
  return [1, ...lines.filter((line) => line !== 1)]
    .map((line) => `${(rows.get(line) ?? []).map(cell).join(',')}\r\n`)
    .join('');
}
