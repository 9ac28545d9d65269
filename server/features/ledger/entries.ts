import type { ISql, TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { CommunityRole } from '../../contract/community.ts';
import type { CommunityLedgerEntry, LedgerEntry } from '../../contract/ledger.ts';
import { LEDGER_PAGE, POINTS_BY_HAND_MAX } from '../../contract/limits.ts';
import { pageOf, readNumber } from '../../domain/page.ts';
import { prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { emit } from '../webhooks/emit.ts';
import { INSTANCE, record } from './record.ts';

type Row<Entry> = Omit<Entry, 'at'> & { at: Date };
type Page<Entry> = { items: Entry[]; next: string | null };

const columns = (sql: ISql) => sql`
  e.id::text, e.at, e.kind, e.points, c.name as community, t.title as task, e.reason`;
const from = (sql: ISql) => sql`
  point_events e join communities c on c.id = e.community_id left join tasks t on t.id = e.task_id`;
const entryOf = <Entry extends LedgerEntry>(row: Row<Entry>): Entry => ({ ...row, at: row.at.toISOString() }) as Entry;
const page = <Entry extends LedgerEntry>(rows: readonly Row<Entry>[]): Page<Entry> =>
  pageOf(rows, LEDGER_PAGE, { item: entryOf<Entry>, place: ({ id }) => String(id) });

/** A member's points, the latest first, in one community or in all. Throws 400 `INVALID_INPUT`. */
export async function readLedger(
  sql: ISql,
  { userId, communityId, after }: { userId: string; communityId?: string | undefined; after?: string | undefined },
): Promise<Page<LedgerEntry>> {
  const before = readNumber(after);
  return page(
    await sql<Row<LedgerEntry>[]>`
    select ${columns(sql)} from ${from(sql)}
    where e.user_id = ${userId}
      ${communityId === undefined ? sql`` : sql`and e.community_id = ${communityId}`}
      ${before === null ? sql`` : sql`and e.id < ${before}`}
    order by e.id desc limit ${LEDGER_PAGE + 1}`,
  );
}

const communityColumns = (sql: ISql) => sql`
  ${columns(sql)}, u.id as "userId", u.display_name as "displayName", actor.display_name as by`;
const communityFrom = (sql: ISql) => sql`
  ${from(sql)} join users u on u.id = e.user_id left join users actor on actor.id = e.actor_id`;

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

/** Gives or takes points by hand. Throws 404 `NOT_FOUND`, 403 `LEADERS_DO_NOT_COMPETE`, 409 `POINTS_LIMIT`. */
export async function adjust(
  tx: TransactionSql,
  { communityId, leaderId, now }: { communityId: string; leaderId: string; now: Date },
  input: { userId: string; points: number; reason: string },
): Promise<CommunityLedgerEntry> {
  const { userId, points } = input;
  const reason = prose('reason', input.reason);
  const [member] = await tx<{ role: CommunityRole; name: string }[]>`
    select m.role, u.display_name as name from community_members m join users u on u.id = m.user_id
    where m.community_id = ${communityId} and m.user_id = ${userId}`;
  if (!member) throw new HttpError(404, 'NOT_FOUND', 'There is no such member here.');
  if (member.role === 'leader') {
    throw new HttpError(
      403,
      'LEADERS_DO_NOT_COMPETE',
      'They lead this community: leaders do not compete on its board.',
    );
  }
  // Also over all communities: one of them must not leave a member without room for what they earn in another.
  const [beyond] = await tx`
    select from scores where user_id = ${userId} and community_id in (${communityId}, ${INSTANCE})
      and abs(points::bigint + ${points}) > greatest(${POINTS_BY_HAND_MAX}, abs(points::bigint)) limit 1`;
  if (beyond) throw new HttpError(409, 'POINTS_LIMIT', 'Nobody gets as many points by hand.');
  const data = { userId, points, reason };
  await emit(tx, { communityId, event: 'points.changed', at: now, data });
  await audit(tx, {
    communityId,
    actorId: leaderId,
    action: 'points.adjusted',
    subject: `${member.name}: ${points > 0 ? '+' : ''}${points}`,
    subjectId: userId,
    reason,
    at: now,
  });
  const [written] = await record(tx, now, [{ communityId, userId, kind: 'adjust', points, reason, actorId: leaderId }]);
  const [row] = await tx<Row<CommunityLedgerEntry>[]>`
    select ${communityColumns(tx)} from ${communityFrom(tx)}
    where e.community_id = ${communityId} and e.id = ${written ?? null}`;
  if (!row) throw new Error('an adjustment is gone that was just written');
  return entryOf(row);
}
