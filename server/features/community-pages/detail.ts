import type { TransactionSql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import type { CommunityDetail } from '../../contract/communities.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { BOARD_PREVIEW, SAMPLE_TASKS } from '../../contract/limits.ts';
import { type TaskRow, taskOf } from '../../domain/task-row.ts';
import { leadersOf, readShownBoard } from '../boards/board.ts';
import { readSummary } from '../communities/rows.ts';
import { taskColumns } from '../tasks/rows.ts';

type About = {
  rules: string;
  xHandle: string | null;
  inviteThreshold: number;
  createdAt: Date;
  embedding: boolean;
  invitedBy: string | null;
};

/**
 * A community's public data; its tasks and board only where it is public or the caller is a member. `sql` must be one
 * snapshot.
 */
export async function readDetail(
  sql: TransactionSql,
  scope: { communityId: string; userId: string | null; role: CommunityRole | null; now: Date },
): Promise<CommunityDetail> {
  const { communityId, userId, role, now } = scope;
  const [summary, about, leaders] = await Promise.all([
    readSummary(sql, communityId, userId),
    sql<About[]>`
      select rules, x_handle as "xHandle", invite_threshold as "inviteThreshold", created_at as "createdAt", embedding,
        (select shown_name(u) from referrals r join users u on u.id = r.inviter_id
          where r.community_id = c.id and r.invitee_id = ${userId}) as "invitedBy"
      from communities c where id = ${communityId}`,
    leadersOf(sql, communityId),
  ]);
  const [row] = about;
  if (!row) throw notFound('community');
  const open = summary.visibility === 'public' || role !== null;
  const [sampleTasks, board] = open
    ? await Promise.all([
        sql<TaskRow[]>`
          select ${taskColumns(sql)} from tasks t
          where t.community_id = ${communityId} and t.status = 'live' and (t.closes_at is null or t.closes_at > ${now})
          order by t.created_at desc, t.id limit ${SAMPLE_TASKS}`,
        readShownBoard(sql, { communityId, period: 'all', role, me: userId, top: BOARD_PREVIEW, now }),
      ])
    : [[], { top: [] }];
  return {
    ...summary,
    rules: row.rules,
    xHandle: row.xHandle,
    inviteThreshold: row.inviteThreshold,
    ...(role === 'leader' && { embedding: row.embedding }),
    ...(row.invitedBy !== null && { invitedBy: row.invitedBy }),
    createdAt: row.createdAt.toISOString(),
    leaders,
    sampleTasks: sampleTasks.map((task) => taskOf(task, now)),
    top: board.top,
  };
}
