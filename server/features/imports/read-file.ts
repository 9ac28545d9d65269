import { IMPORT_TASKS_MAX } from '../../contract/import-limits.ts';
import type { ImportCheck, ImportQuery } from '../../contract/imports.ts';
import { createFindings } from './findings.ts';
import { type PersonLine, readPeople, WHO } from './people-file.ts';
import { readTable } from './table.ts';
import { readTasks, type TaskLine } from './tasks-file.ts';

/** A file as it was sent, and what its reading depends on. `xPoints`: whether tasks at X may give points. */
export type FileToRead = { bytes: Uint8Array<ArrayBuffer>; query: ImportQuery; now: Date; xPoints: boolean };
/** A file's own content, independent of what is stored. */
export type FileRead = Pick<ImportCheck, 'letters' | 'source' | 'columns' | 'rows' | 'findings'> & {
  /** The identifying column, for findings. */
  column: number | null;
  /** As returned by `readPeople`. */
  people: string[];
  tasks: TaskLine[];
};

/** Reads a file and judges each of its lines. */
export async function readFile({ bytes, query, now, xPoints }: FileToRead): Promise<FileRead> {
  const findings = createFindings(query);
  const table = await readTable(bytes, query, findings);
  const { letters, source, columns, positions, rows } = table;
  const isRead = rows.length > 0;
  const people = isRead && query.kind === 'people' ? await readPeople(table, findings, now) : [];
  if (query.kind === 'tasks' && rows.length > IMPORT_TASKS_MAX)
    findings.stop('lines_many', { line: rows[IMPORT_TASKS_MAX]?.line ?? 1 });
  const mayRead = isRead && query.kind === 'tasks' && rows.length <= IMPORT_TASKS_MAX;
  const tasks = mayRead ? await readTasks(table, findings, { xPoints, now }) : [];
  const about = query.kind === 'tasks' ? 'title' : (WHO.find((field) => positions.has(field)) ?? 'telegram');
  return {
    letters,
    source,
    columns,
    rows: rows.length,
    findings: findings.list(),
    column: positions.get(about) ?? null,
    people,
    tasks,
  };
}

/** The people of a file, part by part. */
export function* peopleOf({ people }: Pick<FileRead, 'people'>): Generator<PersonLine[]> {
  for (const part of people) yield JSON.parse(part) as PersonLine[];
}
