import type { TransactionSql } from 'postgres';

/**
 * Groups that may be evicted: open ones whose entries all came from one stranger's network, those with one entry first,
 * then the longest unseen. `besides`: groups of the current batch.
 */
export async function findEvictable(
  sql: TransactionSql,
  besides: readonly { id: number }[],
  most: number,
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select g.id from client_log_groups g join client_log_issues i on i.id = g.issue_id
    where g.stranger is not null and g.id <> all(${besides.map(({ id }) => id)}::int[]) and i.state = 'open' and not i.is_other
    order by g.first_at < g.last_at, g.last_at limit ${most}`;
  return rows.map(({ id }) => id);
}

/** Makes groups part of another one, with everything that was counted for them, and deletes their issues. */
export async function moveGroups(sql: TransactionSql, ids: readonly number[], into: number): Promise<void> {
  if (ids.length === 0) return;
  await sql`update client_log_entries set group_id = ${into} where group_id = any(${ids}::int[])`;
  await sql`insert into client_log_hours as kept (hour, group_id, count)
    select hour, ${into}::int, least(2147483647, sum(count)) from client_log_hours where group_id = any(${ids}::int[]) group by hour
    on conflict (hour, group_id) do update set count = least(2147483647, kept.count::bigint + excluded.count)`;
  await sql`insert into client_log_days as kept (day, group_id, count)
    select day, ${into}::int, least(2147483647, sum(count)) from client_log_days where group_id = any(${ids}::int[]) group by day
    on conflict (day, group_id) do update set count = least(2147483647, kept.count::bigint + excluded.count)`;
  await sql`insert into client_log_facets as kept (group_id, dimension, value, count, first_at, last_at)
    select ${into}::int, dimension, value, sum(count), min(first_at), max(last_at) from client_log_facets
    where group_id = any(${ids}::int[]) group by dimension, value
    on conflict (group_id, dimension, value) do update set count = kept.count + excluded.count,
      first_at = least(kept.first_at, excluded.first_at), last_at = greatest(kept.last_at, excluded.last_at)`;
  await sql`
    with people as (
      insert into client_log_people (group_id, person)
      select distinct ${into}::int, person from client_log_people where group_id = any(${ids}::int[])
      on conflict do nothing returning person
    )
    update client_log_groups kept set people = kept.people + (select count(*) from people), count = kept.count + gone.count,
      first_at = least(kept.first_at, gone.first_at), last_at = greatest(kept.last_at, gone.last_at)
    from (select sum(count) as count, min(first_at) as first_at, max(last_at) as last_at from client_log_groups
      where id = any(${ids}::int[])) gone
    where kept.id = ${into}`;
  const issues = await sql<{ issueId: string }[]>`
    delete from client_log_groups where id = any(${ids}::int[]) returning issue_id as "issueId"`;
  await sql`delete from client_log_issues i where id = any(${issues.map(({ issueId }) => issueId)}::uuid[])
    and not exists (select from client_log_groups g where g.issue_id = i.id)`;
}
