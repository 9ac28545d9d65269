import type { Sql } from 'postgres';
import type { Evidence } from '../../contract/claims.ts';
import type { TaskKind } from '../../contract/tasks.ts';
import { setupOf } from '../../domain/task-row.ts';
import { kindOf } from '../../kinds/kinds.ts';
import type { Line } from './table.ts';

/** Rows per query: each page is a separate query, so a slow reader holds no transaction. */
const ROWS_AT_ONCE = 1_000;

export type Table = {
  columns: readonly string[];
  pages(sql: Sql, communityId: string): AsyncGenerator<Line[]>;
};

/** Rows with their position: times as text, because the driver cuts them to milliseconds. */
type ExportRow = { positionAt: string; positionId: string; line: Line };
type Read = (sql: Sql, communityId: string, after: ExportRow | null) => Promise<ExportRow[]>;

async function* pagesOf(read: Read, sql: Sql, communityId: string): AsyncGenerator<Line[]> {
  let last: ExportRow | null = null;
  for (;;) {
    const rows: ExportRow[] = await read(sql, communityId, last);
    if (rows.length > 0) yield rows.map((row) => row.line);
    last = rows.at(-1) ?? null;
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

const instant = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const readMembers: Read = (sql, communityId, after) => sql<ExportRow[]>`
  select m.joined_at::text as "positionAt", m.user_id as "positionId", jsonb_build_object(
    'id', m.user_id, 'name', u.display_name, 'telegram', u.telegram_username,
    'telegram_id', u.telegram_user_id::text, 'x', u.twitter_username, 'role', m.role,
    'joined', to_char(m.joined_at at time zone 'UTC', ${sql.unsafe(instant)}), 'points', coalesce(s.points, 0)) as line
  from community_members m join users u on u.id = m.user_id
  left join scores s on s.community_id = m.community_id and s.user_id = m.user_id
  where m.community_id = ${communityId}
    and ${after ? sql`(m.joined_at, m.user_id) > (${after.positionAt}::text::timestamptz, ${after.positionId}::uuid)` : sql`true`}
  order by m.joined_at, m.user_id limit ${ROWS_AT_ONCE}`;

/** People of an import who have not come yet, in the columns of the members: both files move in again elsewhere. */
const readWaiting: Read = (sql, communityId, after) => sql<ExportRow[]>`
  select p.line::text as "positionAt", p.import_id as "positionId", jsonb_build_object(
    'id', null, 'name', p.name, 'telegram', p.telegram_username, 'telegram_id', p.telegram_user_id::text,
    'x', p.x_handle, 'role', 'member',
    'joined', to_char(p.joined_at at time zone 'UTC', ${sql.unsafe(instant)}), 'points', p.points) as line
  from imported_people p
  where p.community_id = ${communityId} and p.state = 'waiting'
    and ${after ? sql`(p.import_id, p.line) > (${after.positionId}::uuid, ${after.positionAt}::integer)` : sql`true`}
  order by p.import_id, p.line limit ${ROWS_AT_ONCE}`;

/** Tasks as the import takes them; conditions name tasks by ids that are elsewhere others, so they stay here. */
const readTasks: Read = (sql, communityId, after) => sql<ExportRow[]>`
  select t.created_at::text as "positionAt", t.id as "positionId", jsonb_build_object(
    'title', t.title, 'kind', t.kind, 'points', t.points, 'recurrence', t.recurrence, 'status', t.status,
    'instructions', t.instructions, 'setup', t.config::text,
    'schedule', jsonb_build_object('opensAt', to_char(t.opens_at at time zone 'UTC', ${sql.unsafe(instant)}),
      'closesAt', to_char(t.closes_at at time zone 'UTC', ${sql.unsafe(instant)}), 'window', t.local_window)::text,
    'caps', jsonb_build_object('total', t.cap_total, 'member', t.cap_member,
      'coolDownMinutes', t.cool_down_minutes)::text) as line
  from tasks t
  where t.community_id = ${communityId}
    and ${after ? sql`(t.created_at, t.id) > (${after.positionAt}::text::timestamptz, ${after.positionId}::uuid)` : sql`true`}
  order by t.created_at, t.id limit ${ROWS_AT_ONCE}`;

type Answered = { evidence: Evidence | null; kind: TaskKind; config: Record<string, unknown> };
/** What a member answered, in words of its kind; null where the task was of another kind then. */
function answerOf({ evidence, ...task }: Answered): string | null {
  if (evidence?.kind !== task.kind) return null;
  return kindOf(task.kind).exported?.(evidence, setupOf(task)) || null;
}

/** What members added to a link, picture or file is their note. */
const readClaims: Read = async (sql, communityId, after) => {
  const rows = await sql<(ExportRow & Answered)[]>`
  select c.submitted_at::text as "positionAt", c.id as "positionId", jsonb_build_object(
    'id', c.id, 'task', t.title, 'kind', t.kind, 'member', u.display_name, 'member_id', c.user_id,
    'period', c.period, 'state', c.state, 'points', c.points,
    'note', c.evidence->>'note',
    'submitted', to_char(c.submitted_at at time zone 'UTC', ${sql.unsafe(instant)}),
    'decided', to_char(c.decided_at at time zone 'UTC', ${sql.unsafe(instant)}),
    'decided_by', reviewer.display_name, 'reason', c.reason) as line, c.evidence, t.kind, t.config
  from claims c join tasks t on t.id = c.task_id join users u on u.id = c.user_id
  left join users reviewer on reviewer.id = c.decided_by
  where c.community_id = ${communityId}
    and ${after ? sql`(c.submitted_at, c.id) > (${after.positionAt}::text::timestamptz, ${after.positionId}::uuid)` : sql`true`}
  order by c.submitted_at, c.id limit ${ROWS_AT_ONCE}`;
  return rows.map(({ line, ...row }) => ({ ...row, line: { ...line, answer: answerOf(row) } }));
};

/** As on screens (`claim_steps`), an event's steps on one page; evidence stays with the claims. */
const readHistory: Read = (sql, communityId, after) => sql<ExportRow[]>`
  select s.event_id::text as "positionAt", s.claim_id as "positionId", jsonb_build_object(
    'claim_id', s.claim_id, 'at', to_char(s.at at time zone 'UTC', ${sql.unsafe(instant)}), 'kind', s.kind,
    'member', u.display_name, 'member_id', c.user_id, 'task', t.title, 'period', c.period, 'state', s.to_state,
    'by', actor.display_name, 'reason', s.reason, 'points', s.points) as line
  from (
    select id from claim_events where community_id = ${communityId} and id > ${after?.positionAt ?? '0'}
    order by id limit ${ROWS_AT_ONCE}
  ) e
  join claim_steps s on s.event_id = e.id
  join claims c on c.id = s.claim_id join users u on u.id = c.user_id join tasks t on t.id = c.task_id
  left join users actor on actor.id = s.actor_id
  order by s.event_id, s.nth`;

const readLedger: Read = (sql, communityId, after) => sql<ExportRow[]>`
  select p.at::text as "positionAt", p.id::text as "positionId", jsonb_build_object(
    'id', p.id::text, 'at', to_char(p.at at time zone 'UTC', ${sql.unsafe(instant)}), 'kind', p.kind,
    'points', p.points, 'member', u.display_name, 'member_id', p.user_id, 'task', t.title, 'claim_id', p.claim_id,
    'period', p.period, 'by', actor.display_name, 'reason', p.reason) as line
  from point_events p join users u on u.id = p.user_id
  left join tasks t on t.id = p.task_id left join users actor on actor.id = p.actor_id
  where p.community_id = ${communityId} and p.id > ${after?.positionId ?? '0'}
  order by p.id limit ${ROWS_AT_ONCE}`;

const PEOPLE = ['id', 'name', 'telegram', 'telegram_id', 'x', 'role', 'joined', 'points'];

/** What a leader may take along, the oldest rows first. What members answered to quizzes, and images, stay where they are. */
export const tables = {
  members: {
    columns: PEOPLE,
    pages: (sql, communityId) => pagesOf(readMembers, sql, communityId),
  },
  waiting: {
    columns: PEOPLE,
    pages: (sql, communityId) => pagesOf(readWaiting, sql, communityId),
  },
  tasks: {
    columns: ['title', 'kind', 'points', 'recurrence', 'status', 'instructions', 'setup', 'schedule', 'caps'],
    pages: (sql, communityId) => pagesOf(readTasks, sql, communityId),
  },
  claims: {
    columns: [
      'id',
      'task',
      'kind',
      'member',
      'member_id',
      'period',
      'state',
      'points',
      'answer',
      'note',
      'submitted',
      'decided',
      'decided_by',
      'reason',
    ],
    pages: (sql, communityId) => pagesOf(readClaims, sql, communityId),
  },
  history: {
    columns: ['claim_id', 'at', 'kind', 'member', 'member_id', 'task', 'period', 'state', 'by', 'reason', 'points'],
    pages: (sql, communityId) => pagesOf(readHistory, sql, communityId),
  },
  ledger: {
    columns: ['id', 'at', 'kind', 'points', 'member', 'member_id', 'task', 'claim_id', 'period', 'by', 'reason'],
    pages: (sql, communityId) => pagesOf(readLedger, sql, communityId),
  },
} as const satisfies Record<string, Table>;
