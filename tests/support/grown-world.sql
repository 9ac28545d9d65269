-- A world that has grown: :people people and :days days. One large community in which all of them are and 49 by Zipf's law, in
-- which a third is; one person in ten acts each day, others each second to tenth; every kind of task. Beyond a month people come
-- and go: they join over the whole time, and half of them stay less than three weeks. Some answers wait, some were decided, some
-- are under appeal; a season is over and one runs; browsers, notifications, pictures, logs and records of all sorts.
-- Written straight into the tables, with no triggers but those that count. Tests and `npm run bench -- growth` fill with it.
begin;
set local session_replication_role = replica;
insert into users (telegram_user_id, telegram_username, twitter_username, x_user_id, is_verified, display_name, created_at, membership,
  membership_checked_at, time_zone)
select 10000000 + n, 'person_' || n, case when n % 3 > 0 then 'x_' || n end, case when n % 3 > 0 then 'x' || n end, n % 3 > 0,
  (array['Ana','Ben','Chi','Dov','Eli','Fay','Gus','Hal'])[1 + n % 8] || ' ' || (array['Stone','River','Hill','Marsh','Field'])[1 + (n / 8) % 5] || ' ' || n,
  now() - ((n - 1) % 365) * interval '1 day', 'member', now(), (array['UTC','Europe/Berlin','America/New_York','Asia/Tokyo'])[1 + n % 4]
from generate_series(1, :people) n;
insert into communities (slug, name, slug_look, name_look, created_by, counts_on_instance, embedding, leagues_since)
select 'grown-' || n, 'Grown ' || n, 'grown-' || n, 'grown ' || n, (select id from users where telegram_user_id = 10000001), n < 5, true,
  case when n = 0 then now() - interval '40 days' end
from generate_series(0, 49) n;
-- Eight daily tasks, and one of each kind that is done once, with what is sent for it.
create temp table kinds as
select n as thing, case when n in (3, 7) then 'submit_text' else 'check_in' end as kind, '{}'::jsonb as config, null::jsonb as evidence
from generate_series(0, 7) n
union all select 7 + row_number() over (), kind, config, evidence from (values
  ('visit_link', '{"url":"https://example.org/guide"}'::jsonb, '{"openedAt":"2026-11-01T10:00:00.000Z"}'::jsonb),
  ('quiz', '{"passPercent":100,"questions":[{"id":"q","text":"Where?","options":[{"id":"n","text":"North"},{"id":"s","text":"South"}],"correct":["n"],"explanation":""}]}', '{"startedAt":"2026-11-01T10:00:00.000Z","answers":[{"questionId":"q","optionIds":["n"]}]}'),
  ('submit_url', '{"hosts":["example.org"]}', '{"url":"https://example.org/walk","note":""}'),
  ('submit_image', '{}', jsonb_build_object('imageId', gen_random_uuid(), 'note', '')),
  ('poll', '{"choices":[{"id":"n","text":"North"},{"id":"s","text":"South"}],"multiple":false}', '{"optionIds":["n"]}'),
  ('invite', '{"needed":1}', null),
  ('manual', '{}', null),
  ('telegram_event', jsonb_build_object('place', 'The ford', 'startsAt', '2026-11-01T10:00:00.000Z', 'endsAt', '2026-12-01T10:00:00.000Z'), null),
  ('telegram_join', '{"chat":"group"}', null),
  ('telegram_chat', '{"needed":2,"minLength":10}', null),
  ('telegram_reaction', '{"link":"https://t.me/c/1234567890/42"}', null),
  ('number', '{"unit":"km","min":null,"max":null,"decimals":0,"review":false,"expected":{"value":7,"tolerance":0}}', '{"value":7}'),
  ('date', '{"earliest":null,"latest":null,"review":true}', '{"date":"2026-11-20"}'),
  ('scale', '{"low":"Never","high":"Always"}', '{"value":8}'),
  ('file', '{}', jsonb_build_object('fileId', gen_random_uuid(), 'name', 'Track.txt')),
  ('partner', '{"url":"https://hooks.example.org/","asks":"Order number"}', '{"answer":"4711"}'),
  ('x_follow', '{"handle":"ridge_walk"}', '{"doneAt":"2026-11-01T10:00:00.000Z"}'),
  ('x_like', '{"post":"https://x.com/ridge_walk/status/1234567890","about":"The walk"}', '{"doneAt":"2026-11-01T10:00:00.000Z"}'),
  ('x_repost', '{"post":"https://x.com/ridge_walk/status/1234567890","about":"The walk"}', '{"doneAt":"2026-11-01T10:00:00.000Z"}'),
  ('x_reply', '{"post":"https://x.com/ridge_walk/status/1234567890","about":"The walk"}', '{"url":"https://x.com/walker/status/1234567890"}'),
  ('x_quote', '{"post":"https://x.com/ridge_walk/status/1234567890","about":"The walk"}', '{"url":"https://x.com/walker/status/1234567890"}'),
  ('x_post', '{"text":"We walk","hashtag":"RidgeWalk","about":""}', '{"url":"https://x.com/walker/status/1234567890"}')
) k (kind, config, evidence);
insert into tasks (community_id, kind, title, points, recurrence, config, created_by, created_at)
select c.id, t.kind, 'Task ' || t.thing, case when t.kind like 'x\_%' then 0 else 5 end, case when t.thing < 8 then 'daily' else 'once' end,
  t.config, c.created_by, now() - interval '200 days'
