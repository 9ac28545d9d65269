import type { ISql } from 'postgres';
import { IMPORT_TASKS_MAX } from '../../contract/import-limits.ts';
import type { ImportCheck, ImportFile } from '../../contract/imports.ts';
import { createFindings } from './findings.ts';
import { linesOfMembers } from './match.ts';
import { type PersonLine, readPeople } from './people-file.ts';
import { columnsOf, readTable } from './table.ts';
import { readTasks, type TaskLine, titleKey } from './tasks-file.ts';

/** What a file holds and what an import of it does. The dry run and the import itself ask the same. */
export type Judged = { check: ImportCheck; people: PersonLine[]; tasks: TaskLine[] };

export async function judge(sql: ISql, communityId: string, file: ImportFile, now: Date): Promise<Judged> {
  const findings = createFindings(new Map(file.choices?.map(({ problem, take }) => [problem, take])));
  const table = await readTable(file, findings);
  const isRead = table.rows.length > 0;
  let people = isRead && file.kind === 'people' ? await readPeople(table, findings, now) : [];
  if (people.length > 0) {
    const here = await linesOfMembers(sql, communityId, people, now);
    const column = table.fields.indexOf(table.fields.includes('telegram_id') ? 'telegram_id' : 'telegram');
    people = people.filter(({ line }) => !here.has(line) || findings.take('here', { line, column }));
  }
  let tasks: TaskLine[] = [];
  if (isRead && file.kind === 'tasks') {
    if (table.rows.length > IMPORT_TASKS_MAX)
      findings.stop('lines_many', { line: table.rows[IMPORT_TASKS_MAX]?.line ?? 1 });
    else tasks = await readTasks(table, findings, { titles: await titlesOf(sql, communityId), now });
  }
  const stopped = findings.hasStopped();
  const ready = stopped ? 0 : people.length + tasks.length;
  const check: ImportCheck = {
    source: table.source,
    columns: columnsOf(table),
    rows: table.rows.length,
    ready,
    leftOut: table.rows.length - ready,
    points: stopped ? 0 : people.reduce((sum, { points }) => sum + points, 0),
    findings: findings.list(),
  };
  return stopped ? { check, people: [], tasks: [] } : { check, people, tasks };
}

async function titlesOf(sql: ISql, communityId: string): Promise<Set<string>> {
  const rows = await sql<{ title: string }[]>`
    select title from tasks where community_id = ${communityId} and status <> 'archived'`;
  return new Set(rows.map(({ title }) => titleKey(title)));
}
