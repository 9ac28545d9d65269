import type { TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { IMPORT_ID_WAITS_MS, IMPORT_NAME_WAITS_MS } from '../../contract/import-limits.ts';
import type { ImportSource } from '../../contract/imports.ts';
import { recordPoints } from '../awards/record.ts';
import { lockCommunity } from '../ledger/lock.ts';

/** People of one transaction: it holds the community's ledger for some tens of milliseconds. */
const PEOPLE_AT_ONCE = 500;

const NAMES: Record<ImportSource, string> = {
  muster: 'another community',
  zealy: 'Zealy',
  galxe: 'Galxe',
  discourse: 'Discourse',
  ctfd: 'CTFd',
  other: 'elsewhere',
};

/**
 * Writes the points of lines whose people have joined, once, and reverses undone imports; it changes no membership.
 * Each line changes state in the transaction that writes its points, so it counts exactly once. Run as a job.
 */
export async function settleImports({ sql, now }: Pick<Runtime, 'sql' | 'now'>, stopping?: AbortSignal): Promise<void> {
  while (!stopping?.aborted) {
    const [due] = await sql<{ importId: string; isUndone: boolean }[]>`
      select import_id as "importId", state = 'undoing' as "isUndone" from imported_people
      where state in ('matched', 'undoing') order by import_id, line limit 1`;
    if (!due) return;
    await sql.begin(async (tx) => {
      const [given] = await tx<Given[]>`
        select id, community_id as "communityId", source, created_by as "createdBy", undone_by as "undoneBy",
          created_at as "createdAt"
        from imports
        where id = ${due.importId} and (undone_at is not null) = ${due.isUndone} for share`;
      // Undone between the two: the next round sees it.
      if (given) await (due.isUndone ? takeBack : settle)(tx, given, now());
    });
  }
}

type Given = {
  id: string;
  communityId: string;
  source: ImportSource;
  createdBy: string;
  undoneBy: string | null;
  createdAt: Date;
};
type Line = { line: number; userId: string; points: number };

async function settle(tx: TransactionSql, given: Given, now: Date): Promise<void> {
  const { id, communityId } = given;
  await lockCommunity(tx, communityId);
  const people = await tx<Line[]>`
    update imported_people set state = 'settled' where import_id = ${id} and line in (
      select line from imported_people where import_id = ${id} and state = 'matched' order by line
      limit ${PEOPLE_AT_ONCE} for update)
    returning line, user_id as "userId", points`;
  // A person who joined after the import belongs since the file's date; their own date is stored in the line.
  await tx`
    with own as (
      select p.line, p.joined_at as said, m.user_id, m.joined_at from imported_people p
      join community_members m on m.community_id = p.community_id and m.user_id = p.user_id
      where p.import_id = ${id} and p.line = any(${people.map(({ line }) => line)}::integer[])
        and m.joined_at >= ${given.createdAt} and p.joined_at < m.joined_at
    ), dated as (
      update community_members m set joined_at = own.said from own
      where m.community_id = ${communityId} and m.user_id = own.user_id
    )
    update imported_people p set joined = true, joined_at = own.joined_at from own
    where p.import_id = ${id} and p.line = own.line`;
  const lines = people
    .filter(({ points }) => points > 0)
    .map(({ userId, points }) => ({
      communityId,
      userId,
      kind: 'award' as const,
      points,
      reason: `Moved in from ${NAMES[given.source]}`,
      actorId: given.createdBy,
      importId: id,
    }));
  await recordPoints(tx, now, lines);
}

async function takeBack(tx: TransactionSql, given: Given, now: Date): Promise<void> {
  const { id, communityId } = given;
  await lockCommunity(tx, communityId);
  const people = await tx<Line[]>`
    select line, user_id as "userId", points from imported_people
    where import_id = ${id} and state = 'undoing' order by line limit ${PEOPLE_AT_ONCE} for update`;
  const lines = people.map(({ line }) => line);
  await tx`
    update community_members m set joined_at = p.joined_at from imported_people p
    where p.import_id = ${id} and p.line = any(${lines}::integer[]) and p.joined
      and m.community_id = p.community_id and m.user_id = p.user_id and m.joined_at < ${given.createdAt}`;
  await tx`
    update imported_people set state = 'undone' where import_id = ${id} and line = any(${lines}::integer[])`;
  await recordPoints(
    tx,
    now,
    people
      .filter(({ points }) => points > 0)
      .map(({ userId, points }) => ({
        communityId,
        userId,
        kind: 'reverse' as const,
        points: -points,
        reason: 'The import was undone',
        actorId: given.undoneBy,
        importId: id,
      })),
  );
}

/**
 * Deletes people who never joined: their names are useless and change owners. After a year without waiting or undoable
 * lines, all lines go. Run as a job.
 */
export async function forgetImported({ sql, now }: Pick<Runtime, 'sql' | 'now'>): Promise<void> {
  const before = (ms: number) => new Date(now().getTime() - ms);
  await sql`
    delete from imported_people p using imports i
    where i.id = p.import_id and (
      p.state not in ('matched', 'undoing') and i.created_at < ${before(IMPORT_ID_WAITS_MS)}
      or p.state = 'waiting' and p.telegram_user_id is null and i.created_at < ${before(IMPORT_NAME_WAITS_MS)})`;
}