from communities c, kinds t;
commit;

create temp table ones as
select id, row_number() over (order by telegram_user_id) - 1 as one from users where telegram_user_id > 10000000;
create temp table homes as select id, substr(slug, 7)::int as home from communities where slug like 'grown-%';
create temp table things as
select t.id, t.community_id, t.kind, k.thing, k.evidence
from tasks t join kinds k on t.title = 'Task ' || k.thing where t.community_id in (select id from homes);
-- They act from so many days ago to so many: in a month of few days, all.
create temp table belonging as
select o.one, o.id as user_id, h.id as community_id, h.home, joined,
  case when :days <= 31 then :days - 1 else joined end as first_day,
  case when :days <= 31 then 0 else greatest(0, joined - 5 * 2 ^ (o.one / 10 % 7))::int end as last_day
from ones o cross join lateral (select (o.one % greatest(200, :days))::int as joined) j cross join lateral (
  select 0 as home union all select floor(power(50, (o.one * 0.6180339) % 1))::int where o.one % 3 = 0) b
join homes h using (home);
create index on ones (one);
create index on belonging (one);
analyze ones; analyze homes; analyze things; analyze belonging;
-- Indexes are made at the end, which is faster than to keep them.
create temp table dropped as
select indexname, indexdef from pg_indexes
where schemaname = 'public' and tablename in ('claims', 'claim_events', 'point_events') and indexname !~ '_pkey$';
do $$ declare name text; begin
  for name in select indexname from dropped loop execute 'drop index ' || name; end loop;
end $$;

begin;
set local session_replication_role = replica;
insert into community_members (community_id, user_id, joined_at, role, words)
select community_id, user_id, now() - joined * interval '1 day',
  case when home > 0 then 'member' when one < 3 then 'leader' when one < 8 then 'moderator' else 'member' end, u.words
from belonging join users u on u.id = user_id;
update communities c set members = (select count(*) from belonging b where b.community_id = c.id) where slug like 'grown-%';

insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day, submitted_at, decided_at, decided_by,
  reason, appeal_outcome, appeal_text, appeal_at, evidence, answer_hash)
