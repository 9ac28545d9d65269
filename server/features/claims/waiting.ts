import type { ISql } from 'postgres';
import type { WaitingOfTask } from '../../contract/review.ts';

type Scope = { communityId: string; reviewerId: string };

/**
 * Claims `c` with an appeal that a reviewer may decide: never their own, nor against their own rejection while another
 * reviewer could.
 */
export const appealsFor = (sql: ISql, reviewerId: string) => sql`
  c.user_id <> ${reviewerId} and c.appeal_outcome = 'open' and (
    c.decided_by is distinct from ${reviewerId} or not exists (
      select from community_members o join users other on other.id = o.user_id and other.suspended_at is null
      where o.community_id = c.community_id and o.role <> 'member'
        and o.user_id <> ${reviewerId} and o.user_id <> c.user_id))`;

/** SQL condition: a partner or X check of the claim is still open, so no reviewer sees it yet. */
export const isBeingChecked = (sql: ISql, claim: string) => sql`(
  exists (select from partner_checks p where p.community_id = ${sql(claim)}.community_id and p.claim_id = ${sql(claim)}.id)
  or exists (select from x_checks q where q.community_id = ${sql(claim)}.community_id and q.claim_id = ${sql(claim)}.id))`;

/**
 * Waiting answers by task (`task_id`, `answers`), without reading them: what is counted, and what is not counted yet, so
 * it is right for a person who just acted. Those that a partner or X is asked about are no reviewer's yet, nor are the
 * reviewer's own.
 */
export const waitingCounts = (
  sql: ISql,
  { communityId, reviewerId }: { communityId: string | ReturnType<ISql> | null; reviewerId: string | null },
) => {
  const here = (of: string) => (communityId === null ? sql`true` : sql`${sql(of)}.community_id = ${communityId}`);
  const waits = (of: string) => sql`${sql(of)}.state in ('submitted', 'checking') and ${here(of)}`;
  const others = reviewerId === null ? sql`true` : sql`c.user_id <> ${reviewerId}`;
  const own = sql`
    union all
    select task_id, -count(*) from claims own where own.user_id = ${reviewerId} and ${waits('own')} group by 1`;
  return sql`(
    select task_id, sum(answers)::int as answers from (
      select task_id, waiting as answers from state_counts w where ${here('w')}
      union all
      select task_id, sum(waiting) from state_queue q where waiting <> 0 and ${here('q')} group by 1
      ${reviewerId === null ? sql`` : own}
      union all
      select c.task_id, -count(*)
      from (
        select claim_id from partner_checks p where ${here('p')} union select claim_id from x_checks q where ${here('q')}) asked
      join claims c on c.id = asked.claim_id where ${waits('c')} and ${others} group by 1
    ) parts group by 1 having sum(answers) > 0)`;
};

/** Answers of a task that wait, `reviewerId`'s own and those being checked left out, the longest waiting first: `claims c`. */
export const waitingOf = (sql: ISql, task: string, reviewerId: string | null) => sql`
  c.task_id = ${sql(task)} and c.state in ('submitted', 'checking')
  and ${reviewerId === null ? sql`true` : sql`c.user_id <> ${reviewerId}`} and not ${isBeingChecked(sql, 'c')}
  order by c.submitted_at, c.id`;

/** How many answers wait for any reviewer, in a community or (null) in all, and since when the longest waiting has. */
export async function readWaiting(
  sql: ISql,
  communityId: string | null,
): Promise<{ count: number; oldestAt: Date | null }> {
  const [row] = await sql<[{ count: number; oldestAt: Date | null }]>`
    select coalesce(sum(answers), 0)::int as count, min(oldest) as "oldestAt"
    from ${waitingCounts(sql, { communityId, reviewerId: null })} w left join lateral (
      select submitted_at as oldest from claims c where ${waitingOf(sql, 'w.task_id', null)} limit 1) o on true`;
  return row;
}

/** How many claims wait for this reviewer. */
export async function countWaiting(sql: ISql, scope: Scope): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select (coalesce((select sum(answers) from ${waitingCounts(sql, scope)} w), 0)
      + (select count(*) from ${appealsOf(sql, scope)} a))::int as count`;
  return row.count;
}

const appealsOf = (sql: ISql, { communityId, reviewerId }: Scope) => sql`(
  select c.task_id, c.submitted_at from claims c
  where c.community_id = ${communityId} and ${appealsFor(sql, reviewerId)} and not ${isBeingChecked(sql, 'c')})`;

/** The same by task, the one with the longest waiting first. */
export async function readWaitingByTask(sql: ISql, scope: Scope): Promise<WaitingOfTask[]> {
  return sql<WaitingOfTask[]>`
    select t.id as "taskId", t.title, t.kind, coalesce(w.answers, 0) as answers, coalesce(a.appeals, 0) as appeals
    from ${waitingCounts(sql, scope)} w
    full join (
      select task_id, count(*)::int as appeals, min(submitted_at) as oldest from ${appealsOf(sql, scope)} a group by 1
    ) a using (task_id)
    join tasks t on t.id = task_id and t.community_id = ${scope.communityId}
    left join lateral (
      select submitted_at as oldest from claims c
      where ${waitingOf(sql, 't.id', scope.reviewerId)} limit 1) o on true
    order by least(o.oldest, a.oldest), t.id`;
}
