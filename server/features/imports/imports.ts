import type { ISql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import { IMPORT_LINES_FIRST, IMPORT_UNDO_MS, IMPORTS_PER_COMMUNITY } from '../../contract/import-limits.ts';
import type { Import, ImportQuery } from '../../contract/imports.ts';
import { isId } from '../../domain/ids.ts';
import { line } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { createTask } from '../tasks/tasks.ts';
import { judge } from './judge.ts';
import { matchMembers } from './match.ts';
import type { PersonLine } from './people-file.ts';
import type { FileRead } from './read-file.ts';

type Leader = { communityId: string; userId: string; now: Date };

/**
 * Imports a file as its dry run shows. Members get their points within seconds (`settleImports`); others' points wait
 * until they join. Tasks become drafts. Nobody is notified. Throws 422 `IMPORT_NOTHING` where nothing is usable, 409
 * `IMPORT_LIMIT` and `IMPORT_SMALL`.
 */
export async function runImport(
  tx: TransactionSql,
  leader: Leader,
  query: ImportQuery,
  file: FileRead,
): Promise<Import> {
  const { communityId, userId, now } = leader;
  const fileName = line('name', query.name);
  // One at a time per community and founder, so limits hold. A concurrent one must retry: waiting would hold a
  // connection.
  await tx`
    select from communities c join users u on u.id = c.created_by where c.id = ${communityId} for no key update nowait`;
  const [before] = await tx<{ count: number }[]>`
    select count(*)::int from imports where community_id = ${communityId} and undone_at is null`;
  if ((before?.count ?? 0) >= IMPORTS_PER_COMMUNITY)
    throw new HttpError(409, 'IMPORT_LIMIT', `A community moves in at most ${IMPORTS_PER_COMMUNITY} files.`, {
      details: { limit: IMPORTS_PER_COMMUNITY },
    });
  const { check, people, tasks } = await judge(tx, leader, query, file);
  if (check.ready === 0)
    throw new HttpError(
      422,
      'IMPORT_NOTHING',
      'Nothing in this file can be taken. The dry run says why, line by line.',
    );
  if (query.kind === 'people' && check.room !== null && check.ready > check.room)
    throw new HttpError(409, 'IMPORT_SMALL', smallWords(check.room), {
      details: { limit: IMPORT_LINES_FIRST, room: check.room },
    });
  const taskIds: string[] = [];
  for (const { task } of tasks) taskIds.push((await createTask(tx, leader, task)).id);
  const [made] = await tx<{ id: string }[]>`
    insert into imports (community_id, kind, source, file_name, count, points, task_ids, created_by, created_at, undo_until)
    values (${communityId}, ${query.kind}, ${check.source}, ${fileName}, ${check.ready}, ${check.points}, ${taskIds},
      ${userId}, ${now}, ${new Date(now.getTime() + IMPORT_UNDO_MS)})
    returning id`;
  if (!made) throw new Error('an insert returned nothing');
  for (const part of people()) await storeLines(tx, { importId: made.id, communityId }, part);
  await matchMembers(tx, { importId: made.id, communityId, now });
  const subject = `${fileName}: ${check.ready}`;
  await audit(tx, {
    communityId,
    actorId: userId,
    action: `import.${query.kind}`,
    subject,
    subjectId: made.id,
    at: now,
  });
  return readImport(tx, communityId, made.id);
}

const smallWords = (room: number) =>
  `A new founder’s communities import ${IMPORT_LINES_FIRST} people in all; ${room} are left. An administrator can allow more.`;

function storeLines(tx: TransactionSql, of: { importId: string; communityId: string }, people: readonly PersonLine[]) {
  const column = <K extends keyof PersonLine>(name: K) => people.map((person) => person[name]);
  return tx`
    insert into imported_people
      (import_id, community_id, line, telegram_user_id, telegram_username, x_handle, name, points, joined_at)
    select ${of.importId}::uuid, ${of.communityId}::uuid, * from unnest(${column('line')}::integer[],
      ${column('telegramUserId')}::bigint[], ${column('telegramUsername')}::text[], ${column('xHandle')}::text[],
      ${column('name')}::text[], ${column('points')}::integer[],
      ${column('joinedAt')}::timestamptz[])`;
}

/**
 * Takes an import back, exactly: who has not come is not waited for any more, points that were given are reversed in the ledger
 * within seconds, tasks are archived. What members did since stays. Undoing again changes nothing.
 * Throws 404 `NOT_FOUND`, 409 `UNDO_OVER`.
 */
export async function undoImport(tx: TransactionSql, leader: Leader & { importId: string }): Promise<Import> {
  const { communityId, importId, userId, now } = leader;
  const [row] = isId(importId)
    ? await tx<{ undoneAt: Date | null; undoUntil: Date; fileName: string; taskIds: string[] }[]>`
        select undone_at as "undoneAt", undo_until as "undoUntil", file_name as "fileName", task_ids as "taskIds"
        from imports where id = ${importId} and community_id = ${communityId} for update`
    : [];
  if (!row) throw notFound('import');
  if (row.undoneAt) return readImport(tx, communityId, importId);
  if (row.undoUntil < now)
    throw new HttpError(409, 'UNDO_OVER', 'This import can no longer be undone: its days are over.');
  await tx`update imports set undone_at = ${now}, undone_by = ${userId} where id = ${importId}`;
  // Holding the import's row prevents its lines from being settled at the same time.
  await tx`delete from imported_people where import_id = ${importId} and state in ('waiting', 'matched')`;
  await tx`update imported_people set state = 'undoing' where import_id = ${importId} and state = 'settled'`;
  await tx`
    update tasks set status = 'archived', changed_at = ${now}
    where id = any(${row.taskIds}) and community_id = ${communityId} and status <> 'archived'`;
  const action = 'import.undone';
  await audit(tx, { communityId, actorId: userId, action, subject: row.fileName, subjectId: importId, at: now });
  return readImport(tx, communityId, importId);
}

type Row = Omit<Import, 'at' | 'undoUntil' | 'undoneAt' | 'settled' | 'settling' | 'waiting'> & {
  at: Date;
  undoUntil: Date;
  undoneAt: Date | null;
  states: Record<string, { people: number; points: number }>;
};
const NONE = { people: 0, points: 0 };

function importOf({ states, ...row }: Row): Import {
  return {
    ...row,
    at: row.at.toISOString(),
    undoUntil: row.undoUntil.toISOString(),
    undoneAt: row.undoneAt?.toISOString() ?? null,
    settled: states['settled'] ?? NONE,
    settling: states['matched'] ?? NONE,
    waiting: states['waiting'] ?? NONE,
    undoing: states['undoing']?.people ?? 0,
  };
}

const rows = (sql: ISql, communityId: string, importId: string | null) => sql<Row[]>`
  select i.id, i.kind, i.source, i.file_name as "fileName", i.created_at as at, u.display_name as by, i.count,
    i.points::float8 as points, i.undo_until as "undoUntil", i.undone_at as "undoneAt", 0 as undoing,
    coalesce((
      select jsonb_object_agg(state, jsonb_build_object('people', people, 'points', points)) from (
        select state, count(*)::int as people, sum(points) as points from imported_people p
        where p.import_id = i.id group by state) s), '{}') as states
  from imports i join users u on u.id = i.created_by
  where i.community_id = ${communityId} and ${importId === null ? sql`true` : sql`i.id = ${importId}`}
  order by i.created_at desc, i.id limit ${2 * IMPORTS_PER_COMMUNITY}`;

/** What was moved in, the latest first. */
export async function listImports(sql: ISql, communityId: string): Promise<Import[]> {
  return (await rows(sql, communityId, null)).map(importOf);
}

async function readImport(sql: ISql, communityId: string, importId: string): Promise<Import> {
  const [row] = await rows(sql, communityId, importId);
  if (!row) throw new Error('an import is gone that was just written');
  return importOf(row);
}
