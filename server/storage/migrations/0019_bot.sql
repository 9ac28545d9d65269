-- The bot: which updates of the Bot API were handled.

-- Telegram sends an update again until it is answered, and an answer may be lost: each is handled once, in the transaction that notes
-- it here. Nothing of what it said is kept. Telegram holds updates for 24 hours, so two days are enough.
create table bot_updates (
  update_id bigint primary key,
  -- Null while it failed and is to come again.
  handled_at timestamptz,
  failures smallint not null default 0,
  heard_at timestamptz not null
);
create index bot_updates_age on bot_updates (heard_at);
