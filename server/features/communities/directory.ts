import type { ISql, PendingQuery, Row, TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { CommunityDetail, DirectoryQuery } from '../../contract/communities.ts';
import type { CommunityRole, CommunitySummary } from '../../contract/community.ts';
import { BOARD_PREVIEW, DIRECTORY_PAGE, SAMPLE_TASKS } from '../../contract/limits.ts';
import { leadersOf, readShownBoard } from '../boards/board.ts';
import { type TaskRow, taskColumns, taskOf } from '../tasks/rows.ts';
import { readSummary, summaryColumns } from './rows.ts';

const WORDS_SOUGHT_MAX = 10;

/** Public communities and the asker's own that are sought, the largest first; at most `DIRECTORY_PAGE`. */
export async function listCommunities(
  sql: ISql,
  userId: string | null,
  { search = '', tag, language, below }: DirectoryQuery = {},
): Promise<CommunitySummary[]> {
  const words = search.split(/\s+/).filter(Boolean).slice(0, WORDS_SOUGHT_MAX);
  const plain = (text: PendingQuery<Row[]>) =>
    sql`lower(regexp_replace(normalize(${text}, nfkd), '[\\u0300-\\u036f]', '', 'g'))`;
  const all = sql`concat_ws(' ', c.name, c.description, c.slug, array_to_string(c.tags, ' '))`;
  return sql<CommunitySummary[]>`
    select ${summaryColumns(sql, userId)} from communities c
    where c.status = 'active' and (c.visibility = 'public' or exists (
      select from community_members m where m.community_id = c.id and m.user_id = ${userId}::uuid))
      ${words.length === 0 ? sql`` : sql`and not exists (select from unnest(${words}::text[]) word where strpos(${plain(all)}, ${plain(sql`word`)}) = 0)`}
      ${tag === undefined ? sql`` : sql`and ${tag} = any(c.tags)`}
      ${language === undefined ? sql`` : sql`and ${language} = any(c.languages)`}
      ${below === undefined ? sql`` : sql`and c.members < ${Number(below)}`}
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
  if (!row) throw new HttpError(404, 'NOT_FOUND', 'There is no such community.');
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
    createdAt: row.createdAt.toISOString(),
    leaders,
    sampleTasks: sampleTasks.map((task) => taskOf(task, now)),
    top: board.top,
  };
}
