import type { ISql, TransactionSql } from 'postgres';

/** A claim that came into a state (1) or left it (-1). */
export type StateChange = {
  communityId: string;
  taskId: string;
  waiting: number;
  sentBack: number;
  rejected: number;
  counted: number;
};

/**
 * Answers of a community's tasks by state (`task_id`, `waiting`, `sent_back`, `approved`, `rejected`), without reading them:
 * what is counted, and what is not counted yet.
 */
export const stateCounts = (sql: ISql, communityId: string) => sql`(
  select task_id, sum(waiting)::int as waiting, sum(sent_back)::int as sent_back, sum(approved)::int as approved,
    sum(rejected)::int as rejected
  from (
    select task_id, waiting, sent_back, approved, rejected from state_counts where community_id = ${communityId}
    union all
    select task_id, waiting, sent_back, counted, rejected from state_queue where community_id = ${communityId}
  ) parts group by 1)`;

export async function addStates(tx: TransactionSql, changed: readonly StateChange[]): Promise<void> {
  const column = (name: keyof StateChange) => changed.map((one) => one[name]);
  await tx`
    insert into state_counts as k (community_id, task_id, waiting, sent_back, rejected, approved)
    select community_id, task_id, sum(waiting), sum(sent_back), sum(rejected), sum(approved)
    from unnest(${column('communityId')}::uuid[], ${column('taskId')}::uuid[], ${column('waiting')}::int[],
      ${column('sentBack')}::int[], ${column('rejected')}::int[], ${column('counted')}::int[])
      as c (community_id, task_id, waiting, sent_back, rejected, approved)
    where exists (select from tasks t where t.id = task_id)
    group by 1, 2
    on conflict (community_id, task_id) do update set waiting = k.waiting + excluded.waiting,
      sent_back = k.sent_back + excluded.sent_back, rejected = k.rejected + excluded.rejected,
      approved = k.approved + excluded.approved`;
}

/** Recounts waiting answers, less what is not counted yet. Returns how many counts were different before. */
export async function makeWaiting(tx: TransactionSql): Promise<number> {
  const mended = await tx`
    insert into state_counts as k (community_id, task_id, waiting, sent_back, rejected, approved)
    select community_id, task_id, sum(waiting), 0, 0, 0 from (
      select community_id, task_id, count(*) as waiting from claims where state in ('submitted', 'checking') group by 1, 2
      union all select community_id, task_id, -sum(waiting) from state_queue group by 1, 2
      union all select community_id, task_id, 0 from state_counts
    ) parts
    where exists (select from tasks t where t.id = task_id)
    group by 1, 2
    on conflict (community_id, task_id) do update set waiting = excluded.waiting where k.waiting <> excluded.waiting
    returning task_id`;
  return mended.count;
}

/** Recounts the other states of the tasks of these ids, each in the order of its index. Returns how many tasks were different. */
export async function makeDecided(
  tx: TransactionSql,
  { first, last }: { first: string; last: string },
): Promise<number> {
  const of = (state: string) => tx`(select count(*) from claims c where c.task_id = t.id and c.state = ${state})`;
  const mended = await tx`
    insert into state_counts as k (community_id, task_id, waiting, sent_back, rejected, approved)
    select t.community_id, t.id, 0, n.sent_back - q.sent_back, n.rejected - q.rejected, n.approved - q.approved
    from tasks t
    cross join lateral (
      select ${of('changes_requested')} as sent_back, ${of('approved')} as approved,
        (select count(*) from claims c
          where c.task_id = t.id and c.state = 'rejected' and c.decided_by is not null) as rejected) n
    cross join lateral (
      select coalesce(sum(sent_back), 0) as sent_back, coalesce(sum(rejected), 0) as rejected,
        coalesce(sum(counted), 0) as approved
      from state_queue where task_id = t.id) q
    left join state_counts kept on kept.community_id = t.community_id and kept.task_id = t.id
    where t.id >= ${first} and t.id <= ${last}
      and (n.sent_back - q.sent_back, n.rejected - q.rejected, n.approved - q.approved)
        <> (coalesce(kept.sent_back, 0), coalesce(kept.rejected, 0), coalesce(kept.approved, 0))
    on conflict (community_id, task_id) do update set sent_back = excluded.sent_back, rejected = excluded.rejected,
      approved = excluded.approved
    returning task_id`;
  return mended.count;
}
