-- Questions to the instance's model are counted, so that no member and no day uses up what the instance pays for.
-- What was asked is kept nowhere.

-- Of one member on one day of UTC.
create table assistant_questions (
  day date not null,
  user_id uuid not null references users (id) on delete cascade,
  count integer not null check (count >= 0),
  primary key (day, user_id)
);

-- Of all members together, in a row of its own: the last question of a day is given once.
create table assistant_days (
  day date primary key,
  count integer not null check (count >= 0)
);
