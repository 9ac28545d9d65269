import type { Sql } from 'postgres';
import type { NewPerson, TestServer } from './server.ts';

export type Role = 'member' | 'moderator' | 'leader';
export type TestCommunity = { id: string; slug: string; taskId: string; claimId: string };

let slugs = 0;

/** A community with one task and one claim that waits for review. */
export async function community(
  server: TestServer,
  founderId: string,
  options: { visibility?: 'public' | 'private'; status?: 'active' | 'suspended' } = {},
): Promise<TestCommunity> {
  const { sql } = server;
  slugs += 1;
  const slug = `world-${slugs}`;
  const [{ id }] = await sql<[{ id: string }]>`
    insert into communities (slug, name, visibility, status, created_by)
    values (${slug}, ${`World ${slugs}`}, ${options.visibility ?? 'public'}, ${options.status ?? 'active'}, ${founderId})
    returning id`;
  const [{ id: taskId }] = await sql<[{ id: string }]>`
    insert into tasks (community_id, kind, title, points, recurrence, created_by)
    values (${id}, 'check_in', 'Check in', 5, 'daily', ${founderId}) returning id`;
  const [{ id: writing }] = await sql<[{ id: string }]>`
    insert into tasks (community_id, kind, title, points, recurrence, created_by)
    values (${id}, 'submit_text', 'Write', 20, 'once', ${founderId}) returning id`;
  const author = await server.person();
  await join(sql, id, author.userId, 'member');
  const [{ id: claimId }] = await sql<[{ id: string }]>`
    insert into claims (community_id, task_id, user_id, period, state, points, evidence, acted_at, local_day)
    values (${id}, ${writing}, ${author.userId}, 'once', 'submitted', 20, '{"kind":"submit_text","text":"my words"}', now(), current_date) returning id`;
  return { id, slug, taskId, claimId };
}

export const join = (sql: Sql, communityId: string, userId: string, role: Role) =>
  sql`insert into community_members (community_id, user_id, role) values (${communityId}, ${userId}, ${role})`;

/** A person with a role in a community. */
export async function memberOf(server: TestServer, communityId: string, role: Role, person: NewPerson = {}) {
  const made = await server.person(person);
  await join(server.sql, communityId, made.userId, role);
  return made;
}

/**
 * Everything the database holds, as one digest a table; counts of calls and the time of the last one are left out, and
 * what the server sorts log entries into in its own time: that an entry was taken shows in `client_log_ids`.
 */
export async function contents(sql: Sql): Promise<Record<string, string>> {
  const question = questions.get(sql) ?? (await questionOfAll(sql));
  questions.set(sql, question);
  const rows = await sql.unsafe<{ name: string; digest: string }[]>(question, [], { prepare: true });
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** One question for all tables, made and planned once: it is asked twice in most tests of what changes nothing. */
const questions = new WeakMap<Sql, string>();
async function questionOfAll(sql: Sql): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('rate_limits', 'schema_migrations')
      and (table_name not like 'client_log_%' or table_name in ('client_log_ids', 'client_log_drops', 'client_log_rules', 'client_log_alerts'))
    order by 1`;
  const each = tables.map(
    ({ name }) => `
      select '${name}' as name, coalesce(md5(string_agg(line, '|' order by line)), '') as digest
      from (select (to_jsonb(t) - '{last_seen_at,last_used_at}'::text[])::text as line from "${name}" t) lines`,
  );
  return each.join(' union all ');
}