select t.community_id, t.id, b.user_id, case when t.thing < 8 then to_char(d.at, 'YYYY-MM-DD') else 'once' end, s.state,
  case when t.kind like 'x\_%' then 0 else 5 end, d.at, d.at::date, d.at,
  case when s.state <> 'submitted' then d.at + case when k.decided then interval '5 minutes' else interval '0' end end,
  case when k.decided then r.id end, case when s.state = 'rejected' then 'This picture shows another day.' end,
  case when k.appealed then 'open' end, case when k.appealed then 'It was taken on the day.' end,
  case when k.appealed then d.at + interval '1 hour' end,
  case when t.kind = 'submit_text' then jsonb_build_object('text', 'I walked ' || b.one || ' steps on day ' || d.d || ' and it was fine.')
    else t.evidence end || jsonb_build_object('kind', t.kind),
  case when t.kind = 'submit_text' then sha256(convert_to(b.one || '/' || d.d, 'UTF8')) end
from belonging b
cross join lateral (
  select g as d, now() - g * interval '1 day' - ((b.one * 37) % 1400) * interval '1 minute' - b.one * 7919 % 60000 * interval '1 ms' as at
  from generate_series(b.last_day, least(b.first_day, :days - 1)) g
  -- Whose numbers end in 0 act each day, others each second to tenth.
  where (g + b.one / 10) % (1 + b.one % 10) = 0 and (b.home = 0 or g % 4 = 3)
) d
join things t on t.community_id = b.community_id
  and t.thing = case when d.d = b.last_day + b.one % 10 then 8 + (b.one / 10) % 22 else (b.one + d.d) % 8 end
cross join lateral (select (b.one * 31 + d.d * 7) % 400 as dice) x
cross join lateral (select t.kind = 'submit_text' and x.dice % 10 = 5 and d.d < 50 as waits, t.kind = 'submit_text' and x.dice % 10 = 1 as decided,
  t.kind = 'submit_text' and x.dice in (11, 211) as appealed) k
cross join lateral (select case when k.waits then 'submitted' when k.appealed or k.decided and x.dice % 80 = 51 then 'rejected'
  else 'approved' end as state) s
join ones r on r.one = x.dice % 8
order by d.at;
insert into claim_events (community_id, claim_id, kind, at, actor_id, from_state, to_state, reason)
select c.community_id, c.id, e.kind, e.at, e.actor, e.before, e.after, e.reason
from claims c cross join lateral (
  select case when state = 'submitted' or decided_by is not null then 'submitted' else 'checked' end, submitted_at, user_id, null,
    case when decided_by is null then state else 'submitted' end, null
  union all select case state when 'approved' then 'approved' else 'rejected' end, decided_at, decided_by, 'submitted', state, reason
    where decided_by is not null
  union all select 'appealed', appeal_at, user_id, 'rejected', 'rejected', appeal_text where appeal_outcome = 'open'
) e (kind, at, actor, before, after, reason)
order by e.at;
insert into point_events (community_id, user_id, kind, points, task_id, claim_id, period, instance, at)
select c.community_id, c.user_id, 'award', c.points, c.task_id, c.id, c.period, m.counts_on_instance, c.decided_at
from claims c join communities m on m.id = c.community_id where c.state = 'approved' order by c.decided_at;
-- Of some pictures.
insert into images (id, community_id, user_id, type, width, height, sha256, bytes, claim_id, created_at)
select gen_random_uuid(), community_id, user_id, 'image/webp', 800, 600, sha256(b.bytes), b.bytes, id, submitted_at
from (select *, row_number() over (order by submitted_at) as nth from claims where evidence->>'kind' = 'submit_image') c
cross join lateral (select string_agg(sha256((nth * 1000 + n)::text::bytea), '') as bytes from generate_series(1, 1000) n) b
where nth % 4 = 0;
commit;
do $$ declare definition text; begin
  for definition in select indexdef from dropped loop execute definition; end loop;
end $$;

