-- Seasons with their results, rewards and their draws, badges.

create table seasons (
  id uuid not null default gen_random_uuid(),
  community_id uuid not null references communities on delete cascade,
  name text not null,
  rules text not null default '',
  starts_at timestamptz,
  ends_at timestamptz not null,
  grace_hours integer not null default 48 check (grace_hours >= 0),
  -- Empty: every task counts.
  task_ids uuid[] not null default '{}',
  -- From then on the rules are locked. Null: a draft.
  started_at timestamptz,
  -- From then on nothing changes.
  frozen_at timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  primary key (id, community_id)
);
create index seasons_community on seasons (community_id, ends_at desc);
-- One at a time: the next season waits until this one is frozen.
create unique index seasons_running on seasons (community_id) where started_at is not null and frozen_at is null;
create index seasons_to_freeze on seasons (ends_at) where started_at is not null and frozen_at is null;
create index seasons_to_start on seasons (starts_at) where started_at is null and starts_at is not null;

-- Copied when a season freezes: memberships change, results do not.
create table season_results (
  community_id uuid not null,
  season_id uuid not null,
  user_id uuid not null references users on delete restrict,
  rank integer not null,
  points integer not null,
  reached_at timestamptz not null,
  primary key (season_id, user_id, community_id),
  foreign key (season_id, community_id) references seasons on delete cascade
);
create index season_results_board on season_results (season_id, (-points), reached_at, user_id);

create table rewards (
  id uuid not null default gen_random_uuid(),
  season_id uuid not null,
  community_id uuid not null references communities on delete cascade,
  name text not null,
  description text not null default '',
  rule jsonb not null,
  min_trust integer check (min_trust between 1 and 100),
  -- Made with the reward. Its hash is public once the season is live, the seed itself once it is drawn.
  seed bytea not null,
  method text,
  entrants integer,
  entrants_hash bytea,
  drawn_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (id, community_id),
  foreign key (season_id, community_id) references seasons on delete cascade
);
create index rewards_season on rewards (season_id, created_at);

create table reward_winners (
  community_id uuid not null,
  reward_id uuid not null,
  place integer not null,
  user_id uuid not null references users on delete restrict,
  points integer not null,
  primary key (reward_id, place, community_id),
  unique (reward_id, user_id, community_id),
  foreign key (reward_id, community_id) references rewards on delete cascade
);

-- Who took part in a draw, as it was drawn: trust may change, the draw may not.
create table reward_entrants (
  community_id uuid not null,
  reward_id uuid not null,
  user_id uuid not null references users on delete restrict,
  tickets integer not null,
  primary key (reward_id, user_id, community_id),
  foreign key (reward_id, community_id) references rewards on delete cascade
);

create table badges (
  user_id uuid not null references users on delete cascade,
  -- Null: earned over all communities.
  community_id uuid references communities on delete cascade,
  code text not null,
  earned_at timestamptz not null,
  unique nulls not distinct (user_id, community_id, code)
);
-- What a community's activity is read from, latest first.
create index badges_community on badges (community_id, earned_at desc);
