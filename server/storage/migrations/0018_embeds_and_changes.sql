-- Embeds on other sites, which a leader switches on, and changes that open screens hear of at once.

-- Whether other sites may show the community's card and board, and read them as JSON. Only of a public community.
alter table communities add column embedding boolean not null default false;

-- What may look different now on a screen that is open: a line for each transaction, community and topic. A job takes the lines
-- out, twice a second, and tells every process: a notice of its own would make all commits wait for each other.
create table change_queue (
  -- Null: of the instance.
  community_id uuid,
  topic text not null check (topic in ('board', 'review', 'dashboard', 'desk'))
);
-- The same with numbers that grow as they were told, for some minutes: who follows a stream asks for what came after the last one
-- that they have heard of.
create table changes (
  id bigint generated always as identity primary key,
  community_id uuid,
  topic text not null,
  at timestamptz not null
);

create function note_change(place uuid, what text) returns void language plpgsql as $$
declare
  key text := coalesce(place::text, '') || what || ';';
  known text := coalesce(current_setting('muster.changed', true), '');
begin
  -- Set until the transaction ends.
  if position(key in known) > 0 then return; end if;
  perform set_config('muster.changed', known || key, true);
  insert into change_queue (community_id, topic) values (place, what);
end $$;

-- Points, and whether somebody competes: boards, and what a member's own screens say of them.
create function scores_changed() returns trigger language plpgsql as $$
declare
  one uuid;
begin
  for one in select distinct community_id from changed_rows loop
    perform note_change(nullif(one, '00000000-0000-0000-0000-000000000000'::uuid), 'board');
  end loop;
  return null;
end $$;
create trigger scores_told_insert after insert on scores
  referencing new table as changed_rows for each statement execute function scores_changed();
create trigger scores_told_update after update on scores
  referencing new table as changed_rows for each statement execute function scores_changed();

-- What waits for a reviewer; and what somebody decided shows on the screens of whose answer it is.
create function claims_changed() returns trigger language plpgsql as $$
declare
  one uuid;
begin
  for one in select distinct community_id from changed_rows loop
    perform note_change(one, 'review');
    if exists (
      select from changed_rows where community_id = one and kind not in ('submitted', 'resubmitted', 'checked'))
    then perform note_change(one, 'dashboard'); end if;
  end loop;
  return null;
end $$;
create trigger claims_told after insert on claim_events
  referencing new table as changed_rows for each statement execute function claims_changed();

-- What a dashboard shows beside points: tasks, announcements, seasons.
create function dashboard_changed() returns trigger language plpgsql as $$
begin
  perform note_change(coalesce(new.community_id, old.community_id), 'dashboard');
  return null;
end $$;
create trigger tasks_told after insert or update on tasks for each row execute function dashboard_changed();
create trigger announcements_told after insert or delete on announcements
  for each row execute function dashboard_changed();
create trigger seasons_told after insert or update or delete on seasons
  for each row execute function dashboard_changed();

-- What an administrator's desk shows: applications, accounts that are suspended or restored, communities.
create function desk_changed() returns trigger language plpgsql as $$
begin
  perform note_change(null, 'desk');
  return null;
end $$;
create trigger applications_told after insert or update on leader_applications
  for each statement execute function desk_changed();
create trigger suspensions_told after update of suspended_at, role on users
  for each statement execute function desk_changed();
create trigger communities_told after insert or update of status, visibility, counts_on_instance on communities
  for each statement execute function desk_changed();
create trigger instance_audit_told after insert on audit_entries
  for each statement execute function desk_changed();
