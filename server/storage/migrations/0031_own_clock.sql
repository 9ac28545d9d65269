-- A notification may be planned by each member's own clock: `2026-11-28T07:30`, whatever their zone. `send_at` is then when the first
-- of them has that time, and everybody's own moment is that of their chunk.
alter table notifications add column local_time text
  check (local_time ~ '^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$');
