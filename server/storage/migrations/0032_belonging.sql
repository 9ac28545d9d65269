-- Belonging is a person's own act (docs/decisions/126): lines of an import wait until their person joins or takes the offer that
-- stands for them.

-- Communities that are not offered to somebody any more: they left, were removed, or said no. Joining stays open to them where it
-- is open to everybody.
create table closed_offers (
  community_id uuid not null references communities on delete cascade,
  user_id uuid not null references users on delete cascade,
  closed_at timestamptz not null default now(),
  primary key (community_id, user_id)
);
create index closed_offers_user on closed_offers (user_id);

-- Who left or was removed before this was kept: whoever has a score without belonging, and whom the audit says so of.
insert into closed_offers (community_id, user_id)
select gone.community_id, gone.user_id from (
  select community_id, user_id from scores
  union
  select community_id, subject_id from audit_entries where action = 'member.removed'
) gone
join communities c on c.id = gone.community_id
join users u on u.id = gone.user_id and u.erased_at is null
where not exists (
  select from community_members m where m.community_id = gone.community_id and m.user_id = gone.user_id)
on conflict do nothing;

-- Since when an administrator lets a community move in as many people as fit; null: few, see IMPORT_LINES_FIRST.
alter table communities add column large_imports_at timestamptz;
-- How many a founder's communities have moved in.
create index if not exists imports_people on imports (community_id) where kind = 'people';

-- An import makes nobody a member any more. Where the file says since when somebody belongs, that time and the member's own change
-- places while the line counts: `joined` says so, and undoing changes them back.
