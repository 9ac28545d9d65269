import type { ISql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { Notify } from '../../contract/campaigns.ts';
import { ANNOUNCEMENTS_ON_DASHBOARD, ANNOUNCEMENTS_PAGE, PLANNED_WITHIN_MS } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import type { Announced, Announcement, NewAnnouncement } from '../../contract/rooms.ts';
import { isId } from '../../domain/ids.ts';
import { cursorOf, pageOf, readCursor } from '../../domain/page.ts';
import { line, prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { type CampaignRow, campaignColumns, campaignJoins, campaignOf, readWhen } from '../notifications/campaigns.ts';
import { notifyOfAnnouncement, renotifyOfAnnouncement } from '../notifications/happened.ts';
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
 * Announcements of a dashboard, as JSON of `AnnouncementRow`s: pinned first, then latest; at most
 * `ANNOUNCEMENTS_ON_DASHBOARD`. SQL text with parameter names.
 */
export const latestText = (position: string, now: string) => `(
  select coalesce(jsonb_agg(to_jsonb(one)), '[]') from (
    select ${COLUMNS} from ${FROM} where a.community_id = ${position}::uuid
    order by coalesce(a.pinned_until > ${now}::timestamptz, false) desc, a.created_at desc, a.id
    limit ${ANNOUNCEMENTS_ON_DASHBOARD}) one)`;

/** One page: pinned first, then latest. Throws 400 `INVALID_INPUT` for an invalid `after`. */
export async function listAnnouncements(
  sql: ISql,
  { communityId, after, now }: { communityId: string; after: string | undefined; now: Date },
): Promise<{ items: Announcement[]; next: string | null }> {
  const position = readCursor(after?.slice(1));
  if (after !== undefined && !/^[pn]/.test(after)) throw new HttpError(400, 'INVALID_INPUT', 'after: names no place');
  const pinned = after?.startsWith('p') ?? true;
  const beyond = position
    ? sql`(${isPinned(sql, now)} < ${pinned} or (${isPinned(sql, now)} = ${pinned}
        and (a.created_at < ${position.at} or (a.created_at = ${position.at} and a.id > ${position.id}))))`
    : sql`true`;
  const rows = await sql<Row[]>`
    select ${columns(sql)} from ${sql.unsafe(FROM)}
    where a.community_id = ${communityId} and ${beyond}
    order by ${isPinned(sql, now)} desc, a.created_at desc, a.id limit ${ANNOUNCEMENTS_PAGE + 1}`;
  return pageOf(rows, ANNOUNCEMENTS_PAGE, {
    item: announcementOf,
    cursor: (row: Row) => (row.pinnedUntil && row.pinnedUntil > now ? 'p' : 'n') + cursorOf(row),
  });
}

/** One page, latest first: announcements, and notifications without one. */
export async function listAnnounced(
  sql: ISql,
  { communityId, after }: { communityId: string; after: string | undefined },
): Promise<{ items: Announced[]; next: string | null }> {
  const position = readCursor(after);
  type AnnouncedRow = CampaignRow & { key: string; announcedAt: Date; announcement: AnnouncementRow | null };
  const rows = await sql<AnnouncedRow[]>`
    with page as (
      select * from (
        select a.id as key, a.id as announced, a.created_at as said_at,
          (select id from notifications where subject_id = a.id and campaign) as sent
        from announcements a where a.community_id = ${communityId}
        union all
        select n.id, null, n.created_at, n.id from notifications n
        where n.campaign and n.community_id = ${communityId}
          and not exists (select from announcements a where a.id = n.subject_id)) one
      where ${position ? sql`(said_at < ${position.at} or (said_at = ${position.at} and key > ${position.id}))` : sql`true`}
      order by said_at desc, key limit ${ANNOUNCEMENTS_PAGE + 1}
    )
    select page.key, page.said_at as "announcedAt", said.announcement, ${campaignColumns(sql)}
    from page left join notifications n on n.id = page.sent ${campaignJoins(sql)}
    left join lateral (
      select jsonb_build_object('id', a.id, 'title', a.title, 'body', a.body, 'at', a.created_at,
        'pinnedUntil', a.pinned_until, 'by', w.display_name) as announcement
      from announcements a join users w on w.id = a.created_by where a.id = page.announced) said on true
    order by page.said_at desc, page.key`;
  return pageOf(rows, ANNOUNCEMENTS_PAGE, {
    item: ({ key, announcedAt, announcement, ...row }): Announced => {
      const campaign = row.id === null ? null : campaignOf(row);
      const { title, body, by } = announcement ?? row;
      const pinnedUntil = announcement === null ? null : announcementOf(announcement).pinnedUntil;
      const words = { title, body, by, at: announcedAt.toISOString(), pinnedUntil };
      return { id: key, announcementId: announcement?.id ?? null, ...words, campaign };
    },
    cursor: ({ key, announcedAt }) => cursorOf({ at: announcedAt, id: key }),
  });
}

function wordsOf(input: NewAnnouncement, now: Date): { title: string; body: string; pinnedUntil: Date | null } {
  const [title, body] = [line('title', input.title), prose('body', input.body)];
  const pinnedUntil = input.pinnedUntil ? new Date(input.pinnedUntil) : null;
  const ahead = pinnedUntil && pinnedUntil.getTime() - now.getTime();
  if (ahead !== null && !(ahead > 0 && ahead <= PLANNED_WITHIN_MS)) {
    throw new HttpError(422, 'DATE_OUT_OF_RANGE', 'A pin ends in the future, within two years.', {
      details: { field: 'pinnedUntil' } satisfies ErrorDetails['DATE_OUT_OF_RANGE'],
    });
  }
  return { title, body, pinnedUntil };
}
const EVERYBODY_NOW: Notify = { sendAt: null, audience: {} };

/**
 * Posts an announcement and its notification in one transaction. Throws 422 `DATE_OUT_OF_RANGE` for a pin end or a
 * sending time in the past or years ahead.
 */
export async function announce(tx: TransactionSql, by: By, input: NewAnnouncement): Promise<Announcement> {
  const { communityId, userId, now } = by;
  const { title, body, pinnedUntil } = wordsOf(input, now);
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
  const { notify = EVERYBODY_NOW } = input;
  if (notify !== null) {
    const when = await readWhen(tx, by, notify);
    await notifyOfAnnouncement(tx, { ...by, id: made.id, title, body, at: now, audience: notify.audience, ...when });
  }
  return made;
}

/**
 * Changes an announcement before anyone was notified, with its notification. Throws like `announce`, 404 `NOT_FOUND`,
 * 409 `CAMPAIGN_SENT`.
 */
export async function changeAnnouncement(
  tx: TransactionSql,
  by: By,
  id: string,
  input: NewAnnouncement,
): Promise<Announcement> {
  const { communityId, userId, now } = by;
  const { title, body, pinnedUntil } = wordsOf(input, now);
  const [row] = isId(id)
    ? await tx<Row[]>`
        with a as (
          update announcements set title = ${title}, body = ${body}, pinned_until = ${pinnedUntil}
          where id = ${id} and community_id = ${communityId} returning *
        ) select ${columns(tx)} from a join users u on u.id = a.created_by`
    : [];
  if (!row) throw notFound('announcement');
  const [sent] = await tx<{ id: string; state: string }[]>`
    select id, state from notifications where subject_id = ${id} and campaign for update`;
  if (sent && sent.state !== 'waiting') throw new HttpError(409, 'CAMPAIGN_SENT', 'It is on its way already.');
  const event = { action: 'announcement.changed', subject: title, subjectId: id };
  await audit(tx, { communityId, actorId: userId, ...event, at: now });
  const { notify = EVERYBODY_NOW } = input;
  if (notify === null) {
    // Nobody was notified yet, so nothing remains of it.
    if (sent) await tx`delete from notifications where id = ${sent.id}`;
    return announcementOf(row);
  }
  const notification = {
    ...by,
    id,
    title,
    body,
    at: now,
    audience: notify.audience,
    ...(await readWhen(tx, by, notify)),
  };
  if (sent) await renotifyOfAnnouncement(tx, { ...notification, campaignId: sent.id });
  else await notifyOfAnnouncement(tx, notification);
  return announcementOf(row);
}

/** Takes an announcement back. Throws 404 `NOT_FOUND`. */
export async function retract(tx: TransactionSql, { communityId, userId, now }: By, id: string): Promise<void> {
  const [gone] = isId(id)
    ? await tx<{ title: string }[]>`
        delete from announcements where id = ${id} and community_id = ${communityId} returning title`
    : [];
  if (!gone) throw notFound('announcement');
  await cancel(tx, { subjectId: id }, now);
  const event = { action: 'announcement.retracted', subject: gone.title, subjectId: id };
  await audit(tx, { communityId, actorId: userId, ...event, at: now });
}
