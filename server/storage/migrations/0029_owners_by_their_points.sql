-- Whose points stand in `scores` is a member that is there (its reference), and record() has just written that row: it
-- is looked for first. Of a million members the page of `users` that was read in its place was mostly not in the buffers.
create or replace function ledger_has_owners() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('00000000-0000-0000-0000-000000000000', 4));
  if exists (
      select from new_lines l
      where coalesce(
        (select s.user_id from scores s where s.user_id = l.user_id and s.community_id = l.community_id),
        (select u.id from users u where u.id = l.user_id)) is null)
    or exists (
      select from (select community_id from new_lines group by community_id) l
      where (select c.id from communities c where c.id = l.community_id) is null)
  then
    raise exception 'a line of the ledger names a member or a community that is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
