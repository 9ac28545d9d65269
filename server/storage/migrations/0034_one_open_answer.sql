-- Of a member, task and period one thing waits: an answer, or an appeal. An appeal gives way to its member's newer word.
alter table claims drop constraint if exists claims_appeal_outcome_check;
alter table claims add constraint claims_appeal_outcome_check
  check (appeal_outcome in ('open', 'granted', 'refused', 'withdrawn')) not valid;
alter table claim_events drop constraint if exists claim_events_kind_check;
alter table claim_events add constraint claim_events_kind_check check (kind in ('submitted', 'resubmitted', 'checked',
  'approved', 'rejected', 'sent_back', 'appealed', 'appeal_granted', 'appeal_refused', 'appeal_withdrawn', 'given', 'reversed',
  'answered')) not valid;

-- Appeals of before that nobody could grant any more: a newer claim of the same key waits, counts or was taken back, or a newer
-- appeal waits.
with withdrawn as (
  update claims c set appeal_outcome = 'withdrawn', version = version + 1
  where c.appeal_outcome = 'open' and exists (
    select from claims o
    where o.community_id = c.community_id and o.task_id = c.task_id and o.user_id = c.user_id and o.period = c.period
      and o.id <> c.id
      and (o.state <> 'rejected' or (o.appeal_outcome = 'open' and (o.appeal_at, o.id) > (c.appeal_at, c.id))))
  returning c.*
)
insert into claim_events (community_id, claim_id, version, kind, at, actor_id, from_state, to_state)
select community_id, id, version, 'appeal_withdrawn', now(), user_id, state, state from withdrawn;

-- The name stays: whoever inserts names only the states, which imply this.
drop index claims_live;
create unique index claims_live on claims (community_id, task_id, user_id, period)
  where state in ('submitted', 'checking', 'changes_requested', 'approved') or appeal_outcome = 'open';
