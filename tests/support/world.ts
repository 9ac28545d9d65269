import type { Sql } from 'postgres';
import type { ApiScope } from '../../server/contract/route.ts';
import { keyHash, newKey } from '../../server/http/api-key.ts';
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
    insert into communities (slug, name, visibility, status, counts_on_instance, created_by)
    values (${slug}, ${`World ${slugs}`}, ${options.visibility ?? 'public'}, ${options.status ?? 'active'}, true, ${founderId})
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

/** A key of a member for a community's API, as it goes into `Authorization: Bearer`. */
export async function apiKey(sql: Sql, communityId: string, userId: string, scopes: readonly ApiScope[]) {
  const key = newKey();
  await sql`
    insert into api_keys (community_id, user_id, name, scopes, prefix, hash)
    values (${communityId}, ${userId}, 'Key', ${[...scopes]}, ${key.slice(0, 8)}, ${keyHash(key)})`;
  return key;
}

const QUESTIONS = [
  { id: 'q', kind: 'number', text: 'How high?', explanation: '', correct: { value: '1', tolerance: '0' } },
];

/** Things of a community for every id that a path may name. */
export async function furnish(server: TestServer, place: TestCommunity): Promise<Record<string, string>> {
  const { sql } = server;
  const { userId } = await memberOf(server, place.id, 'member');
  const [ids] = await sql<Record<string, string>[]>`
    with announcement as (
      insert into announcements (community_id, title, body, created_by) values (${place.id}, 'T', 'B', ${userId})
      returning id
    ), webhook as (
      insert into webhooks (community_id, url, events, secret, created_by)
      values (${place.id}, 'https://hooks.example.org/', '{member.left}', 'secret', ${userId}) returning id
    ), delivery as (
      insert into webhook_deliveries (webhook_id, event, body) select id, 'member.left', '{}' from webhook returning id
    ), season as (
      insert into seasons (community_id, name, ends_at, created_by)
      values (${place.id}, 'Season', now() + interval '1 day', ${userId}) returning id
    ), reward as (
      insert into rewards (season_id, community_id, name, rule, seed)
      select id, ${place.id}, 'Mug', '{"type":"all","minPoints":1}', 'seed' from season returning id
    ), image as (
      insert into images (id, community_id, user_id, type, width, height, sha256, bytes)
      values (gen_random_uuid(), ${place.id}, ${userId}, 'image/webp', 1, 1, 'x', 'x') returning id
    ), file as (
      insert into images (id, community_id, user_id, type, sha256, bytes)
      values (gen_random_uuid(), ${place.id}, ${userId}, 'text/plain', 'x', 'x') returning id
    ), campaign as (
      insert into notifications (topic, community_id, path, title, body, campaign, created_by, created_at, send_at)
      values ('announcement', ${place.id}, '/', 'T', 'B', true, ${userId}, now(), now() + interval '1 day') returning id
    ), moved as (
      insert into imports (community_id, kind, source, file_name, count, created_by, created_at, undo_until)
      values (${place.id}, 'people', 'other', 'a.csv', 1, ${userId}, now(), now() + interval '1 day') returning id
    ), chat as (
      insert into community_chats (community_id, sort, chat_id, title, checked_at, connected_at)
      values (${place.id}, 'group', ${-1_000_000_000_000 - Number(place.slug.replace('world-', ''))}, 'Chat', now(), now())
      returning id
    ), pack as (
      insert into quiz_packs (community_id, title, language, questions, created_by)
      values (${place.id}, 'Pack', 'en', ${sql.json(QUESTIONS)}, ${userId}) returning id
    )
    select announcement.id as "announcementId", webhook.id as "webhookId", delivery.id as "deliveryId",
      season.id as "seasonId", reward.id as "rewardId", image.id as "imageId", file.id as "fileId", campaign.id as "campaignId",
      pack.id as "packId", moved.id as "importId", chat.id as "connectionId"
    from announcement, webhook, delivery, season, reward, image, file, campaign, pack, moved, chat`;
  const requestId = crypto.randomUUID();
  await sql`
    insert into partnership_requests (id, name, organisation, contact, kind, message, created_at, changed_at)
    values (${requestId}, 'Ada', '', 'ada@fernmap.example', 'other', 'A message of some length.', now(), now())`;
  await apiKey(sql, place.id, userId, ['read:board']);
  const [key] = await sql<[{ id: string }]>`select id from api_keys where community_id = ${place.id}`;
  return { ...ids, userId, requestId, placeId: place.id, keyId: key.id, taskId: place.taskId, claimId: place.claimId };
}

/**
 * How often rows of each table were changed since this was first asked of a database: equal before and after where nothing was.
 * Times of the last call and counts of calls are left out, and what the server makes of log entries in its own time: that an
 * entry was taken shows in `client_log_ids`.
 */
export async function changes(sql: Sql): Promise<Record<string, number>> {
  const ready = noting.get(sql) ?? noteChanges(sql);
  noting.set(sql, ready);
  await ready;
  const rows = await sql<{ name: string; count: number }[]>`
    select name, count(*)::int as count from noted.changes group by name`;
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** Each row that is changed notes it in its own transaction, so what was undone is not there. To read all rows would cost more. */
const noting = new WeakMap<Sql, Promise<unknown>>();
const noteChanges = (sql: Sql) =>
  sql.unsafe(`
    create schema noted;
    create unlogged table noted.changes (name text not null);
    create function noted.note() returns trigger language plpgsql as $$ begin
      if tg_op <> 'UPDATE'
        or to_jsonb(old) - '{last_seen_at,last_used_at}'::text[] <> to_jsonb(new) - '{last_seen_at,last_used_at}'::text[]
      then insert into noted.changes values (tg_table_name); end if;
      return null;
    end $$;
    do $$ declare named text; begin
      for named in
        select table_name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('rate_limits', 'schema_migrations')
          and (table_name not like 'client_log_%'
            or table_name in ('client_log_ids', 'client_log_drops', 'client_log_rules', 'client_log_alerts'))
      loop
        execute format('create trigger noted after insert or update or delete on %I for each row execute function noted.note()', named);
        execute format('create trigger noted_all after truncate on %I execute function noted.note()', named);
      end loop;
    end $$`);
