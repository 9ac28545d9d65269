import type { ISql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import { IMPORT_LINES_FIRST } from '../../contract/import-limits.ts';
import type { ImportCheck, ImportQuery } from '../../contract/imports.ts';
import { checkEvent } from '../tasks/tasks.ts';
import { createFindings, type Findings } from './findings.ts';
import { linesOfMembers } from './match.ts';
import type { PersonLine } from './people-file.ts';
import { type FileRead, peopleOf } from './read-file.ts';
import { type TaskLine, titleKey } from './tasks-file.ts';

/** Target of an import. */
type ImportScope = { communityId: string; now: Date };
/** A file's content and the effect of its import. The dry run and the import share it. */
export type Judged = {
  check: ImportCheck;
  /** Part by part. */
  people(): Generator<PersonLine[]>;
  tasks: TaskLine[];
};

/** Judges a file that was read by what there is already. */
export async function judge(sql: ISql, scope: ImportScope, query: ImportQuery, read: FileRead): Promise<Judged> {
  const { communityId, now } = scope;
  const { letters, source, columns, rows, column } = read;
  const findings = createFindings(query, read.findings);
  const left = new Set<number>();
  let count = 0;
  let points = 0;
  for (const part of peopleOf(read)) {
    const here = await linesOfMembers(sql, communityId, part, now);
    for (const person of part) {
      if (here.has(person.line) && !findings.take('here', { line: person.line, column })) left.add(person.line);
      else {
        count += 1;
        points += person.points;
      }
    }
  }
  const titles = read.tasks.length > 0 ? await titlesOf(sql, communityId) : new Set();
  const fresh = read.tasks.filter(
    ({ line, task }) => !titles.has(titleKey(task.title)) || findings.take('here', { line, column }, null, false),
  );
  const tasks = await dropUnsuitable(sql, communityId, fresh, findings);
  const stopped = findings.hasStopped();
  const ready = stopped ? 0 : count + tasks.length;
  return {
    check: {
      letters,
      source,
      columns,
      rows,
      ready,
      leftOut: rows - ready,
      points: stopped ? 0 : points,
      room: await roomOf(sql, communityId),
      findings: findings.list(),
    },
    *people() {
      if (!stopped) for (const part of peopleOf(read)) yield part.filter(({ line }) => !left.has(line));
    },
    tasks: stopped ? [] : tasks,
  };
}

/**
 * How many people the community may still import; null: unlimited by an administrator. A founder's communities share
 * it, and undone imports count, because their people saw them.
 */
async function roomOf(sql: ISql, communityId: string): Promise<number | null> {
  const [row] = await sql<{ isLarge: boolean; moved: number }[]>`
    select here.large_imports_at is not null as "isLarge", (
      select coalesce(sum(i.count), 0)::int from communities c join imports i on i.community_id = c.id and i.kind = 'people'
      where c.created_by = here.created_by and c.large_imports_at is null) as moved
    from communities here where here.id = ${communityId}`;
  return !row || row.isLarge ? null : Math.max(0, IMPORT_LINES_FIRST - row.moved);
}

/** Removes tasks with a chat, message or pack of another community: `createTask` would reject them. */
async function dropUnsuitable(
  sql: ISql,
  communityId: string,
  tasks: readonly TaskLine[],
  findings: Findings,
): Promise<TaskLine[]> {
  const valid: TaskLine[] = [];
  for (const one of tasks) {
    try {
      await checkEvent(sql, communityId, one.task.setup);
      valid.push(one);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      findings.leave('place_missing', { line: one.line });
    }
  }
  return valid;
}

async function titlesOf(sql: ISql, communityId: string): Promise<Set<string>> {
  const rows = await sql<{ title: string }[]>`
    select title from tasks where community_id = ${communityId} and status <> 'archived'`;
  return new Set(rows.map(({ title }) => titleKey(title)));
}
