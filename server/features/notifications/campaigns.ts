import type { ISql, Sql, TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Campaign, CampaignAudience, NewCampaign } from '../../contract/campaigns.ts';
import { CAMPAIGNS_PAGE, PLANNED_WITHIN_MS } from '../../contract/limits.ts';
import { isId } from '../../domain/ids.ts';
import { pageOf, placeOf, readPlace } from '../../domain/page.ts';
import { line, prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import type { Audience } from './notify.ts';
import { notify } from './notify.ts';
import { inCommunity } from './spread.ts';

/** `communityId` null: everybody here. */
type By = { communityId: string | null; userId: string; now: Date };
type Row = Omit<Campaign, 'sendAt' | 'startedAt' | 'finishedAt' | 'audience' | 'services'> & {
  createdAt: Date;
  sendAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  audience: Audience;
  services: { origin: string; sent: number; gone: number; failed: number }[];
};

const columns = (sql: ISql) => sql`
  n.id, n.topic, n.title, n.body, u.display_name as by, n.created_at as "createdAt", n.send_at as "sendAt", n.state,
  n.started_at as "startedAt", n.finished_at as "finishedAt", n.audience, n.members, n.opted_out as "optedOut", n.capped,
  n.queued, n.sent, n.told, n.gone, n.failed, e.shown, e.clicked, e.dismissed, coalesce(s.services, '[]') as services`;
const campaigns = (sql: ISql) => sql`
  notifications n left join users u on u.id = n.created_by
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

function campaignOf({ createdAt: _, audience, services, ...row }: Row): Campaign {
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
  const place = readPlace(after);
  const rows = await sql<Row[]>`
    select ${columns(sql)} from ${campaigns(sql)}
    where n.campaign and ${here(sql, communityId)} and ${
      place ? sql`(n.created_at < ${place.at} or (n.created_at = ${place.at} and n.id > ${place.id}))` : sql`true`
    }
    order by n.created_at desc, n.id limit ${CAMPAIGNS_PAGE + 1}`;
  return pageOf(rows, CAMPAIGNS_PAGE, {
    item: campaignOf,
    place: (row) => placeOf({ at: row.createdAt, id: row.id }),
  });
}

/** How many an audience holds now, and on how many browsers. */
export async function readReach(
  sql: Sql,
  communityId: string,
  audience: CampaignAudience,
): Promise<{ members: number; browsers: number }> {
  const [row] = await sql<[{ members: number; browsers: number }]>`
    select count(*)::int as members, coalesce(sum(p.browsers), 0)::int as browsers
    from users u cross join lateral (
      select count(*) as browsers from push_subscriptions where user_id = u.id) p
    where u.suspended_at is null and ${inCommunity(sql, communityId, audience)}`;
  return row;
}

/** Throws 422 `DATE_OUT_OF_RANGE`. */
function readSendAt(sendAt: string | null, now: Date): Date | null {
  if (sendAt === null) return null;
  const at = new Date(sendAt);
  if (at > now && at.getTime() - now.getTime() <= PLANNED_WITHIN_MS) return at;
  throw new HttpError(422, 'DATE_OUT_OF_RANGE', 'Choose a time in the future, within two years.', {
    details: { field: 'sendAt' },
  });
}

type Written = { title: string; id: string; reason?: string };
/** Of what administrators send to everybody the words themselves are the reason. */
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

/** Where a notification leads. */
const pathOf = (communityId: string | null): string =>
  communityId === null ? '/communities' : `/community/${communityId}/dashboard`;

/** Sends a notification, now or later. Throws 422 `DATE_OUT_OF_RANGE`, 422 `AUDIENCE_OF_COMMUNITY`, 400 `INVALID_INPUT`. */
export async function startCampaign(tx: TransactionSql, by: By, input: NewCampaign): Promise<Campaign> {
  const { communityId, userId, now } = by;
  if (communityId === null && input.audience.minPoints !== undefined) {
    throw new HttpError(422, 'AUDIENCE_OF_COMMUNITY', 'Points are those of a community.', {
      details: { field: 'audience' },
    });
  }
  const [title, body] = [line('title', input.title), prose('body', input.body)];
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
    sendAt: readSendAt(input.sendAt, now),
  });
  await auditOf(tx, by, input.sendAt === null ? 'sent' : 'scheduled', { title, id, reason: body });
  const [row] = await tx<Row[]>`select ${columns(tx)} from ${campaigns(tx)} where n.id = ${id}`;
  if (!row) throw new Error('the campaign was not stored');
  return campaignOf(row);
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
  const [row] = isId(id)
    ? await tx<{ title: string; state: string }[]>`
        select title, state from notifications n where n.id = ${id} and n.campaign and ${here(tx, by.communityId)}
        for update`
    : [];
  if (!row) throw new HttpError(404, 'NOT_FOUND', 'There is no such notification here.');
  if (row.state !== 'waiting') throw new HttpError(409, 'CAMPAIGN_SENT', 'It is on its way already.');
  await tx`update notifications set state = 'cancelled', finished_at = ${by.now} where id = ${id}`;
  await auditOf(tx, by, 'cancelled', { title: row.title, id, ...reason });
}
