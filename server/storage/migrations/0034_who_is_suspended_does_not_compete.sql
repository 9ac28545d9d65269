-- Who is suspended stands on no board while that lasts, nor in results that are copied meanwhile; their ledger stays, and with the
-- suspension's end they stand where it puts them. Who competes follows memberships and suspensions, whoever writes them.
create function may_compete(place uuid, person uuid) returns boolean language sql stable as $$
  select not exists (select from users where id = person and suspended_at is not null)
    and (place = '00000000-0000-0000-0000-000000000000' or exists (
      select from community_members where community_id = place and user_id = person and role <> 'leader'))
$$;

create or replace function standings_follow_membership() returns trigger language plpgsql as $$
declare
  place uuid := coalesce(new.community_id, old.community_id);
begin
  perform pg_advisory_xact_lock(hashtextextended(place::text, 4));
  update scores set competes = may_compete(place, user_id)
    where user_id = coalesce(new.user_id, old.user_id) and community_id = place;
  return null;
end $$;

-- Communities in one order and the instance last, as whoever writes points takes their turns: a row that is written meanwhile is
-- seen here, or sees the suspension.
create function standings_follow_suspension() returns trigger language plpgsql as $$
declare
  place text;
begin
  for place in
    select community_id::text collate "C" from (
      select community_id from scores where user_id = new.id and community_id <> '00000000-0000-0000-0000-000000000000'
      union select community_id from community_members where user_id = new.id) places
    order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended(place, 4));
  end loop;
  perform pg_advisory_xact_lock(hashtextextended('00000000-0000-0000-0000-000000000000', 4));
  update scores set competes = may_compete(community_id, user_id) where user_id = new.id;
  return null;
end $$;
create trigger users_compete after update of suspended_at on users
  for each row when ((old.suspended_at is null) <> (new.suspended_at is null)) execute function standings_follow_suspension();

update scores s set competes = false from users u where u.id = s.user_id and u.suspended_at is not null and s.competes;
