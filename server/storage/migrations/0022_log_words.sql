-- Words are indexed once a day for all entries that say the same, not for each of them: most of what devices send was
-- said before, and the index of words was the dearest part of writing an entry.
create table client_log_messages (
  -- day of receipt (UTC), as that of the entries' table
  day date not null,
  key bigint not null,
  message text not null,
  primary key (day, key)
);
create index client_log_messages_words on client_log_messages using gin (to_tsvector('simple', message));

alter table client_log_entries add column message_key bigint generated always as (hashtextextended(message, 0)) stored;
create index client_log_entries_message on client_log_entries (message_key, happened_at desc, id desc);
insert into client_log_messages (day, key, message)
select (received_at at time zone 'UTC')::date, message_key, message from client_log_entries on conflict do nothing;
drop index client_log_entries_words;

-- An entry's columns as they are written, a row literal each: PostgreSQL reads one in a third of the time of a JSON object.
create type client_log_line as (
  id uuid, received_at timestamptz, happened_at timestamptz, sent_at timestamptz, kind text, group_id integer, message text,
  source text, route text, community text, url text, release text, user_id uuid, person text, device text, sequence bigint,
  repeats integer, offline_ms bigint, engine text, browser text, os text, display text, connection text, address text,
  user_agent text
);

-- The counts of a range lie side by side in the index: the list of a day reads no row for them.
alter table client_log_hours drop constraint client_log_hours_pkey, add primary key (hour, group_id) include (count);
alter table client_log_days drop constraint client_log_days_pkey, add primary key (day, group_id) include (count);
