-- Leagues: groups of about thirty members of like activity, made anew each week where a leader turned them on, and what each week
-- came to (docs/decisions/097-leagues.md). Points are not copied while a week runs: they are read from the ledger.

-- Null: no leagues.
alter table communities add column leagues_since timestamptz;
create index communities_leagues on communities (id) where leagues_since is not null;

-- A week by its Monday, as boards count weeks (UTC).
create table league_weeks (
  community_id uuid not null references communities on delete cascade,
  week date not null,
  fixed_at timestamptz not null,
  -- From then on nothing of it changes.
  settled_at timestamptz,
  primary key (community_id, week)
);
create index league_weeks_old on league_weeks (week);

-- Who played in which group. What the ledger cannot tell stands here as it was: who took part, who was new, who stood apart at
-- the end. All else is made from the ledger and can be made again (`checkLeagues`).
create table league_places (
  community_id uuid not null,
  week date not null,
  user_id uuid not null references users on delete cascade,
  division smallint not null check (division between 1 and 5),
  newcomer boolean not null,
  group_no integer not null,
  -- Once settled; rank and points stay null where somebody had none.
  outcome text check (outcome in ('rise', 'stay', 'fall', 'apart')),
  rank integer,
  points integer,
  primary key (community_id, week, user_id),
  foreign key (community_id, week) references league_weeks on delete cascade
) with (fillfactor = 70);
create index league_places_group on league_places (community_id, week, group_no);
create index league_places_member on league_places (user_id, community_id, week desc);

-- What a community's activity is read from, latest first.
create index badges_community on badges (community_id, earned_at desc);
