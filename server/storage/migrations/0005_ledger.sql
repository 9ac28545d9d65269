-- The ledger: every point that was ever given or taken back, append-only. Boards are made from it (0006_boards.sql).

create table point_events (
  id bigint generated always as identity,
  community_id uuid not null references communities,
  user_id uuid not null references users,
  kind text not null check (kind in ('award', 'adjust', 'reverse')),
  points integer not null,
  task_id uuid references tasks,
  claim_id uuid references claims,
  period text,
  -- The season it counted in.
  season_id uuid references seasons on delete restrict,
  -- Whether it counts on the instance's boards too: written as the community was then.
  instance boolean not null default true,
  reason text,
  actor_id uuid references users,
  at timestamptz not null default now(),
  primary key (community_id, id)
);
-- One award for each community, member, task and period, and one reversal of a claim: no repeated command counts twice.
create unique index point_events_award on point_events (community_id, user_id, task_id, period) where kind = 'award';
create unique index point_events_reverse on point_events (community_id, claim_id) where kind = 'reverse';
create index point_events_claim on point_events (claim_id) where claim_id is not null;
-- A member's ledger has the order of its entries.
create index point_events_member on point_events (user_id, id desc);
create index point_events_community on point_events (community_id, at desc, id desc);
-- A draw by who came first reads a season's entries in order.
create index point_events_season on point_events (season_id, user_id, id) include (points, at) where season_id is not null;

create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'point_events is append-only';
end $$;
create trigger point_events_append_only before update or delete on point_events
  for each row execute function ledger_is_append_only();

-- What happened to each claim, in the order of `event_id` and `nth`: what people did, what the server checked, and what the
-- ledger has of it. Receipt, card, review, export and API read this and nothing else.
create view claim_steps as
  select e.community_id, e.claim_id, e.id as event_id, 1 as nth,
    case when e.kind <> 'checked' then e.kind when e.from_state is null then 'submitted' else 'resubmitted' end as kind,
    e.at, e.actor_id, e.version, e.from_state,
    case e.kind when 'checked' then 'submitted' else e.to_state end as to_state,
    case e.kind when 'checked' then null else e.reason end as reason, e.evidence, back.points
  from claim_events e
  left join point_events back on e.kind = 'reversed' and back.claim_id = e.claim_id and back.kind = 'reverse'
  union all
  select community_id, claim_id, id, 2, 'checked', at, null, version, 'submitted', to_state, reason, null, null
  from claim_events where kind = 'checked'
  union all
  select e.community_id, e.claim_id, e.id, 3, 'counted', p.at, null, e.version, 'approved', 'approved', null, null, p.points
  from claim_events e join point_events p on p.claim_id = e.claim_id and p.kind = 'award'
  where e.to_state = 'approved';

-- Lines of the ledger that do not count on the instance's boards yet.
create table instance_queue (
  community_id uuid not null,
  event_id bigint not null,
  primary key (event_id, community_id)
);
