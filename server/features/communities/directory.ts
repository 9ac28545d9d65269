import type { ISql, TransactionSql } from 'postgres';
import type { CommunityDetail, CommunityRole, CommunitySummary, Task } from '../../contract/communities.ts';
import { BOARD_PREVIEW, DIRECTORY_PAGE, SAMPLE_TASKS } from '../../contract/limits.ts';
import { Refusal } from '../../http/refusal.ts';
import { namesOf, readBoard } from '../boards/board.ts';
import { readSummary, summaryColumns, taskColumns } from './rows.ts';

/** Public communities and the asker's own, the largest first; at most `DIRECTORY_PAGE`. */
export async function listCommunities(sql: ISql, userId: string | null): Promise<CommunitySummary[]> {
  return sql<CommunitySummary[]>`
    select ${summaryColumns(sql, userId)} from communities c
    where c.status = 'active' and (c.visibility = 'public' or exists (
      select from community_members m where m.community_id = c.id and m.user_id = ${userId}::uuid))
    order by members desc, c.created_at, c.id limit ${DIRECTORY_PAGE}`;
}

type About = { rules: string; xHandle: string | null; createdAt: Date };

/**
 * What anybody may know of a community; its tasks and board only where it is public or the asker belongs to it.
 * `sql` must be one snapshot.
 */
export async function readDetail(
  sql: TransactionSql,
  { communityId, userId, role }: { communityId: string; userId: string | null; role: CommunityRole | null },
): Promise<CommunityDetail> {
  const [summary, about, leaders] = await Promise.all([
    readSummary(sql, communityId, userId),
    sql<About[]>`
      select rules, x_handle as "xHandle", created_at as "createdAt" from communities where id = ${communityId}`,
    namesOf(sql, communityId, ['leader']),
  ]);
  const [row] = about;
  if (!row) throw new Refusal(404, 'NOT_FOUND', 'There is no such community.');
  const open = summary.visibility === 'public' || role !== null;
  const [sampleTasks, board] = open
    ? await Promise.all([
        sql<Task[]>`
          select ${taskColumns(sql)} from tasks t where t.community_id = ${communityId} and t.status = 'live'
          order by t.created_at desc, t.id limit ${SAMPLE_TASKS}`,
        readBoard(sql, { communityId, key: 'all', me: userId, top: BOARD_PREVIEW }),
      ])
    : [[], { top: [] }];
  return {
    ...summary,
    rules: row.rules,
    xHandle: row.xHandle,
    createdAt: row.createdAt.toISOString(),
    leaders,
    sampleTasks: [...sampleTasks],
    top: board.top,
  };
}
