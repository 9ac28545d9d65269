import type { ISql } from 'postgres';
import type { CommunityLedgerEntry, LedgerEntry } from '../../contract/ledger.ts';
import { LEDGER_PAGE } from '../../contract/limits.ts';
import { pageOf, readNumber } from '../../domain/page.ts';

type Row<Entry> = Omit<Entry, 'at'> & { at: Date };
type Page<Entry> = { items: Entry[]; next: string | null };

/**
 * The task's title for the person whose points `e` are: null once they have left a private community, whose leaders may have given
 * the task another title since.
 */
export const ownTitle = (sql: ISql) => sql`
  case when c.visibility = 'public' or exists (
    select from community_members m where m.community_id = c.id and m.user_id = e.user_id) then t.title end`;
const columns = (sql: ISql, title = sql`t.title`) => sql`
  e.id::text, e.at, e.kind, e.points, c.name as community, ${title} as task, e.reason,
  actor.display_name as by`;
const from = (sql: ISql) => sql`
  point_events e join communities c on c.id = e.community_id left join tasks t on t.id = e.task_id and t.community_id = e.community_id
  left join users actor on actor.id = e.actor_id`;
const entryOf = <Entry extends LedgerEntry>(row: Row<Entry>): Entry => ({ ...row, at: row.at.toISOString() }) as Entry;
const page = <Entry extends LedgerEntry>(rows: readonly Row<Entry>[]): Page<Entry> =>
  pageOf(rows, LEDGER_PAGE, { item: entryOf<Entry>, cursor: ({ id }) => String(id) });

/** A member's points, the latest first, in one community or in all. Throws 400 `INVALID_INPUT`. */
export async function readLedger(
  sql: ISql,
  { userId, communityId, after }: { userId: string; communityId?: string | undefined; after?: string | undefined },
): Promise<Page<LedgerEntry>> {
  const before = readNumber(after);
  return page(
    await sql<Row<LedgerEntry>[]>`
    select ${columns(sql, ownTitle(sql))} from ${from(sql)}
    where e.user_id = ${userId}
      ${communityId === undefined ? sql`` : sql`and e.community_id = ${communityId}`}
      ${before === null ? sql`` : sql`and e.id < ${before}`}
    order by e.id desc limit ${LEDGER_PAGE + 1}`,
  );
}

const communityColumns = (sql: ISql) => sql`
  ${columns(sql)}, u.id as "userId", u.display_name as "displayName"`;
const communityFrom = (sql: ISql) => sql`
  ${from(sql)} join users u on u.id = e.user_id`;

/** Points of a community, the latest first. Throws 400 `INVALID_INPUT`. */
export async function readCommunityLedger(
  sql: ISql,
  { communityId, userId, after }: { communityId: string; userId?: string | undefined; after?: string | undefined },
): Promise<Page<CommunityLedgerEntry>> {
  const before = readNumber(after);
  return page(
    await sql<Row<CommunityLedgerEntry>[]>`
    select ${communityColumns(sql)} from ${communityFrom(sql)}
    where e.community_id = ${communityId}
      ${userId === undefined ? sql`` : sql`and e.user_id = ${userId}`}
      ${before === null ? sql`` : sql`and e.id < ${before}`}
    order by e.id desc limit ${LEDGER_PAGE + 1}`,
  );
}

/** One entry of a community's ledger; null for an unknown id. */
export async function readEntry(sql: ISql, communityId: string, id: string): Promise<CommunityLedgerEntry | null> {
  const [row] = await sql<Row<CommunityLedgerEntry>[]>`
    select ${communityColumns(sql)} from ${communityFrom(sql)}
    where e.community_id = ${communityId} and e.id = ${id}`;
  return row ? entryOf(row) : null;
}
