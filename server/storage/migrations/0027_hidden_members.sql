-- An X account that its member took off. Until the lock of its link ends it can come back to them, and is nobody else's: one
-- account at X vouches for one person at a time.
create table x_unlinked (
  user_id uuid primary key references users on delete cascade,
  x_user_id text,
  name text not null,
  until timestamptz not null
);
