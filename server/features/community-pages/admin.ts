import type { TransactionSql } from 'postgres';
import type { CommunityAdmin } from '../../contract/communities.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { PEOPLE_PAGE, TASKS_PER_COMMUNITY } from '../../contract/limits.ts';
import { type TaskRow, taskOf } from '../../domain/task-row.ts';
import { readQueue } from '../claims/review.ts';
import { countWaiting } from '../claims/waiting.ts';
import { readSummary } from '../communities/rows.ts';
import { idsInOrder } from '../members/list.ts';
import { taskColumns } from '../tasks/rows.ts';

/**
 * The leaders' room as of one moment (`sql` must be one snapshot): tasks, live ones first; what waits for `userId`'s
 * review, see `readQueue`; people, those with a role first.
 */
export async function readAdmin(
  sql: TransactionSql,
  communityId: string,
  userId: string,
  now: Date,
  role: CommunityRole | null = null,
): Promise<CommunityAdmin> {
  const reviewer = { communityId, reviewerId: userId };
  const [community, tasks, queue, waiting, people] = await Promise.all([
    readSummary(sql, communityId, userId),
    sql<TaskRow[]>`
      select ${taskColumns(sql)} from tasks t where t.community_id = ${communityId}
      order by t.status = 'live' desc, t.created_at desc, t.id limit ${TASKS_PER_COMMUNITY}`,
    readQueue(sql, { ...reviewer, role, now }),
    countWaiting(sql, reviewer),
    readPeople(sql, communityId),
  ]);
  return { community, tasks: tasks.map((row) => taskOf(row, now)), queue: queue.items, waiting, people };
}

type PersonRow = { id: string; displayName: string; role: CommunityRole; joinedAt: Date; points: number };

async function readPeople(sql: TransactionSql, communityId: string): Promise<CommunityAdmin['people']> {
  const staff = await sql<{ id: string }[]>`
    select user_id as id from community_members where community_id = ${communityId} and role <> 'member'`;
  const most = PEOPLE_PAGE;
  const others = await idsInOrder(sql, { communityId, role: 'member', order: 'points', place: null, most });
  const ids = [...staff.map(({ id }) => id), ...others];
  const rows = await sql<PersonRow[]>`
    select u.id, u.display_name as "displayName", m.role, m.joined_at as "joinedAt", coalesce(s.points, 0) as points
    from community_members m join users u on u.id = m.user_id
    left join scores s on s.community_id = m.community_id and s.user_id = m.user_id
    where m.community_id = ${communityId} and m.user_id = any(${ids}::uuid[])
    order by case m.role when 'leader' then 0 when 'moderator' then 1 else 2 end, coalesce(s.points, 0) desc, m.joined_at, u.id
    limit ${most}`;
  return rows.map((row) => ({ ...row, joinedAt: row.joinedAt.toISOString() }));
}
