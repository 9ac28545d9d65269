-- What leaders arrange for their own work: the replies that a review offers, and the order in which tasks are shown.

-- Of a community where they were never changed there is no row, and the app offers its own.
create table saved_replies (
  community_id uuid primary key references communities on delete cascade,
  reject text[] not null,
  request_changes text[] not null,
  changed_at timestamptz not null
);

-- Where a leader put a task; null: behind those that have a position, the oldest first.
alter table tasks add column position integer;
