import type { ISql, Sql, TransactionSql } from 'postgres';
import type { Actor } from '../../base/actor.ts';
import { HttpError } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { NOTIFICATION_CAP_DEFAULT } from '../../contract/limits.ts';
import type { NotificationChoice, NotificationRoom, NotificationSettings } from '../../contract/push.ts';
import { clockOf, minuteOf } from '../../domain/quiet-hours.ts';
import { listDevices } from './subscriptions.ts';

const LATEST = 5;

/** A member's settings, for communities that they are still in; the defaults for the rest. */
export async function readSettings(
  sql: ISql,
  userId: string,
): Promise<{ settings: NotificationSettings; refused: boolean }> {
  const [row] = await sql<
    { from: number | null; to: number | null; cap: number; collapse: boolean; refused: boolean }[]
  >`
    select quiet_from as from, quiet_to as to, daily_cap as cap, collapse, telegram_refused_at is not null as refused
    from notification_settings where user_id = ${userId}`;
  const choices = await sql<NotificationChoice[]>`
    select community_id as "communityId", topic, channel from notification_choices c
    where user_id = ${userId} and (community_id is null or exists (
      select from community_members m where m.user_id = c.user_id and m.community_id = c.community_id))
    order by community_id nulls first, topic`;
  const quiet = row && row.from !== null && row.to !== null ? { from: clockOf(row.from), to: clockOf(row.to) } : null;
  return {
    settings: {
      quiet,
      dailyCap: row?.cap ?? NOTIFICATION_CAP_DEFAULT,
      collapse: row?.collapse ?? true,
      choices: [...choices],
    },
    refused: row?.refused ?? false,
  };
}

/** Replaces what a member chose. Throws 422 `SAME_CHOICE_TWICE`, 422 `UNKNOWN_COMMUNITY`, 422 `QUIET_ALL_DAY`. */
export async function changeSettings(
  tx: TransactionSql,
  userId: string,
  input: NotificationSettings,
): Promise<NotificationSettings> {
  const names = input.choices.map(({ communityId, topic }) => `${communityId} ${topic}`);
  if (new Set(names).size < names.length) {
    throw new HttpError(422, 'SAME_CHOICE_TWICE', 'A topic has one choice in each community.');
  }
  if (input.quiet && input.quiet.from === input.quiet.to) {
    throw new HttpError(422, 'QUIET_ALL_DAY', 'Quiet hours end at another time than they begin.', {
      details: { field: 'quiet' },
    });
  }
  const ids = [...new Set(input.choices.flatMap(({ communityId }) => communityId ?? []))];
  const [existing] = await tx<[{ count: number }]>`
    select count(*)::int from community_members where user_id = ${userId} and community_id = any(${ids}::uuid[])`;
  if (existing.count < ids.length) {
    throw new HttpError(422, 'UNKNOWN_COMMUNITY', 'One of these communities is none of yours (any more).');
  }
  const [from, to] = input.quiet ? [minuteOf(input.quiet.from), minuteOf(input.quiet.to)] : [null, null];
  await tx`
    insert into notification_settings (user_id, quiet_from, quiet_to, daily_cap, collapse)
    values (${userId}, ${from}, ${to}, ${input.dailyCap}, ${input.collapse})
    on conflict (user_id) do update set quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
      daily_cap = excluded.daily_cap, collapse = excluded.collapse, telegram_refused_at = null`;
  await tx`delete from notification_choices where user_id = ${userId}`;
  await tx`
    insert into notification_choices (user_id, community_id, topic, channel)
    select ${userId}, * from unnest(${input.choices.map(({ communityId }) => communityId)}::uuid[],
      ${input.choices.map(({ topic }) => topic)}::text[], ${input.choices.map(({ channel }) => channel)}::text[])`;
  return (await readSettings(tx, userId)).settings;
}

/** Everything that a member's own screen about notifications shows. */
export async function readRoom(
  sql: Sql,
  actor: Pick<Actor, 'userId' | 'sessionId' | 'timeZone'>,
  telegram: { bot: () => Promise<string | null> },
): Promise<NotificationRoom> {
  const { userId, sessionId, timeZone } = actor;
  const { settings, refused } = await readSettings(sql, userId);
  const communities = await sql<NotificationRoom['communities']>`
    select c.id, c.name, m.role <> 'member' as reviews from community_members m join communities c on c.id = m.community_id
    where m.user_id = ${userId} order by lower(c.name), c.id`;
  const latest = await sql<
    { id: string; topic: NotificationRoom['latest'][number]['topic']; title: string; at: Date; state: string }[]
  >`
    select n.id, n.topic, n.title, n.send_at as at,
      case when exists (select from notification_events e where e.notification_id = n.id and e.user_id = ${userId}) then 'shown'
        when n.is_queued and n.sent + n.told > 0 then 'sent'
        when not n.is_queued or n.state in ('done', 'cancelled') then 'not_sent' else 'waiting' end as state
    from (
      select *, true as is_queued from notifications where user_id = ${userId}
      union all select m.*, p.is_queued from notification_people p join notifications m on m.id = p.notification_id
        where p.user_id = ${userId}
    ) n order by n.created_at desc, n.id limit ${LATEST}`;
  return {
    ...settings,
    timeZone,
    communities: [...communities],
    devices: await listDevices(sql, userId, sessionId),
    telegram: { bot: await telegram.bot(), refused },
    latest: latest.map((row) => ({
      ...row,
      at: row.at.toISOString(),
      state: row.state as NotificationRoom['latest'][number]['state'],
    })),
  };
}

const bot = (): { name: string | null } => ({ name: null });
/** The bot's name, cached; null where there is none, or while Telegram does not answer. */
export async function botName({
  config,
  telegram,
  own,
}: Pick<Runtime, 'config' | 'telegram' | 'own'>): Promise<string | null> {
  if (config.telegram.botToken === null) return null;
  const existing = own(bot);
  existing.name ??= await telegram.botUsername().catch(() => null);
  return existing.name;
}
