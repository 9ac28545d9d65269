import type { ISql, TransactionSql } from 'postgres';
import type { CommunityDetail } from '../../contract/communities.ts';
import type { CommunityRole, CommunitySummary } from '../../contract/community.ts';
import { BOARD_PREVIEW, DIRECTORY_PAGE, SAMPLE_TASKS } from '../../contract/limits.ts';
import { Refusal } from '../../http/refusal.ts';
import { leadersOf, readShownBoard } from '../boards/board.ts';
import { type TaskRow, taskColumns, taskOf } from '../tasks/rows.ts';
import { readSummary, summaryColumns } from './rows.ts';

/** Public communities and the asker's own, the largest first; at most `DIRECTORY_PAGE`. */
export async function listCommunities(sql: ISql, userId: string | null): Promise<CommunitySummary[]> {
  return sql<CommunitySummary[]>`
    select ${summaryColumns(sql, userId)} from communities c
    where c.status = 'active' and (c.visibility = 'public' or exists (
      select from community_members m where m.community_id = c.id and m.user_id = ${userId}::uuid))
    order by members desc, c.created_at, c.id limit ${DIRECTORY_PAGE}`;
}

type About = { rules: string; xHandle: string | null; inviteThreshold: number; createdAt: Date };

/**
 * What anybody may know of a community; its tasks and board only where it is public or the asker belongs to it.
 * `sql` must be one snapshot.
 */
export async function readDetail(
  sql: TransactionSql,
  asked: { communityId: string; userId: string | null; role: CommunityRole | null; now: Date },
): Promise<CommunityDetail> {
  const { communityId, userId, role, now } = asked;
  const [summary, about, leaders] = await Promise.all([
    readSummary(sql, communityId, userId),
    sql<About[]>`
      select rules, x_handle as "xHandle", invite_threshold as "inviteThreshold", created_at as "createdAt" from communities where id = ${communityId}`,
    leadersOf(sql, communityId),
  ]);
  const [row] = about;
  if (!row) throw new Refusal(404, 'NOT_FOUND', 'There is no such community.');
  const open = summary.visibility === 'public' || role !== null;
  const [sampleTasks, board] = open
    ? await Promise.all([
        sql<TaskRow[]>`
          select ${taskColumns(sql)} from tasks t where t.community_id = ${communityId} and t.status = 'live'
          order by t.created_at desc, t.id limit ${SAMPLE_TASKS}`,
        readShownBoard(sql, { communityId, period: 'all', role, me: userId, top: BOARD_PREVIEW, now }),
      ])
    : [[], { top: [] }];
  return {
    ...summary,
    rules: row.rules,
    xHandle: row.xHandle,
    inviteThreshold: row.inviteThreshold,
    createdAt: row.createdAt.toISOString(),
    leaders,
    sampleTasks: sampleTasks.map((task) => taskOf(task, now)),
    top: board.top,
  };
}