-- What the ledger comes to, with the triggers that count.
insert into scores (community_id, user_id, competes, points, reached_at, day, day_points, week, week_points, month, month_points)
with lines as (
  select community_id, user_id, points, at from point_events
  union all select '00000000-0000-0000-0000-000000000000', user_id, points, at from point_events where instance
), dated as (
  select *, (at at time zone 'UTC')::date as day, date_trunc('week', at at time zone 'UTC')::date as week,
    date_trunc('month', at at time zone 'UTC')::date as month
  from lines
), latest as (
  select *, max(day) over m as last_day, max(week) over m as last_week, max(month) over m as last_month
  from dated window m as (partition by community_id, user_id)
)
select l.community_id, l.user_id, coalesce(m.role, 'member') <> 'leader', sum(points), max(at), max(day),
  sum(points) filter (where day = last_day), max(week), sum(points) filter (where week = last_week), max(month),
  sum(points) filter (where month = last_month)
from latest l left join community_members m using (community_id, user_id) group by l.community_id, l.user_id, m.role;

begin;
set local session_replication_role = replica;
insert into point_days (community_id, day, points)
select community_id, (at at time zone 'UTC')::date, sum(points) from point_events group by 1, 2;
-- A season that is over, one that runs, and their rewards.
insert into seasons (community_id, name, ends_at, started_at, frozen_at, created_by)
select c.id, 'Season ' || n, now() + (n * 30 - 20) * interval '1 day', now() - interval '50 days', case when n = 0 then now() - interval '18 days' end,
  c.created_by
from communities c, generate_series(0, 1) n where c.slug like 'grown-%';
insert into season_results (community_id, season_id, user_id, rank, points, reached_at)
select s.community_id, s.id, p.user_id, rank() over (partition by s.id order by p.points desc), p.points, p.reached_at
from seasons s join scores p using (community_id) where s.frozen_at is not null;
insert into rewards (season_id, community_id, name, rule, seed)
select id, community_id, 'A mug', '{"type":"all","minPoints":1}', sha256(id::text::bytea) from seasons;
insert into reward_winners (community_id, reward_id, place, user_id, points)
select r.community_id, r.id, p.rank, p.user_id, p.points
from rewards r join lateral (
  select user_id, points, row_number() over (order by points desc) as rank from season_results where season_id = r.season_id
  order by points desc limit 5) p on true;
-- A third has a session, and of those each third a browser that notifications go to.
insert into sessions (token_hash, user_id, kind, user_agent, expires_at, last_seen_at)
select sha256(convert_to(rpad('grown-' || one || '-', 43, 'x'), 'UTF8')), id, 'web', 'grown', now() + interval '30 days', now()
from ones where one % 3 = 0 or one < 10;
insert into vapid_keys (public_key, private_key) select 'grown', 'grown' where not exists (select from vapid_keys where retired_at is null);
insert into push_subscriptions (user_id, session_id, endpoint, origin, p256dh, auth, vapid_key, last_ok_at)
select s.user_id, s.id, 'https://push.example.org/' || s.id, 'https://push.example.org', 'key', 'auth',
  (select public_key from vapid_keys where retired_at is null limit 1), now()
