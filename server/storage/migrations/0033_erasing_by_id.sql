-- Whoever is erased is found by ids, never by words that others may have written, too (docs/decisions/128).

-- The ids that stand in a stored answer: of people, and of what they did. Null in what an earlier release has stored.
alter table idempotency_keys add column ids uuid[];
-- When Telegram last said what an account is called, as of the wish: a name is believed for a while only.
alter table erasures add column named_at timestamptz;
