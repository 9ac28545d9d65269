-- What the model cost is counted beside how often it was asked: calls that reached its service, and bytes sent to it and read
-- from it. `open` are questions that are being answered: each of them may still cost as much as one question may.
alter table assistant_questions
  add column open integer not null default 0 check (open >= 0),
  add column calls integer not null default 0,
  add column sent bigint not null default 0,
  add column received bigint not null default 0,
  add column given_back integer not null default 0;

alter table assistant_days
  add column open integer not null default 0 check (open >= 0),
  add column calls integer not null default 0,
  add column sent bigint not null default 0,
  add column received bigint not null default 0;

-- Of all members of a community together.
create table assistant_communities (
  day date not null,
  community_id uuid not null references communities (id) on delete cascade,
  count integer not null check (count >= 0),
  open integer not null default 0 check (open >= 0),
  calls integer not null default 0,
  sent bigint not null default 0,
  received bigint not null default 0,
  primary key (day, community_id)
);
