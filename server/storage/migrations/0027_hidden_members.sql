-- A member chooses whether others see them: null, they do (docs/decisions/098).
alter table users add column hidden_at timestamptz;

-- The name under which others see somebody.
create function shown_name(person users) returns text language sql immutable as $$
  select case when person.hidden_at is null then person.display_name else 'Hidden member' end
$$;

-- Whoever looks at a board that they are on hears of it.
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

-- An X account that its member took off. Until the lock of its link ends it can come back to them, and is nobody else's: one
-- account at X vouches for one person at a time.
create table x_unlinked (
  user_id uuid primary key references users on delete cascade,
  x_user_id text,
  name text not null,
  until timestamptz not null
);
