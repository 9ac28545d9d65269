import { csvRows, dividerOf } from '../../../server/contract/csv.ts';

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
  return new Map([...csvRows(text, dividerOf(text))].map(({ cells, line }) => [line, cells]));
}

const cell = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Some rows of a file as a file of their own, under the names of the columns. */
export function fileOf(rows: ReadonlyMap<number, string[]>, lines: readonly number[]): string {
  return [1, ...lines.filter((line) => line !== 1)]
    .map((line) => `${(rows.get(line) ?? []).map(cell).join(',')}\r\n`)
    .join('');
}
