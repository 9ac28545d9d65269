-- Why and until when an account is suspended: said to the person, and ended by a job. Null columns beside `users.suspended_at`, which
-- the release before reads alone: a suspension with an end that it does not know stays until it is lifted.

alter table users
  -- Null while suspended: until somebody lifts it.
  add column suspended_until timestamptz,
  -- What the person reads.
  add column suspended_reason text;

-- What was done to one person, and by one, latest first: the page of a person shows it.
create index audit_entries_subject on audit_entries (subject_id, id desc) where subject_id is not null;

-- The list of people, the newest first.
create index users_created on users (created_at desc, id desc);

-- The job that ends suspensions looks for those whose time has come.
create index users_suspended on users (suspended_until) where suspended_until is not null;
