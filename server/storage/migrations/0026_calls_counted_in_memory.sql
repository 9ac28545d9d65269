-- Every call counts itself (in `rate_limits`), reads too. Written to the log of the database, each of them waited for the
-- disk. After a crash counting begins anew.
alter table rate_limits set unlogged;
