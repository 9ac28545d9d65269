-- What a leader opens in a community that has run for years is read by its place, not sorted out of all there ever was.

-- The queue of one state, in its order: 260,000 approved claims were sorted for each page of fifty.
create index claims_state on claims (community_id, state, submitted_at, id);
-- The last try of each webhook: all lines of all logs were read for the list.
create index webhook_deliveries_tried on webhook_deliveries (webhook_id, last_try_at desc) where last_try_at is not null;
