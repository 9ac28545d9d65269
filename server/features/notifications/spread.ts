import type { ISql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { NOTIFICATION_CAP_DEFAULT, NOTIFICATION_LIVES_MS } from '../../contract/limits.ts';
import type { Channel, Topic } from '../../contract/push.ts';
import { localDay, nextDay } from '../../domain/periods.ts';
import { afterQuiet } from '../../domain/quiet-hours.ts';
import { momentOf } from '../../domain/time-zone.ts';
import { LEAST_URGENT } from '../../domain/urgency.ts';
import { zoneOf } from '../../storage/zone.ts';
import type { Audience } from './notify.ts';

/** Members per step; a step is one transaction, so after a crash it continues. */
const STEP = 1_000;
/** Subscriptions of one chunk: what may be sent twice when a process is killed. */
const CHUNK = 200;
/** Exempt from quiet hours and limits: a requested test, or the member's own account. */
const AT_ONCE: ReadonlySet<Topic> = new Set(['test', 'security']);
/** Only useful on the member's local day on which it was created. */
const OF_TODAY: ReadonlySet<Topic> = new Set(['streak']);
/** Sent by push by default. */
const DEFAULT_CHANNEL: Channel = 'push';

type Row = {
  id: string;
  topic: Topic;
  communityId: string | null;
  userId: string | null;
  audience: Audience;
  reached: string | null;
  createdAt: Date;
  /** Local time of delivery; null: all at once. */
  localTime: string | null;
};
type Member = {
  id: string;
  timeZone: string;
  channel: Channel | null;
  quietFrom: number | null;
  quietTo: number | null;
  cap: number | null;
  collapse: boolean | null;
  refused: boolean;
};
/** How a member is reached: browsers, Telegram, or both. */
type Reachable = { member: Member; browsers: readonly string[]; telegram: boolean };
type Recipient = Reachable & { at: Date };

/** Spreads what is due to the next members of its audience, one step. False when nothing is due. */
export function spreadNext({ sql, config, now: clock }: Pick<Runtime, 'sql' | 'config' | 'now'>): Promise<boolean> {
  const now = clock();
  return sql.begin(async (tx) => {
    const [row] = await tx<Row[]>`
      select id, topic, community_id as "communityId", user_id as "userId", audience, reached, created_at as "createdAt",
        local_time as "localTime"
      from notifications where id = (
        select next.id from generate_series(0, ${LEAST_URGENT}::int) of (urgency) cross join lateral (
          select id from notifications n
          where n.urgency = of.urgency and state in ('waiting', 'spreading') and send_at <= ${now}
          order by send_at, id limit 1) next
        order by of.urgency limit 1) for update skip locked`;
    if (!row) return false;
    const members = await nextMembers(tx, row, now, config.telegram.requiredChannel !== null);
    const wanted = members.filter(({ channel }) => (channel ?? DEFAULT_CHANNEL) !== 'none');
    const reachable = await targetsOf(tx, row.topic, wanted, { now, bot: config.telegram.botToken !== null });
    const recipients = await withinCap(tx, row, reachable, now);
    const queued = await queue(tx, row, recipients);
    if (row.audience.named) {
      await tx`
        update notification_people set is_queued = user_id = any(${recipients.map(({ member }) => member.id)}::uuid[])
        where notification_id = ${row.id} and user_id = any(${members.map(({ id }) => id)}::uuid[])`;
    }
    const last = members.at(-1)?.id ?? row.reached;
    await tx`
      update notifications set reached = ${last}, started_at = coalesce(started_at, ${now}),
        state = ${members.length < STEP ? 'sending' : 'spreading'}, members = members + ${members.length},
        opted_out = opted_out + ${members.length - wanted.length}, capped = capped + ${reachable.length - recipients.length},
        queued = queued + ${queued}
      where id = ${row.id}`;
    if (members.length < STEP) await endIfOver(tx, row.id, now);
    return true;
  });
}

/** The next members of the audience, by id, without suspended and revoked ones. */
function nextMembers(tx: TransactionSql, row: Row, now: Date, isChannelRequired: boolean): Promise<Member[]> {
  const { id, topic, communityId, userId, audience, reached } = row;
  const named = audience.named
    ? tx`u.id in (select p.user_id from notification_people p where p.notification_id = ${id})`
    : tx`true`;
  const person = userId === null ? named : tx`u.id = ${userId}`;
  const scope = audienceScope(tx, row);
  return tx<Member[]>`
    select u.id, ${zoneOf(tx, now)} as "timeZone", coalesce(own.channel, everywhere.channel) as channel,
      s.quiet_from as "quietFrom", s.quiet_to as "quietTo", s.daily_cap as cap, s.collapse,
      s.telegram_refused_at is not null as refused
    from users u
    left join notification_settings s on s.user_id = u.id
    left join notification_choices own
      on own.user_id = u.id and own.topic = ${topic} and own.community_id = ${communityId}
    left join notification_choices everywhere
      on everywhere.user_id = u.id and everywhere.topic = ${topic} and everywhere.community_id is null
    where ${person} and ${scope} and u.suspended_at is null
      and ${isChannelRequired ? tx`u.membership not in ('left', 'kicked')` : tx`true`}
      and ${reached === null ? tx`true` : tx`u.id > ${reached}`}
      and ${audience.except === undefined ? tx`true` : tx`u.id <> ${audience.except}`}
    order by u.id limit ${STEP}`;
}

/** Condition on `u`: in the audience. A suspended community notifies nobody. */
export function audienceScope(
  tx: ISql,
  { communityId, userId, audience }: Pick<Row, 'communityId' | 'userId' | 'audience'>,
) {
  if (communityId === null) return userId === null ? inInstance(tx, audience) : tx`true`;
  return userId === null ? inCommunity(tx, communityId, audience) : isOpen(tx, communityId);
}

const isOpen = (tx: ISql, communityId: string) =>
  tx`(select status from communities where id = ${communityId}) = 'active'`;

/** Condition on `u`: anyone on the instance with these roles in a community, active within so many days. */
function inInstance(tx: ISql, { roles, activeDays }: Audience) {
  const led = roles
    ? tx`exists (select from community_members m join communities c on c.id = m.community_id and c.status = 'active'
        where m.user_id = u.id and m.role = any(${[...roles]}))`
    : tx`true`;
  const seen =
    activeDays === undefined
      ? tx`true`
      : tx`exists (select from sessions s
          where s.user_id = u.id and s.last_seen_at > now() - make_interval(days => ${activeDays}))`;
  return tx`(${led} and ${seen})`;
}

/** Condition on `u`: a member of the community, which is not suspended, who passes the filters. */
function inCommunity(tx: ISql, communityId: string, { roles, minPoints, activeDays }: Audience) {
  return tx`exists (
    select from community_members m where m.community_id = ${communityId} and m.user_id = u.id
      and ${isOpen(tx, communityId)}
      and ${roles ? tx`m.role = any(${[...roles]})` : tx`true`}
      and ${
        minPoints === undefined
          ? tx`true`
          : tx`exists (select from scores t where t.community_id = ${communityId} and t.user_id = u.id
              and t.points >= ${minPoints})`
      }
      and ${
        activeDays === undefined
          ? tx`true`
          : tx`exists (select from claims c where c.community_id = ${communityId} and c.user_id = u.id
              and c.submitted_at > now() - make_interval(days => ${activeDays}))`
      })`;
}

/** When it is due in a zone: now, or when its local time comes. */
export function ownMoment(now: Date, timeZone: string, localTime: string | null): Date {
  const own = localTime === null ? now : momentOf(localTime, timeZone);
  return own > now ? own : now;
}

/** When each member may be notified: at the local time if set, after quiet hours, within the daily limit. */
async function withinCap(tx: TransactionSql, row: Row, members: readonly Reachable[], now: Date): Promise<Recipient[]> {
  const { topic, createdAt, localTime } = row;
  if (AT_ONCE.has(topic)) return members.map((one) => ({ ...one, at: now }));
  const lastSeen = new Map<string, Date>();
  const timely = members.map((one) => {
    const { timeZone, quietFrom, quietTo } = one.member;
    const name = `${timeZone} ${quietFrom} ${quietTo}`;
    const quiet = quietFrom === null || quietTo === null ? null : { from: quietFrom, to: quietTo };
    const at = lastSeen.get(name) ?? afterQuiet(ownMoment(now, timeZone, localTime), timeZone, quiet);
    lastSeen.set(name, at);
    return { ...one, at };
  });
  const recipients = timely.filter(
    ({ at, member: { timeZone } }) => !OF_TODAY.has(topic) || localDay(at, timeZone) === localDay(createdAt, timeZone),
  );
  const fits = await tx<{ id: string }[]>`
    insert into notification_days as kept (user_id, day, count, most)
    select * from unnest(${recipients.map(({ member }) => member.id)}::uuid[],
      ${recipients.map(({ member, at }) => localDay(at, member.timeZone))}::date[], ${recipients.map(() => 1)}::int[],
      ${recipients.map(({ member }) => member.cap ?? NOTIFICATION_CAP_DEFAULT)}::int[])
    on conflict (user_id, day) do update set count = kept.count + 1, most = excluded.most
      where kept.count < excluded.most
    returning user_id as id`;
  const ids = new Set(fits.map(({ id }) => id));
  return recipients.filter(({ member }) => ids.has(member.id));
}

/** Members who can be reached, and how. */
async function targetsOf(
  tx: TransactionSql,
  topic: Topic,
  members: readonly Member[],
  { now, bot }: { now: Date; bot: boolean },
): Promise<Reachable[]> {
  const subscriptions = await tx<{ id: string; userId: string }[]>`
    select p.id, p.user_id as "userId" from push_subscriptions p join sessions s on s.id = p.session_id
    where p.user_id = any(${members.map(({ id }) => id)}::uuid[]) and s.expires_at > ${now}
    order by p.user_id, p.id`;
  const all = new Map<string, string[]>();
  for (const { id, userId } of subscriptions) all.set(userId, [...(all.get(userId) ?? []), id]);
  return members
    .map((member) => {
      const channel = member.channel ?? DEFAULT_CHANNEL;
      const browsers = channel === 'telegram' ? [] : (all.get(member.id) ?? []);
      // Telegram is for members who chose it or cannot receive push; nobody gets both.
      const byTelegram = topic !== 'test' && (channel === 'both' || browsers.length === 0);
      return { member, browsers, telegram: bot && byTelegram && !member.refused };
    })
    .filter(({ browsers, telegram }) => browsers.length > 0 || telegram);
}

/** Puts all targets into chunks that are sent together. Returns how many. */
async function queue(tx: TransactionSql, { id, topic }: Row, recipients: readonly Recipient[]): Promise<number> {
  type Group = { channel: 'push' | 'telegram'; at: Date; expires: Date; collapse: boolean; targets: string[] };
  const groups = new Map<string, Group>();
  const add = (channel: 'push' | 'telegram', { member, at }: Recipient, targets: readonly string[]) => {
    // A test must show every time.
    const collapse = topic !== 'test' && (member.collapse ?? true);
    const expires = OF_TODAY.has(topic) ? nextDay(at, member.timeZone) : new Date(at.getTime() + NOTIFICATION_LIVES_MS);
    const name = `${channel} ${at.getTime()} ${expires.getTime()} ${collapse}`;
    const group = groups.get(name) ?? { channel, at, expires, collapse, targets: [] };
    group.targets.push(...targets);
    groups.set(name, group);
  };
  for (const one of recipients) {
    if (one.browsers.length > 0) add('push', one, one.browsers);
    if (one.telegram) add('telegram', one, [one.member.id]);
  }
  let count = 0;
  for (const { channel, at, expires, collapse, targets } of groups.values()) {
    count += targets.length;
    for (let from = 0; from < targets.length; from += CHUNK) {
      await tx`
        insert into notification_chunks (notification_id, urgency, channel, targets, collapse, next_try_at, expires_at)
        select id, urgency, ${channel}, ${targets.slice(from, from + CHUNK)}::uuid[], ${collapse}::boolean,
          ${at}::timestamptz, ${expires}::timestamptz
        from notifications where id = ${id}`;
    }
  }
  return count;
}

/**
 * A notification of which nothing is left to send is done. Its row is the caller's already: of two chunks that end at
 * once, the second must see that the first is gone.
 */
export async function endIfOver(tx: TransactionSql, id: string, now: Date): Promise<void> {
  await tx`
    update notifications set state = 'done', finished_at = ${now}
    where id = ${id} and state = 'sending'
      and not exists (select from notification_chunks where notification_id = ${id})
      and not exists (
        select from bot_messages where notification_id = ${id} and state in ('waiting', 'sending'))`;
}
