-- What still waits of one member, over all communities: since what was sent back counts as waiting, too, the index of before
-- (0003) did not hold all of it, and the claims that wait here of everybody were read in its place.
create index claims_open on claims (user_id, community_id) include (points)
  where state in ('submitted', 'checking', 'changes_requested');
drop index claims_pending;
