import type { ISql, TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import { ANNOUNCEMENTS_ON_DASHBOARD, ANNOUNCEMENTS_PAGE, PLANNED_WITHIN_MS } from '../../contract/limits.ts';
import type { Announcement } from '../../contract/rooms.ts';
import { isId } from '../../domain/ids.ts';
import { pageOf, placeOf, readPlace } from '../../domain/page.ts';
import { line, prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { notifyOfAnnouncement } from '../notifications/happened.ts';
import { cancel } from '../notifications/notify.ts';
import { emit } from '../webhooks/emit.ts';

/** Times are text where the row came as JSON. */
export type AnnouncementRow = Omit<Announcement, 'at' | 'pinnedUntil'> & {
  at: Date | string;
  pinnedUntil: Date | string | null;
};
type Row = AnnouncementRow & { at: Date; pinnedUntil: Date | null };
type By = { communityId: string; userId: string; now: Date };

const COLUMNS = `a.id, a.title, a.body, u.display_name as by, a.created_at as at, a.pinned_until as "pinnedUntil"`;
const columns = (sql: ISql) => sql.unsafe(COLUMNS);
const FROM = 'announcements a join users u on u.id = a.created_by';
const isPinned = (sql: ISql, now: Date) => sql`coalesce(a.pinned_until > ${now}, false)`;

export const announcementOf = (row: AnnouncementRow): Announcement => ({
  ...row,
  at: new Date(row.at).toISOString(),
  pinnedUntil: row.pinnedUntil === null ? null : new Date(row.pinnedUntil).toISOString(),
});

/**
 * What a dashboard shows, as JSON of `AnnouncementRow`s: pinned ones first, then the latest; at most
 * `ANNOUNCEMENTS_ON_DASHBOARD`. Text; `place` and `now` name parameters.
 */
export const latestText = (place: string, now: string) => `(
  select coalesce(jsonb_agg(to_jsonb(one)), '[]') from (
    select ${COLUMNS} from ${FROM} where a.community_id = ${place}::uuid
    order by coalesce(a.pinned_until > ${now}::timestamptz, false) desc, a.created_at desc, a.id
    limit ${ANNOUNCEMENTS_ON_DASHBOARD}) one)`;

/** One page: pinned ones first, then the latest. Throws 400 `INVALID_INPUT` for an `after` that names no place. */
export async function listAnnouncements(
  sql: ISql,
  { communityId, after, now }: { communityId: string; after: string | undefined; now: Date },
): Promise<{ items: Announcement[]; next: string | null }> {
  const place = readPlace(after?.slice(1));
  if (after !== undefined && !/^[pn]/.test(after)) throw new HttpError(400, 'INVALID_INPUT', 'after: names no place');
  const pinned = after?.startsWith('p') ?? true;
  const beyond = place
    ? sql`(${isPinned(sql, now)} < ${pinned} or (${isPinned(sql, now)} = ${pinned}
        and (a.created_at < ${place.at} or (a.created_at = ${place.at} and a.id > ${place.id}))))`
    : sql`true`;
  const rows = await sql<Row[]>`
    select ${columns(sql)} from ${sql.unsafe(FROM)}
    where a.community_id = ${communityId} and ${beyond}
    order by ${isPinned(sql, now)} desc, a.created_at desc, a.id limit ${ANNOUNCEMENTS_PAGE + 1}`;
  return pageOf(rows, ANNOUNCEMENTS_PAGE, {
    item: announcementOf,
    place: (row: Row) => (row.pinnedUntil && row.pinnedUntil > now ? 'p' : 'n') + placeOf(row),
  });
}

/** Posts an announcement. Throws 422 `DATE_OUT_OF_RANGE` for a pin that ends in the past or in some years. */
export async function announce(
  tx: TransactionSql,
  { communityId, userId, now }: By,
  input: { title: string; body: string; pinnedUntil?: string | null | undefined },
): Promise<Announcement> {
  const [title, body] = [line('title', input.title), prose('body', input.body)];
  const pinnedUntil = input.pinnedUntil ? new Date(input.pinnedUntil) : null;
  const ahead = pinnedUntil && pinnedUntil.getTime() - now.getTime();
  if (ahead !== null && !(ahead > 0 && ahead <= PLANNED_WITHIN_MS)) {
    throw new HttpError(422, 'DATE_OUT_OF_RANGE', 'A pin ends in the future, within two years.', {
      details: { field: 'pinnedUntil' },
    });
  }
  const [row] = await tx<Row[]>`
    with a as (
      insert into announcements (community_id, title, body, pinned_until, created_by, created_at)
      values (${communityId}, ${title}, ${body}, ${pinnedUntil}, ${userId}, ${now}) returning *
    ) select ${columns(tx)} from a join users u on u.id = a.created_by`;
  if (!row) throw new Error('the announcement was not stored');
  const made = announcementOf(row);
  await audit(tx, {
    communityId,
    actorId: userId,
    action: 'announcement.posted',
    subject: title,
    subjectId: made.id,
    at: now,
  });
  await emit(tx, { communityId, event: 'announcement.posted', at: now, data: made });
  await notifyOfAnnouncement(tx, { id: made.id, communityId, userId, title, body, at: now });
  return made;
}

/** Takes an announcement back. Throws 404 `NOT_FOUND`. */
export async function retract(tx: TransactionSql, { communityId, userId, now }: By, id: string): Promise<void> {
  const [gone] = isId(id)
    ? await tx<{ title: string }[]>`
        delete from announcements where id = ${id} and community_id = ${communityId} returning title`
    : [];
  if (!gone) throw new HttpError(404, 'NOT_FOUND', 'There is no such announcement here.');
  await cancel(tx, { subjectId: id }, now);
  const event = { action: 'announcement.retracted', subject: gone.title, subjectId: id };
  await audit(tx, { communityId, actorId: userId, ...event, at: now });
}
