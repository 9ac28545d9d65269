-- What the jobs would keep of a world that has grown, had they run beside it: two million events one after another take them half
-- an hour. Of `grown-world.sql`, in which nothing comes late and nothing counted is taken back. Runs of days are made by the product.
begin;
set local session_replication_role = replica;
insert into claim_days (community_id, task_id, day, made, late, again, approved, refused)
select e.community_id, c.task_id, (e.at at time zone 'UTC')::date, count(*) filter (where e.kind in ('submitted', 'checked')), 0, 0,
  count(*) filter (where e.to_state = 'approved' and e.kind in ('approved', 'checked')), count(*) filter (where e.kind = 'rejected')
from claim_events e join claims c on c.id = e.claim_id group by 1, 2, 3;
insert into wait_days (community_id, what, day, minutes, count)
select community_id, 'decision', (decided_at at time zone 'UTC')::date, floor(extract(epoch from decided_at - submitted_at) / 60), count(*)
from claims where decided_by is not null group by 1, 3, 4;
insert into state_counts (community_id, task_id, waiting, sent_back, approved, rejected)
select community_id, task_id, count(*) filter (where state = 'submitted'), 0, count(*) filter (where state = 'approved'),
  count(*) filter (where state = 'rejected' and decided_by is not null)
from claims group by 1, 2;
create temp table acted as
select community_id as place, user_id, (submitted_at at time zone 'UTC')::date as day from claims group by 1, 2, 3;
insert into acted select '00000000-0000-0000-0000-000000000000', user_id, day from acted group by 2, 3;
insert into active_months (community_id, user_id, month, days)
select place, user_id, date_trunc('month', day)::date, bit_or(1 << extract(day from day)::int - 1) from acted group by 1, 2, 3;
-- Each day of a person begins stretches that no earlier day of theirs is in: one more counts from the first of these to the day.
insert into active_counts (community_id, span, starts, people)
with reach as (
  select place, span, day, greatest(day - length + 1, lag(day) over (partition by place, user_id, span order by day) + 1) as first
  from acted cross join (values ('day', 1), ('week', 7), ('28 days', 28), ('30 days', 30)) as spans (span, length)
), steps as (
  select place, span, at, sum(step) as step
  from reach cross join lateral (values (first, 1), (day + 1, -1)) as ends (at, step) group by 1, 2, 3
), sums as (
  select place, span, at, sum(step) over s as people, lead(at, 1, at) over s as until
  from steps window s as (partition by place, span order by at)
)
select place, span, starts::date, people
from sums cross join lateral generate_series(at::timestamp, until - interval '1 day', '1 day') starts where people > 0
union all
select place, 'month', date_trunc('month', day)::date, count(distinct user_id) from acted group by 1, 3;
insert into counted_days (day, counted_at)
select day, now() - (row_number() over (order by day) % 168) * interval '1 hour' from (select distinct day from claim_days where day < current_date) d;
insert into score_checks (user_id, community_id, points) select user_id, community_id, points from scores
where community_id <> '00000000-0000-0000-0000-000000000000';
insert into ledger_marks (community_id, event_id) select community_id, max(id) from point_events group by 1;
commit;
