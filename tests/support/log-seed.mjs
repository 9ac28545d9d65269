// @ts-check
/**
 * Entries as months of a busy instance would leave them: groups of very different loudness, three releases, four
 * engines' worth of devices, a tenth of it offline. Written by the database itself, rollups included.
 * @param {import('postgres').Sql} sql
 * @param {{ entries: number, groups: number, days: number, now: Date }} size
 */
export async function seedLogs(sql, { entries, groups, days, now }) {
  const day = (/** @type {number} */ ago) => new Date(now.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
  for (let ago = -1; ago <= days; ago += 1) await sql`select client_log_partition(${day(ago)}::date)`;
  await sql`insert into client_log_releases (name, first_run_at) values ('r1', now()), ('r2', now()), ('r3', now()) on conflict do nothing`;
  await sql`insert into client_log_issues (title, type, culprit, state, first_at, last_at)
    select 'TypeError: kind ' || n || ' of trouble with ' || md5(n::text), 'TypeError', 'app/features/part-' || n % 40 || '.tsx in act',
      case when n % 20 = 0 then 'resolved' when n % 30 = 0 then 'ignored' else 'open' end, ${now}, ${now}
    from generate_series(1, ${groups}) n`;
  await sql`insert into client_log_groups (fingerprint, version, issue_id, why, first_at, last_at)
    select decode(md5(id::text), 'hex'), 1, id, '{"type":"TypeError","message":"x","frames":[]}', ${now}, ${now} from client_log_issues`;
  const [{ first } = { first: 0 }] = await sql`select min(id) as first from client_log_groups`;
  const CHUNK = 50_000;
  for (let from = 0; from < entries; from += CHUNK)
    await sql`
      with line as (
        select n, ${first} + floor(${groups} * power(random(), 3))::int as g, floor(random() * 20000)::int as p, random() as r, random() as s,
          ${now}::timestamptz - random() * ${days} * interval '1 day' as at,
          case when random() < 0.1 then random() * interval '12 hours' else random() * interval '20 seconds' end as late
        from generate_series(1, ${Math.min(CHUNK, entries - from)}) n
      ), entry as materialized (select gen_random_uuid() as id, *, least(at + late, ${now}::timestamptz) as got from line),
      ids as (insert into client_log_ids select id, got from entry)
      insert into client_log_entries (id, received_at, happened_at, kind, group_id, message, source, route, community, url, release, user_id, person,
        device, sequence, repeats, offline_ms, engine, browser, os, display, connection, address, user_agent, data)
      select id, got, at, case when s < 0.7 then 'error' else 'debug' end, case when s < 0.7 then g end,
        case when s < 0.7 then 'TypeError: kind ' || g || ' of trouble with ' || md5(g::text) else 'tapped button ' || g % 50 end,
        (array['window.error', 'query', 'boundary'])[1 + n % 3], (array['/leaderboard', '/profile', '/communities'])[1 + n % 3],
        'community-' || p % 40, null, (array['r1', 'r2', 'r2', 'r3', 'r3', 'r3'])[1 + floor(r * 6)::int],
        md5(p::text)::uuid, md5(p::text)::uuid::text, 'device-' || p, n, 1, case when late > interval '1 minute' then 60000 end,
        (array['chromium', 'chromium', 'webkit', 'firefox'])[1 + p % 4], (array['Chrome 141', 'Chrome 140', 'Safari 18', 'Firefox 144'])[1 + p % 4],
        (array['Android', 'Android', 'iOS', 'Linux'])[1 + p % 4], (array['standalone', 'browser'])[1 + p % 2], (array['4g', '4g', '3g', 'wifi'])[1 + p % 4],
        '203.0.113.0/24', 'Mozilla/5.0 of a phone',
        jsonb_build_object('message', 'TypeError: kind ' || g, 'stack', repeat('    at act (https://muster.example/assets/app-a1b2c3d4.js:1:' || g || ')' || chr(10), 6))
      from entry`;
  await sql`insert into client_log_messages select distinct (received_at at time zone 'UTC')::date, message_key, message from client_log_entries`;
  await sql`insert into client_log_hours select date_trunc('hour', happened_at), group_id, sum(repeats) from client_log_entries where group_id is not null group by 1, 2`;
  await sql`insert into client_log_days select (happened_at at time zone 'UTC')::date, group_id, sum(repeats) from client_log_entries where group_id is not null group by 1, 2`;
  await sql`insert into client_log_people select distinct group_id, person from client_log_entries where group_id is not null`;
  const facet = (/** @type {string} */ column) => sql`
    insert into client_log_facets select group_id, ${column}, ${sql(column)}, sum(repeats), min(happened_at), max(happened_at)
    from client_log_entries where group_id is not null group by 1, 3`;
  const series = (/** @type {string} */ dimension, /** @type {any} */ column) => sql`
    insert into client_log_series select date_trunc('hour', happened_at), ${dimension}, ${column}, sum((kind = 'error')::int), sum((kind = 'debug')::int)
    from client_log_entries group by 1, 3`;
  await series('all', sql`''`);
  for (const column of [
    'release',
    'engine',
    'browser',
    'os',
    'display',
    'connection',
    'community',
    'route',
    'source',
  ]) {
    await facet(column);
    await series(column, sql`${sql(column)}`);
  }
  await sql`insert into client_log_facets select group_id, 'offline', case when offline_ms is null then 'no' else 'yes' end, sum(repeats), min(happened_at), max(happened_at)
    from client_log_entries where group_id is not null group by 1, 3`;
  await sql`insert into client_log_devices select distinct on (1, 2) (happened_at at time zone 'UTC')::date, person, release, engine, browser, os, display,
      'granted', 'durable', offline_ms is not null from client_log_entries`;
  await sql`update client_log_groups g set count = t.n, first_at = t.first, last_at = t.last, people = t.people
    from (select group_id, count(*) as n, min(happened_at) as first, max(happened_at) as last, count(distinct person) as people
      from client_log_entries where group_id is not null group by 1) t where t.group_id = g.id`;
  await sql`update client_log_issues i set first_at = g.first_at, last_at = g.last_at from client_log_groups g where g.issue_id = i.id`;
  // What autovacuum does by itself within a minute or so.
  await sql`vacuum analyze`;
}
