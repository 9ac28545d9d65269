-- What one commit took in waits as one row, a line for each entry in every column: a row for each cost PostgreSQL more than
-- what stands in it. An entry alone is a packet of one line, and so is what waits here now.
alter table client_log_inbox
  alter column id type text,
  alter column received_at type text using to_char(received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  add column entries integer not null default 1;
-- Read once, seconds later: packing it would cost more than writing it.
alter table client_log_inbox alter column sender set storage external, alter column entry set storage external;

-- Read whole or not at all: parsing it into its binary form was paid for each entry and used by none.
alter table client_log_entries alter column data type json using data::json;
