-- Five more kinds of tasks (number, date, scale, file, partner), and every other kind that this release or the next may
-- bring: the list is the contract's to hold, and migrations that add kinds must not depend on each other's order.
alter table tasks drop constraint if exists tasks_kind_check;
alter table tasks add constraint tasks_kind_check check (kind in (
  'check_in', 'visit_link', 'quiz', 'submit_text', 'submit_url', 'submit_image', 'poll', 'invite', 'manual', 'telegram_event',
  'number', 'date', 'scale', 'file', 'partner',
  'telegram_join', 'telegram_chat', 'telegram_reaction',
  'x_follow', 'x_like', 'x_repost', 'x_reply', 'x_quote', 'x_post'));

-- What members send as files lies beside their pictures: it is kept, taken along, swept and erased with them. A picture
-- has sides and at most 300 KiB, a file neither sides nor more than 1 MiB. Rows that are there passed narrower checks: `not
-- valid` spares reading them all under a lock.
alter table images alter column width drop not null, alter column height drop not null;
alter table images drop constraint if exists images_type_check, drop constraint if exists images_bytes_check;
alter table images
  add constraint images_type_check check (type in ('image/webp', 'image/jpeg', 'application/pdf', 'text/plain')) not valid,
  add constraint images_bytes_check check (
    case when type like 'image/%' then octet_length(bytes) <= 307200 and width is not null and height is not null
      else octet_length(bytes) <= 1048576 end) not valid;

-- The secret with which requests to a leader's own program are signed. It is told once, when it is made.
create table partner_keys (
  task_id uuid primary key references tasks on delete cascade,
  secret bytea not null,
  created_at timestamptz not null default now()
);

-- Claims about which a partner is to be asked, until it has answered: the queue. While a claim is here no reviewer need
-- look at it.
create table partner_checks (
  claim_id uuid primary key references claims on delete cascade,
  task_id uuid not null references tasks on delete cascade,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  next_try_at timestamptz not null
);
create index partner_checks_due on partner_checks (next_try_at);
create index partner_checks_task on partner_checks (task_id, created_at);
