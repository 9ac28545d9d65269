import type { ISql, Sql } from 'postgres';
import type { AuditEntry, AuditFilters } from '../../contract/desk.ts';
import { AUDIT_PAGE } from '../../contract/limits.ts';
import { isId } from '../../domain/ids.ts';
import { pageOf, readNumber } from '../../domain/page.ts';
import type { Line } from '../exports/table.ts';

type Row = Omit<AuditEntry, 'at' | 'by'> & { at: Date; actorId: string | null; actor: string | null };
type Page = {
  items: AuditEntry[];
  next: string | null;
  actors: { id: string; displayName: string }[];
  actions: string[];
};

/** Rows per query of an export: each page is a separate query, so a slow reader holds no transaction. */
const ROWS_AT_ONCE = 1_000;

const columns = (sql: ISql) => sql`
  e.id::text, e.at, e.action, e.via, e.subject, e.subject_id as "subjectId", e.reason, e.actor_id as "actorId",
  u.display_name as actor`;

const entryOf = ({ actorId, actor, at, ...row }: Row): AuditEntry => ({
  ...row,
  at: at.toISOString(),
  by: actorId === null ? null : { id: actorId, displayName: actor ?? '' },
});

function byWho(sql: ISql, who: AuditFilters['who']) {
  if (who === undefined) return sql`true`;
  if (who === 'server') return sql`e.actor_id is null and e.via is null`;
  if (who === 'cli' || who === 'config') return sql`e.via = ${who}`;
  return sql`e.actor_id = ${who}`;
}

function about(sql: ISql, subject: string | undefined) {
  const words = subject?.trim().toLowerCase() ?? '';
  if (words === '') return sql`true`;
  return isId(words) ? sql`e.subject_id = ${words}` : sql`strpos(lower(e.subject), ${words}) > 0`;
}

/** Condition on `audit_entries e`: of the instance, with the filters. */
const matching = (sql: ISql, { who, act, subject, from, to }: AuditFilters) => sql`
  e.community_id is null and ${byWho(sql, who)} and ${about(sql, subject)}
  and ${act === undefined ? sql`true` : sql`e.action = ${act}`}
  and ${from === undefined ? sql`true` : sql`e.at >= ${from}::timestamptz`}
  and ${to === undefined ? sql`true` : sql`e.at < ${to}::timestamptz`}`;

/** One page of the instance's audit, latest first. Throws 400 `INVALID_INPUT` for an invalid `after`. */
export async function listAudit(
  sql: ISql,
  { after, ...filters }: AuditFilters & { after?: string | undefined },
): Promise<Page> {
  const before = readNumber(after);
  const [rows, actors, actions] = await Promise.all([
    sql<Row[]>`
      select ${columns(sql)} from audit_entries e left join users u on u.id = e.actor_id
      where ${matching(sql, filters)} and ${before === null ? sql`true` : sql`e.id < ${before}`}
      order by e.id desc limit ${AUDIT_PAGE + 1}`,
    sql<{ id: string; displayName: string }[]>`
      select id, display_name as "displayName" from users
      where id in (select actor_id from audit_entries where community_id is null) order by display_name, id`,
    sql<{ action: string }[]>`select distinct action from audit_entries where community_id is null order by action`,
  ]);
  const page = pageOf(rows, AUDIT_PAGE, { item: entryOf, cursor: (row) => row.id });
  return { ...page, actors: [...actors], actions: actions.map(({ action }) => action) };
}

export const AUDIT_COLUMNS = ['id', 'at', 'action', 'by', 'by_id', 'via', 'subject', 'subject_id', 'reason'] as const;

/** The same as lines of a file, the oldest first. */
export async function* auditLines(sql: Sql, filters: AuditFilters): AsyncGenerator<Line[]> {
  for (let last = '0'; ; ) {
    const rows: Row[] = await sql<Row[]>`
      select ${columns(sql)} from audit_entries e left join users u on u.id = e.actor_id
      where ${matching(sql, filters)} and e.id > ${last} order by e.id limit ${ROWS_AT_ONCE}`;
    if (rows.length > 0)
      yield rows.map(({ id, at, action, actor, actorId, via, subject, subjectId, reason }) => ({
        id,
        at: at.toISOString(),
        action,
        by: actor,
        by_id: actorId,
        via,
        subject,
        subject_id: subjectId,
        reason,
      }));
    last = rows.at(-1)?.id ?? last;
    if (rows.length < ROWS_AT_ONCE) return;
  }
}