from sessions s join ones o on o.id = s.user_id where o.one % 9 = 0;
insert into notifications (topic, community_id, user_id, path, title, body, created_at, send_at, state, members, queued, sent)
select 'review', b.community_id, b.user_id, '/', 'Your answer was reviewed', 'Task 3', t.at, t.at, 'done', 1, 1, 1
from belonging b cross join lateral (select now() - (b.one % 30) * interval '1 day' as at) t where b.one % 9 = 0;
insert into notifications (topic, community_id, path, title, body, campaign, created_by, created_at, send_at, state, members, queued, sent)
select 'announcement', c.id, '/', 'News ' || n, 'We meet at ten.', true, c.created_by, t.at, t.at, 'done', c.members, c.members, c.members
from communities c, generate_series(1, 20) n, lateral (select now() - n * interval '1 day' as at) t where c.slug like 'grown-%';
insert into notification_events (notification_id, user_id, event, at)
select id, user_id, 'shown', send_at from notifications where user_id is not null;
insert into notification_days (user_id, day, count, most)
select id, current_date - n, 1, 5 from ones, generate_series(0, 3) n where one % 9 = 0;
insert into announcements (community_id, title, body, created_by, created_at)
select c.id, 'News ' || n, 'We meet at ten.', c.created_by, now() - n * interval '1 day'
from communities c, generate_series(1, 20) n where c.slug like 'grown-%';
insert into badges (user_id, community_id, code, earned_at)
select b.user_id, b.community_id, 'first_step', now() - (b.one % 60) * interval '1 day' from belonging b;
insert into former_names (user_id, kind, name, until)
select id, 'telegram', 'was_' || one, now() - interval '90 days' from ones where one % 20 = 0;
insert into consents (user_id, document, version, agreed_at)
select id, d, '1.0', now() from ones, unnest(array['terms', 'privacy']) d;
insert into invites (code, community_id, user_id)
select substr(md5(user_id || home::text), 1, 12), community_id, user_id from belonging where one % 5 = 0;
insert into referrals (community_id, invitee_id, inviter_id)
select b.community_id, b.user_id, o.id from belonging b join ones o on o.one = b.one % 100 where b.one % 10 = 1 and b.one > 100;
insert into audit_entries (community_id, at, action, actor_id, subject, subject_id)
select c.community_id, c.decided_at, 'claim.' || c.state, c.decided_by, 'Task', c.id from claims c where c.decided_by is not null;
insert into audit_entries (at, action, actor_id, subject, subject_id)
select now() - one * interval '1 minute', 'person.verified', (select id from ones where one = 9), 'person_' || one, id from ones where one % 10 = 0;
insert into leader_applications (user_id, state, about, plan)
select id, case when one % 500 = 0 then 'submitted' else 'rejected' end, 'About me', 'My plan' from ones where one % 50 = 0;
-- Logs: two entries a person in two weeks, of two hundred issues.
insert into client_log_releases (name, first_run_at) values ('grown', now() - interval '14 days') on conflict do nothing;
insert into client_log_issues (title, type, culprit, first_at, last_at, first_release, last_release)
select 'It broke ' || n, 'TypeError', 'app/page.ts', now() - interval '14 days', now(), 'grown', 'grown' from generate_series(1, 200) n;
insert into client_log_groups (fingerprint, version, issue_id, why, count, people, first_at, last_at)
select sha256(id::text::bytea), 1, id, '{"type":"TypeError","message":"It broke","frames":[]}', :people / 100, :people / 100, first_at, last_at from client_log_issues;
select client_log_partition(current_date - n) from generate_series(0, 14) n;
create temp table log_groups as select id, row_number() over (order by id) - 1 as nth from client_log_groups;
insert into client_log_entries (id, received_at, happened_at, kind, group_id, message, route, release, user_id, person, device, engine, browser,
  os, display, data)
select gen_random_uuid(), t.at, t.at, 'error', g.id, 'It broke ' || g.nth, '/community', 'grown', o.id, o.id::text, 'device-' || o.one,
  'blink', 'Chrome', 'Android', 'standalone', '{"message":"It broke"}'
from ones o cross join generate_series(0, 1) n join log_groups g on g.nth = (o.one * 7 + n) % 200
cross join lateral (select now() - ((o.one + n * 3) % 14) * interval '1 day' as at) t;
insert into client_log_ids (id, received_at) select id, received_at from client_log_entries order by received_at;
insert into client_log_hours (hour, group_id, count)
select date_trunc('hour', received_at), group_id, count(*) from client_log_entries group by 1, 2;
insert into client_log_days (day, group_id, count) select (hour at time zone 'UTC')::date, group_id, sum(count) from client_log_hours group by 1, 2;
insert into client_log_people (group_id, person) select distinct group_id, person from client_log_entries;
insert into client_log_series (hour, dimension, value, errors, debugs)
select hour, 'release', 'grown', sum(count), 0 from client_log_hours group by 1;
insert into client_log_devices (day, person, release, engine, browser, os, display, offline)
select current_date - n, id::text, 'grown', 'blink', 'Chrome', 'Android', 'standalone', false from ones, generate_series(0, 6) n where one % 3 = 0;
insert into client_log_messages (day, key, message) select distinct received_at::date, message_key, message from client_log_entries;
commit;
