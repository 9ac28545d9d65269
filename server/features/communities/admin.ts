import type { TransactionSql } from 'postgres';
import type { CommunityAdmin } from '../../contract/communities.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { PEOPLE_PAGE, REVIEW_PAGE, TASKS_PER_COMMUNITY } from '../../contract/limits.ts';
import type { ReviewItem } from '../../contract/review.ts';
import { type ClaimRow, claimColumns, claimOf } from '../claims/claim-row.ts';
import { type TaskRow, taskColumns, taskOf } from '../tasks/rows.ts';
import { readSummary } from './rows.ts';

/**
 * The leaders' room as of one moment (`sql` must be one snapshot): tasks, live ones first; claims that wait for
 * `userId`'s review, the longest waiting first and never one's own; people, those with a role first.
 */
export async function readAdmin(
  sql: TransactionSql,
  communityId: string,
  userId: string,
  now: Date,
): Promise<CommunityAdmin> {
  const [community, tasks, queue, waiting, people] = await Promise.all([
    readSummary(sql, communityId, userId),
    sql<TaskRow[]>`
      select ${taskColumns(sql)} from tasks t where t.community_id = ${communityId}
      order by t.status = 'live' desc, t.created_at desc, t.id limit ${TASKS_PER_COMMUNITY}`,
    readQueue(sql, communityId, userId, now),
    sql<{ count: number }[]>`
      select count(*)::int from claims
      where community_id = ${communityId} and state = 'submitted' and user_id <> ${userId}`,
    readPeople(sql, communityId),
  ]);
  return { community, tasks: tasks.map((row) => taskOf(row, now)), queue, waiting: waiting[0]?.count ?? 0, people };
}

type QueueRow = ClaimRow & {
  task: TaskRow;
  memberId: string;
  displayName: string;
  telegramUsername: string | null;
  twitterUsername: string | null;
  joinedAt: Date;
  approved: number;
  rejected: number;
};

async function readQueue(sql: TransactionSql, communityId: string, userId: string, now: Date): Promise<ReviewItem[]> {
  const rows = await sql<QueueRow[]>`
    select ${claimColumns(sql)},
      to_jsonb(task) as task,
      u.id as "memberId", u.display_name as "displayName", u.telegram_username as "telegramUsername",
      u.twitter_username as "twitterUsername", coalesce(m.joined_at, c.submitted_at) as "joinedAt",
      past.approved, past.rejected
    from (
      select * from claims
      where community_id = ${communityId} and state = 'submitted' and user_id <> ${userId}
      order by submitted_at, id limit ${REVIEW_PAGE}
    ) c
    cross join lateral (select ${taskColumns(sql)} from tasks t where t.id = c.task_id) task
    join users u on u.id = c.user_id
    left join users reviewer on reviewer.id = c.decided_by
    left join community_members m on m.community_id = c.community_id and m.user_id = c.user_id
    cross join lateral (
      select count(*) filter (where state = 'approved')::int as approved,
        count(*) filter (where state = 'rejected')::int as rejected
      from claims p where p.community_id = c.community_id and p.user_id = c.user_id
    ) past
    order by c.submitted_at, c.id`;
  return rows.map((row) => ({
    claim: claimOf(row),
    task: taskOf(row.task, now),
    member: {
      id: row.memberId,
      displayName: row.displayName,
      telegramUsername: row.telegramUsername,
      twitterUsername: row.twitterUsername,
      joinedAt: row.joinedAt.toISOString(),
      approved: row.approved,
      rejected: row.rejected,
    },
  }));
}

type PersonRow = { id: string; displayName: string; role: CommunityRole; joinedAt: Date; points: number };

async function readPeople(sql: TransactionSql, communityId: string): Promise<CommunityAdmin['people']> {
  const rows = await sql<PersonRow[]>`
    select u.id, u.display_name as "displayName", m.role, m.joined_at as "joinedAt", coalesce(s.points, 0) as points
    from community_members m
    join users u on u.id = m.user_id
    left join standings s on s.community_id = m.community_id and s.period = 'all' and s.user_id = m.user_id
    where m.community_id = ${communityId}
    order by case m.role when 'leader' then 0 when 'moderator' then 1 else 2 end,
      coalesce(s.points, 0) desc, m.joined_at, u.id
    limit ${PEOPLE_PAGE}`;
  return rows.map((row) => ({ ...row, joinedAt: row.joinedAt.toISOString() }));
}
