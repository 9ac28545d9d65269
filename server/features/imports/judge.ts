import type { ISql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import { IMPORT_TASKS_MAX } from '../../contract/import-limits.ts';
import type { ImportCheck, ImportFile } from '../../contract/imports.ts';
import { checkPlace } from '../tasks/tasks.ts';
import { mayGivePoints } from '../x/switch.ts';
import { createFindings, type Findings } from './findings.ts';
import { linesOfMembers } from './match.ts';
import { type PersonLine, readPeople } from './people-file.ts';
import { columnsOf, readTable } from './table.ts';
import { readTasks, type TaskLine, titleKey } from './tasks-file.ts';

/** Where a file is to be moved in; `xPoints` as a leader's in `imports.ts`. */
type Place = { communityId: string; now: Date; xPoints?: boolean };
/** What a file holds and what an import of it does. The dry run and the import itself ask the same. */
export type Judged = { check: ImportCheck; people: PersonLine[]; tasks: TaskLine[] };

export async function judge(sql: ISql, place: Place, file: ImportFile): Promise<Judged> {
  const { communityId, now } = place;
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
    else {
      const known = {
        titles: await titlesOf(sql, communityId),
        xPoints: await mayGivePoints(sql, place.xPoints ?? false),
      };
      const read = await readTasks(table, findings, { ...known, now });
      tasks = await keepPlaced(sql, communityId, read, findings);
    }
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

/** Leaves out what asks for a chat, a message or a pack that is not this community's: `createTask` would refuse it. */
async function keepPlaced(
  sql: ISql,
  communityId: string,
  tasks: readonly TaskLine[],
  findings: Findings,
): Promise<TaskLine[]> {
  const placed: TaskLine[] = [];
  for (const one of tasks) {
    try {
      await checkPlace(sql, communityId, one.task.setup);
      placed.push(one);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      findings.leave('place_missing', { line: one.line });
    }
  }
  return placed;
}

async function titlesOf(sql: ISql, communityId: string): Promise<Set<string>> {
  const rows = await sql<{ title: string }[]>`
    select title from tasks where community_id = ${communityId} and status <> 'archived'`;
  return new Set(rows.map(({ title }) => titleKey(title)));
}
