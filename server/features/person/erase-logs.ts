import type { TransactionSql } from 'postgres';

/**
 * Removes a person from the client logs: their entries, those of devices that only they used, words that only they had,
 * and issues that only they met. Counts stay.
 */
export async function eraseLogs(tx: TransactionSql, { userId }: { userId: string }): Promise<void> {
  const devices = (
    await tx<{ device: string }[]>`
      select distinct device from client_log_entries e where user_id = ${userId} and device is not null
        and not exists (select from client_log_entries o where o.device = e.device and o.user_id <> ${userId})`
  ).map(({ device }) => device);
  const people = [userId, ...devices.map((device) => `device ${device}`)];
  await tx`
    delete from client_log_inbox where sender->>'userId' = ${userId}
      or sender->>'userId' is null and coalesce(data->>'deviceId', data->>'device') = any(${devices})`;
  const groups = (
    await tx<{ id: number }[]>`select group_id as id from client_log_people where person = any(${people})`
  ).map(({ id }) => id);
  const words = await tx<{ day: string; key: string }[]>`
    delete from client_log_entries where user_id = ${userId} or user_id is null and person = any(${people})
    returning received_at::date::text as day, message_key::text as key`;
  const distinct = [...new Map(words.map((word) => [`${word.day} ${word.key}`, word])).values()];
  await tx`
    delete from client_log_messages m
    using unnest(${distinct.map(({ day }) => day)}::date[], ${distinct.map(({ key }) => key)}::bigint[]) as gone (day, key)
    where m.day = gone.day and m.key = gone.key and not exists (
      select from client_log_entries e where e.message_key = m.key and e.received_at::date = m.day)`;
  await tx`delete from client_log_people where person = any(${people})`;
  await tx`delete from client_log_devices where person = any(${people})`;
  await tx`delete from client_log_drops where user_id = ${userId} or user_id is null and device = any(${devices})`;
  await tx`delete from client_log_senders where sender = ${`member ${userId}`}`;
  await dropEmptyGroups(tx, groups);
}

/** Groups that nobody else met go with their issues; shared ones take their title from another's entry. */
async function dropEmptyGroups(tx: TransactionSql, groups: readonly number[]): Promise<void> {
  const issues = (
    await tx<{ id: string }[]>`
      select distinct i.id from client_log_groups g join client_log_issues i on i.id = g.issue_id
      where g.id = any(${[...groups]}::int[]) and not i.is_other`
  ).map(({ id }) => id);
  await tx`
    delete from client_log_groups g using client_log_issues i
    where i.id = g.issue_id and not i.is_other and g.id = any(${[...groups]}::int[])
      and not exists (select from client_log_people p where p.group_id = g.id)
      and not exists (select from client_log_entries e where e.group_id = g.id)`;
  await tx`
    update client_log_issues i set title = coalesce((
      select left(e.message, 300) from client_log_groups g join client_log_entries e on e.group_id = g.id
      where g.issue_id = i.id order by e.happened_at limit 1), i.type)
    where i.id = any(${issues}::uuid[])`;
  await tx`delete from client_log_alerts where issue_id = any(${issues}::uuid[])`;
  await tx`
    delete from client_log_issues i
    where i.id = any(${issues}::uuid[]) and not exists (select from client_log_groups g where g.issue_id = i.id)`;
}
