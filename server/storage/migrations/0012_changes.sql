-- What may look different now on a screen that is open: the tables of the other areas tell it, and a job takes it to all processes.

-- A line for each transaction, community and topic. A job takes the lines
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

-- A member who hides, or shows again, has another name on every board that they are on.
create function hidden_told() returns trigger language plpgsql as $$
declare
  place uuid;
begin
  for place in select community_id from scores where user_id = new.id order by community_id loop
    perform note_change(nullif(place, '00000000-0000-0000-0000-000000000000'::uuid), 'board');
  end loop;
  return null;
end $$;
create trigger users_hidden_told after update of hidden_at on users
  for each row when ((old.hidden_at is null) <> (new.hidden_at is null)) execute function hidden_told();

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
create trigger announcements_told after insert or update or delete on announcements
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

-- Leaders' screens turn green, and members' screens open, without being asked anew.
create function chats_changed() returns trigger language plpgsql as $$
declare
  place uuid := coalesce(new.community_id, old.community_id);
begin
  perform note_change(place, 'review');
  perform note_change(place, 'dashboard');
  return null;
end $$;
create trigger community_chats_told after insert or update or delete on community_chats
  for each row execute function chats_changed();
create trigger chat_links_told after update on chat_links for each row execute function chats_changed();
