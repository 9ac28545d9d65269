-- The ledger: every point that was ever given or taken back, append-only. Boards are made from it (0006_boards.sql).

create table point_events (
  id bigint generated always as identity,
  -- Member and community are held by triggers below, not by foreign keys.
  community_id uuid not null,
  user_id uuid not null,
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

-- An entry belongs to a member and a community that exist, and stay. Foreign keys would look up and lock both for each entry
-- (a tenth of an award's time, and a write to every member's row). Here they are looked up once a statement, and whoever
-- deletes one takes the instance's advisory lock, as whoever writes entries does (server/features/ledger/turn.ts).

create function ledger_has_owners() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('00000000-0000-0000-0000-000000000000', 4));
  -- Whoever has points in `scores` exists (a foreign key says so), and that row was just written: it is looked for first.
  if exists (
      select from new_lines l
      where coalesce(
        (select s.user_id from scores s where s.user_id = l.user_id and s.community_id = l.community_id),
        (select u.id from users u where u.id = l.user_id)) is null)
    or exists (
      select from (select community_id from new_lines group by community_id) l
      where (select c.id from communities c where c.id = l.community_id) is null)
  then
    raise exception 'a line of the ledger names a member or a community that is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger point_events_owners after insert on point_events
  referencing new table as new_lines for each statement execute function ledger_has_owners();

create function ledger_keeps_owners() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('00000000-0000-0000-0000-000000000000', 4));
  if tg_table_name = 'users' and exists (select from point_events where user_id = old.id)
    or tg_table_name = 'communities' and exists (select from point_events where community_id = old.id)
  then
    raise exception 'the ledger has lines of this row of %', tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger users_ledger after delete on users for each row execute function ledger_keeps_owners();
create trigger users_ledger_id after update of id on users
  for each row when (old.id <> new.id) execute function ledger_keeps_owners();
create trigger communities_ledger after delete on communities for each row execute function ledger_keeps_owners();
create trigger communities_ledger_id after update of id on communities
  for each row when (old.id <> new.id) execute function ledger_keeps_owners();
