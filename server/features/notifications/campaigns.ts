import type { ISql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { Campaign, CampaignAudience, NewCampaign, Notify } from '../../contract/campaigns.ts';
import { CAMPAIGNS_PAGE, PLANNED_WITHIN_MS } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { isId } from '../../domain/ids.ts';
import { cursorOf, pageOf, readCursor } from '../../domain/page.ts';
import { line, prose } from '../../domain/text.ts';
import { momentOf } from '../../domain/time-zone.ts';
import { zoneOf } from '../../storage/zone.ts';
import { audit } from '../audit/audit.ts';
import type { Audience } from './notify.ts';
import { changeWaiting, notify } from './notify.ts';
import { audienceScope as audienceOf } from './spread.ts';

/** `communityId` null: the whole instance. */
type By = { communityId: string | null; userId: string; now: Date };
export type CampaignRow = Omit<Campaign, 'sendAt' | 'startedAt' | 'finishedAt' | 'audience' | 'services'> & {
  createdAt: Date;
  sendAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  audience: Audience;
  services: { origin: string; sent: number; gone: number; failed: number }[];
};

export const campaignColumns = (sql: ISql) => sql`
  n.id, n.topic, n.title, n.body, u.display_name as by, n.created_at as "createdAt", n.send_at as "sendAt",
  n.local_time as "localTime", n.state,
  n.started_at as "startedAt", n.finished_at as "finishedAt", n.audience, n.members, n.opted_out as "optedOut", n.capped,
  n.queued, n.sent, n.told, n.gone, n.failed, e.shown, e.clicked, e.dismissed, coalesce(s.services, '[]') as services`;
/** What else is counted of a notification `n`, of who sent it (`u`) too. */
export const campaignJoins = (sql: ISql) => sql`
  left join users u on u.id = n.created_by
  cross join lateral (
    select count(*) filter (where event = 'shown')::int as shown,
      count(distinct user_id) filter (where event in ('clicked', 'done', 'snoozed'))::int as clicked,
      count(*) filter (where event = 'dismissed')::int as dismissed
    from notification_events where notification_id = n.id) e
  cross join lateral (
    select json_agg(json_build_object('origin', origin, 'sent', sent, 'gone', gone, 'failed', failed) order by sent desc)
      as services
    from notification_services where notification_id = n.id) s`;
const here = (sql: ISql, communityId: string | null) =>
  communityId === null ? sql`n.community_id is null` : sql`n.community_id = ${communityId}`;

export function campaignOf({ createdAt: _, audience, services, ...row }: CampaignRow): Campaign {
  const { except: __, ...filters } = audience;
  return {
    ...row,
    sendAt: row.sendAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    audience: filters as CampaignAudience,
    services: services.map(({ origin, ...counts }) => ({ service: new URL(origin).host, ...counts })),
  };
}

/** One page of what was sent, the latest first. Throws 400 `INVALID_INPUT`. */
export async function listCampaigns(
  sql: ISql,
  { communityId, after }: { communityId: string | null; after: string | undefined },
): Promise<{ items: Campaign[]; next: string | null }> {
  const position = readCursor(after);
  const rows = await sql<CampaignRow[]>`
    select ${campaignColumns(sql)} from notifications n ${campaignJoins(sql)}
    where n.campaign and ${here(sql, communityId)} and ${
      position
        ? sql`(n.created_at < ${position.at} or (n.created_at = ${position.at} and n.id > ${position.id}))`
        : sql`true`
    }
    order by n.created_at desc, n.id limit ${CAMPAIGNS_PAGE + 1}`;
  return pageOf(rows, CAMPAIGNS_PAGE, {
    item: campaignOf,
    cursor: (row) => cursorOf({ at: row.createdAt, id: row.id }),
  });
}

/** `sendAt` null: at once. */
type When = { sendAt: Date | null; localTime: string | null };

/**
 * When a notification is sent; with local time, when the first of its audience, or its author, has that time. Throws
 * 422 `DATE_OUT_OF_RANGE`.
 */
export async function readWhen(
  sql: ISql,
  { communityId, userId, now }: By,
  { sendAt, localTime = null, audience }: Notify,
): Promise<When> {
  if (localTime === null) return { sendAt: sendAt === null ? null : planned([new Date(sendAt)], now), localTime };
  const zones = await sql<{ zone: string }[]>`
    select distinct ${zoneOf(sql, now)} as zone from users u
    where u.id = ${userId} or ${audienceOf(sql, { communityId, userId: null, audience })}`;
  return {
    sendAt: planned(
      zones.map(({ zone }) => momentOf(localTime, zone)),
      now,
    ),
    localTime,
  };
}

/** The first of these moments, or now where that has passed and others have not. */
function planned(moments: readonly Date[], now: Date): Date {
  const times = moments.map((at) => at.getTime());
  const [first, last] = [Math.min(...times), Math.max(...times)];
  if (last > now.getTime() && last - now.getTime() <= PLANNED_WITHIN_MS)
    return new Date(Math.max(first, now.getTime()));
  throw new HttpError(422, 'DATE_OUT_OF_RANGE', 'Choose a time in the future, within two years.', {
    details: { field: 'sendAt' } satisfies ErrorDetails['DATE_OUT_OF_RANGE'],
  });
}

type Written = { title: string; id: string; reason?: string };
/** For an administrator's notification its text is the reason. */
const auditOf = (tx: TransactionSql, by: By, action: string, { title, id, reason }: Written) =>
  audit(tx, {
    communityId: by.communityId,
    actorId: by.userId,
    action: `campaign.${action}`,
    subject: title,
    subjectId: id,
    reason: by.communityId === null ? (reason ?? null) : null,
    at: by.now,
  });

/** Target of a notification. */
const pathOf = (communityId: string | null): string =>
  communityId === null ? '/communities' : `/community/${communityId}/dashboard`;

function checkAudience(communityId: string | null, { minPoints }: CampaignAudience): void {
  if (communityId === null && minPoints !== undefined) {
    throw new HttpError(422, 'AUDIENCE_OF_COMMUNITY', 'Points are those of a community.', {
      details: { field: 'audience' },
    });
  }
}

async function readCampaign(tx: TransactionSql, id: string): Promise<Campaign> {
  const [row] = await tx<CampaignRow[]>`
    select ${campaignColumns(tx)} from notifications n ${campaignJoins(tx)} where n.id = ${id}`;
  if (!row) throw new Error('the campaign was not stored');
  return campaignOf(row);
}

/** Sends a notification, now or later. Throws 422 `DATE_OUT_OF_RANGE`, 422 `AUDIENCE_OF_COMMUNITY`, 400 `INVALID_INPUT`. */
export async function startCampaign(tx: TransactionSql, by: By, input: NewCampaign): Promise<Campaign> {
  const { communityId, userId, now } = by;
  checkAudience(communityId, input.audience);
  const [title, body] = [line('title', input.title), prose('body', input.body)];
  const when = await readWhen(tx, by, input);
  const id = await notify(tx, {
    topic: 'announcement',
    communityId,
    audience: { ...input.audience, except: userId },
    path: pathOf(communityId),
    title,
    body,
    campaign: true,
    createdBy: userId,
    at: now,
    ...when,
  });
  await auditOf(tx, by, when.sendAt === null ? 'sent' : 'scheduled', { title, id, reason: body });
  return readCampaign(tx, id);
}

/** The row of a notification that has not begun to be sent, held. Throws 404 `NOT_FOUND`, 409 `CAMPAIGN_SENT`. */
async function holdWaiting(tx: TransactionSql, by: By, id: string): Promise<{ title: string }> {
  const [row] = isId(id)
    ? await tx<{ title: string; state: string }[]>`
        select title, state from notifications n where n.id = ${id} and n.campaign and ${here(tx, by.communityId)}
        for update`
    : [];
  if (!row) throw notFound('notification');
  if (row.state !== 'waiting') throw new HttpError(409, 'CAMPAIGN_SENT', 'It is on its way already.');
  return row;
}

/** Changes a notification that has not begun to be sent. Throws as `startCampaign` does, 404 `NOT_FOUND`, 409 `CAMPAIGN_SENT`. */
export async function changeCampaign(tx: TransactionSql, by: By, id: string, input: NewCampaign): Promise<Campaign> {
  checkAudience(by.communityId, input.audience);
  await holdWaiting(tx, by, id);
  const [title, body] = [line('title', input.title), prose('body', input.body)];
  const { sendAt, localTime } = await readWhen(tx, by, input);
  await changeWaiting(tx, id, { title, body, audience: input.audience, sendAt: sendAt ?? by.now, localTime });
  await auditOf(tx, by, 'changed', { title, id, reason: body });
  return readCampaign(tx, id);
}

/** Sends the notification to who wrote it, on their own devices. */
export async function testCampaign(tx: TransactionSql, by: By, input: { title: string; body: string }): Promise<void> {
  const { communityId, userId, now } = by;
  const [title, body] = [line('title', input.title), prose('body', input.body)];
  const path = pathOf(communityId);
  const id = await notify(tx, { topic: 'test', communityId, userId, path, title, body, at: now });
  await auditOf(tx, by, 'tested', { title, id, reason: body });
}

/** Takes back a notification that has not begun to be sent. Throws 404 `NOT_FOUND`, 409 `CAMPAIGN_SENT`. */
export async function cancelCampaign(tx: TransactionSql, by: By, id: string, why?: string): Promise<void> {
  const reason = why === undefined ? {} : { reason: prose('reason', why) };
  const row = await holdWaiting(tx, by, id);
  await tx`update notifications set state = 'cancelled', finished_at = ${by.now} where id = ${id}`;
  await auditOf(tx, by, 'cancelled', { title: row.title, id, ...reason });
}
