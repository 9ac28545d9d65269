import type { ISql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { Claim, ClaimState, ClaimStep } from '../../contract/claims.ts';
import type { CommunityRole } from '../../contract/community.ts';
import { REVIEW_PAGE, SIMILAR_COMPARED, SIMILAR_FROM, SIMILAR_SHOWN } from '../../contract/limits.ts';
import type { ReviewItem } from '../../contract/review.ts';
import type { TaskKind } from '../../contract/tasks.ts';
import { forReviewer } from '../../domain/deciding.ts';
import { isId } from '../../domain/ids.ts';
import { setupOf, type TaskRow, taskOf } from '../../domain/task-row.ts';
import { likeness } from '../../domain/text.ts';
import { kindOf } from '../../kinds/kinds.ts';
import { readPapers } from '../quiz/attempts.ts';
import { askIn, taskColumns } from '../tasks/rows.ts';
import { type ClaimRow, claimColumns, claimOf } from './claim-row.ts';
import { readHistories } from './history.ts';
import { appealsFor, isBeingChecked } from './waiting.ts';

type Queue = {
  communityId: string;
  reviewerId: string;
  role?: CommunityRole | null;
  now: Date;
  after?: string | undefined;
  taskId?: string | undefined;
  state?: ClaimState | undefined;
  kind?: TaskKind | undefined;
  only?: 'appeals' | undefined;
  search?: string | undefined;
};
type QueueRow = ClaimRow & {
  task: TaskRow;
  memberId: string;
  displayName: string;
  telegramUsername: string | null;
  twitterUsername: string | null;
  joinedAt: Date;
  approved: number;
  rejected: number;
  hasPassed: boolean;
  cursor: string;
};

/** What a queue is narrowed to: claims `c` of a task, of a kind, appeals alone, a name or a title with `search` in it. */
const narrowedTo = (sql: ISql, { taskId, kind, only, search = '' }: Queue) => {
  const words = search.trim().toLowerCase();
  const narrows = [
    taskId === undefined ? [] : [sql`and c.task_id = ${taskId}`],
    // A value, which leaves the order of the claims as it is.
    kind === undefined ? [] : [sql`and (select t.kind from tasks t where t.id = c.task_id) = ${kind}`],
    only === undefined ? [] : [sql`and c.appeal_outcome = 'open'`],
    words === ''
      ? []
      : [
          sql`and (exists (select from tasks t where t.id = c.task_id and strpos(lower(t.title), ${words}) > 0)
            or exists (select from users u where u.id = c.user_id and strpos(lower(u.display_name), ${words}) > 0))`,
        ],
  ].flat();
  return narrows.reduce((all, one) => sql`${all} ${one}`, sql``);
};

/** Open appeals first, then longest waiting; the text sorts in this order. */
const cursorText = (sql: ISql) => sql`
  (case when c.appeal_outcome = 'open' then 'a' else 'b' end || '.'
    || to_char(coalesce(case when c.appeal_outcome = 'open' then c.appeal_at end, c.submitted_at) at time zone 'UTC',
      'YYYYMMDDHH24MISSUS') || '.' || c.id) collate "C"`;
const CURSOR = /^([ab])\.(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{6})\.([0-9a-f-]{36})$/;

/** Throws 400 `INVALID_INPUT` for what `placeOf` cannot have written. */
function readQueueCursor(after: string): { isAppeal: boolean; at: string; id: string } {
  const [, rank, year, month, day, hour, minute, second, micros, id = ''] = CURSOR.exec(after) ?? [];
  const at = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const time = new Date(`${at}Z`);
  // PostgreSQL has no year 0 and no invalid days.
  const isTime = !Number.isNaN(time.getTime()) && year !== '0000' && time.toISOString().startsWith(at);
  if (!isTime || !isId(id)) throw new HttpError(400, 'INVALID_INPUT', 'after: names no place in the list');
  return { isAppeal: rank === 'a', at: `${at}.${micros}Z`, id };
}

/**
 * Claims with their cursor: open appeals, then answers, each in the order of its index, so a page reads only a page. With
 * `state` those of that state, by all deciders.
 */
function inOrder(sql: ISql, scope: Queue) {
  const { communityId, reviewerId, state } = scope;
  const after = scope.after === undefined ? null : readQueueCursor(scope.after);
  // A generic plan uses the partial index `claims_other` only when the query repeats its condition.
  const isOther = state === 'approved' ? sql`true` : sql`c.state <> 'approved'`;
  const ofState = sql`c.state = ${state ?? null} and ${isOther}`;
  const among = (narrowed: Queue) => sql`
    c.community_id = ${communityId} and c.user_id <> ${reviewerId} ${narrowedTo(sql, narrowed)}
    and ${state === undefined ? sql`not ${isBeingChecked(sql, 'c')}` : ofState}`;
  const appeals = state === undefined ? appealsFor(sql, reviewerId) : sql`c.appeal_outcome = 'open'`;
  const waiting = state === undefined ? sql`c.state in ('submitted', 'checking')` : sql`true`;
  const beyond = (time: ReturnType<ISql>) =>
    after ? sql`(${time}, c.id) > (${after.at}::text::timestamptz, ${after.id}::uuid)` : sql`true`;
  // The first of each task: the order of the whole queue would read answers to other tasks. `claims_waiting` has all that is asked.
  const isOfTasks = state === undefined && (scope.taskId !== undefined || scope.kind !== undefined);
  const inTurn = sql`
    ${among(isOfTasks ? { ...scope, taskId: undefined, kind: undefined } : scope)} and ${waiting} and c.appeal_outcome is distinct from 'open'
    and ${after?.isAppeal ? sql`true` : beyond(sql`c.submitted_at`)}`;
  const first = sql`order by c.submitted_at, c.id limit ${REVIEW_PAGE + 1}`;
  const answers = isOfTasks
    ? sql`(
        select c.* from (
          select due.id from tasks t cross join lateral (
            select c.id, c.submitted_at from claims c where c.task_id = t.id and ${inTurn} ${first}) due
          where t.community_id = ${communityId} and ${scope.taskId === undefined ? sql`true` : sql`t.id = ${scope.taskId}`}
            and ${scope.kind === undefined ? sql`true` : sql`t.kind = ${scope.kind}`}
          order by due.submitted_at, due.id limit ${REVIEW_PAGE + 1}) due
        join claims c on c.id = due.id and c.community_id = ${communityId})`
    : sql`claims`;
  return sql`
    (select *, ${cursorText(sql)} as place from claims c
      where ${among(scope)} and ${appeals} and ${after?.isAppeal === false ? sql`false` : beyond(sql`c.appeal_at`)}
      order by c.appeal_at, c.id limit ${REVIEW_PAGE + 1})
    union all
    (select *, ${cursorText(sql)} as place from ${answers} c where ${isOfTasks ? sql`true` : inTurn} ${first})`;
}

/**
 * One page of the review queue. With `state` it has claims of that state instead, by all deciders. Throws 400
 * `INVALID_INPUT` for an invalid `after`.
 */
export async function readQueue(sql: ISql, scope: Queue): Promise<{ items: ReviewItem[]; next: string | null }> {
  const { reviewerId, role, now } = scope;
  const rows = await sql<QueueRow[]>`
    select ${claimColumns(sql)},
      to_jsonb(task) as task, c.place as cursor,
      u.id as "memberId", u.display_name as "displayName", u.telegram_username as "telegramUsername",
      u.twitter_username as "twitterUsername", coalesce(m.joined_at, c.submitted_at) as "joinedAt",
      past.approved, past.rejected,
      exists (select from claims own
        where own.community_id = c.community_id and own.task_id = c.task_id and own.user_id = ${reviewerId}
        and own.state = 'approved') as "hasPassed"
    from (
      select * from (${inOrder(sql, scope)}) w order by place limit ${REVIEW_PAGE + 1}
    ) c
    cross join lateral (select ${taskColumns(sql)} from tasks t where t.id = c.task_id and t.community_id = c.community_id) task
    join users u on u.id = c.user_id
    left join users reviewer on reviewer.id = c.decided_by
    left join community_members m on m.community_id = c.community_id and m.user_id = c.user_id
    cross join lateral (
      select count(*) filter (where state = 'approved')::int as approved,
        count(*) filter (where state = 'rejected' and decided_by is not null)::int as rejected
      from claims p where p.community_id = c.community_id and p.user_id = c.user_id
    ) past
    order by c.place`;
  const shown = rows.slice(0, REVIEW_PAGE);
  const histories = await readHistories(
    sql,
    scope.communityId,
    shown.map(({ id }) => id),
  );
  const papers = await readPapers(sql, shown.flatMap(attemptIn), role === 'leader');
  const paperOf = (row: QueueRow) => {
    const paper = role === 'leader' || row.hasPassed ? attemptIn(row).map((id) => papers.get(id))[0] : undefined;
    return paper && { paper };
  };
  const items = shown.map((row) => ({
    ...claimWithHistory(row, histories.get(row.id) ?? [], role),
    task: taskOf(row.task, now),
    ask: askIn(setupOf(row.task), { publicKey: null, seed: `${row.task.id}\n${row.memberId}\n${row.period}` }),
    right: rightOf(row, role),
    ...paperOf(row),
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
  return { items, next: rows.length > REVIEW_PAGE ? (shown.at(-1)?.cursor ?? null) : null };
}

const attemptIn = ({ evidence }: Pick<QueueRow, 'evidence'>): string[] =>
  evidence?.kind === 'quiz' && evidence.attemptId !== undefined ? [evidence.attemptId] : [];

function claimWithHistory(
  row: QueueRow,
  steps: ClaimStep[],
  role: CommunityRole | null | undefined,
): Pick<ReviewItem, 'claim' | 'history'> {
  const { history, ...claim } = forReviewer({ ...claimOf(row), history: steps }, role, row.hasPassed);
  return { claim, history };
}

/** The right answers, for who may know them. */
function rightOf({ task, hasPassed }: QueueRow, role: CommunityRole | null | undefined): ReviewItem['right'] {
  const setup = setupOf(task);
  return role === 'leader' || hasPassed ? (kindOf(setup.kind).right?.(setup) ?? null) : null;
}

type Answer = {
  id: string;
  taskId: string;
  userId: string;
  hash: Buffer | null;
  evidence: ClaimRow['evidence'];
  submittedAt: Date;
};

/**
 * Other answers to the same task that are like this one, the most alike first; of the latest `SIMILAR_COMPARED`. Beside
 * them the same answer of the same member to other tasks. Throws 404 `NOT_FOUND`.
 */
export async function readSimilar(
  sql: ISql,
  { communityId, claimId }: { communityId: string; claimId: string },
): Promise<{ claim: Claim; displayName: string; likeness: number }[]> {
  const columns = sql`
    c.id, c.task_id as "taskId", c.user_id as "userId", c.answer_hash as hash, c.evidence, c.submitted_at as "submittedAt"`;
  const [one] = isId(claimId)
    ? await sql<Answer[]>`select ${columns} from claims c where c.id = ${claimId} and c.community_id = ${communityId}`
    : [];
  if (!one) throw notFound('claim');
  // The same answer is found however long ago it was.
  const others = await sql<Answer[]>`
    (select ${columns} from claims c where c.task_id = ${one.taskId} and c.answer_hash is not null
      order by c.submitted_at desc limit ${SIMILAR_COMPARED})
    union all
    (select ${columns} from claims c where c.task_id = ${one.taskId} and c.answer_hash = ${one.hash} limit ${SIMILAR_SHOWN})
    union all
    (select ${columns} from claims c
      where c.community_id = ${communityId} and c.user_id = ${one.userId} and c.answer_hash = ${one.hash}
      limit ${SIMILAR_SHOWN})`;
  const alike = [...new Map(others.map((other) => [other.id, other])).values()]
    .filter(({ id }) => id !== one.id)
    .map((other) => ({ id: other.id, at: other.submittedAt, likeness: likenessOf(one, other) }))
    .filter(({ likeness }) => likeness >= SIMILAR_FROM)
    .sort((a, b) => b.likeness - a.likeness || b.at.getTime() - a.at.getTime())
    .slice(0, SIMILAR_SHOWN);
  const rows = await sql<(ClaimRow & { displayName: string })[]>`
    select ${claimColumns(sql)}, u.display_name as "displayName"
    from claims c join users u on u.id = c.user_id left join users reviewer on reviewer.id = c.decided_by
    where c.id = any(${alike.map(({ id }) => id)}::uuid[])`;
  const found = new Map(rows.map((row) => [row.id, row]));
  return alike.flatMap(({ id, likeness }) => {
    const row = found.get(id);
    return row ? [{ claim: claimOf(row), displayName: row.displayName, likeness }] : [];
  });
}

function likenessOf(one: Answer, other: Answer): number {
  if (one.hash !== null && other.hash?.equals(one.hash)) return 1;
  if (one.evidence?.kind !== 'submit_text' || other.evidence?.kind !== 'submit_text') return 0;
  return likeness(one.evidence.text, other.evidence.text);
}
