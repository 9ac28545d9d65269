-- Tasks at X, how an X account came to be linked, and what asking X may cost. Tasks' kinds are listed by the contract; the list
-- here also has kinds that others bring, so that migrations that add kinds do not depend on each other's order.
alter table tasks drop constraint if exists tasks_kind_check;
alter table tasks add constraint tasks_kind_check check (kind in (
  'check_in', 'visit_link', 'quiz', 'submit_text', 'submit_url', 'submit_image', 'poll', 'invite', 'manual', 'telegram_event',
  'number', 'date', 'scale', 'file', 'partner',
  'telegram_join', 'telegram_chat', 'telegram_reaction',
  'x_follow', 'x_like', 'x_repost', 'x_reply', 'x_quote', 'x_post')) not valid;

-- How an account at X was proven. Null: not linked, or linked before this was written down, which was by X's sign-in.
alter table users add column x_linked_by text check (x_linked_by in ('oauth', 'post', 'admin'));
-- A post and an administrator prove a name, not a number: one name is one member's, as one number is.
create unique index users_x_named on users (lower(twitter_username))
  where x_user_id is null and x_linked_by in ('post', 'admin');

-- The code that somebody posts to prove an account; only its digest, and only until it ends.
create table x_proof_codes (
  user_id uuid primary key references users on delete cascade,
  code_hash bytea not null,
  expires_at timestamptz not null
);

-- What X gave to be asked with as a member who agreed to that. Sealed (AES-256-GCM) under a key that is not in the database.
create table x_tokens (
  user_id uuid primary key references users on delete cascade,
  refresh_token bytea not null,
  access_token bytea not null,
  access_until timestamptz not null,
  since timestamptz not null
);
-- Tokens that X is still to be told to forget, whatever ended them: X may be away when that happens.
create table x_revocations (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  refresh_token bytea not null,
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  next_try_at timestamptz not null default now()
);
create function x_tokens_end() returns trigger language plpgsql as $$
begin
  insert into x_revocations (user_id, refresh_token) values (old.user_id, old.refresh_token);
  return null;
end
$$;
create trigger x_tokens_end after delete on x_tokens for each row execute function x_tokens_end();

-- Claims about which X is to be asked, until it has answered: the queue. While a claim is here no reviewer need look at it.
create table x_checks (
  claim_id uuid primary key references claims on delete cascade,
  attempts integer not null default 0,
  created_at timestamptz not null,
  next_try_at timestamptz not null
);
create index x_checks_due on x_checks (next_try_at);

-- What a community may spend at X in a calendar month (UTC), and what it has: thousandths of a dollar. No row: nothing.
create table x_budgets (
  community_id uuid primary key references communities on delete cascade,
  monthly integer not null check (monthly >= 0),
  changed_at timestamptz not null
);
create table x_spend (
  community_id uuid not null references communities on delete cascade,
  month date not null,
  thousandths integer not null default 0,
  calls integer not null default 0,
  primary key (community_id, month)
);

-- What administrators switch while the server runs, beside what the environment says.
create table instance_switches (
  name text primary key,
  is_on boolean not null,
  reason text not null,
  changed_by uuid references users on delete set null,
  changed_at timestamptz not null
);

-- `answered`: the server decided what was sent earlier, once it knew. Everybody reads it as `checked`, by nobody.
alter table claim_events drop constraint if exists claim_events_kind_check;
alter table claim_events add constraint claim_events_kind_check check (kind in ('submitted', 'resubmitted', 'checked',
  'approved', 'rejected', 'sent_back', 'appealed', 'appeal_granted', 'appeal_refused', 'given', 'reversed', 'answered')) not valid;
create or replace view claim_steps as
  select e.community_id, e.claim_id, e.id as event_id, 1 as nth,
    case when e.kind = 'answered' then 'checked' when e.kind <> 'checked' then e.kind
      when e.from_state is null then 'submitted' else 'resubmitted' end as kind,
    e.at, e.actor_id, e.version, e.from_state,
    case e.kind when 'checked' then 'submitted' else e.to_state end as to_state,
    case e.kind when 'checked' then null else e.reason end as reason, e.evidence, back.points
  from claim_events e
  left join point_events back on e.kind = 'reversed' and back.claim_id = e.claim_id and back.kind = 'reverse'
  union all
  select community_id, claim_id, id, 2, 'checked', at, null, version, 'submitted', to_state, reason, null, null
  from claim_events where kind = 'checked'
  union all
  select e.community_id, e.claim_id, e.id, 3, 'counted', p.at, null, e.version, 'approved', 'approved', null, null, p.points
  from claim_events e join point_events p on p.claim_id = e.claim_id and p.kind = 'award'
  where e.to_state = 'approved';
