import type { ISql } from 'postgres';
import { AUDIT_PAGE } from '../../contract/limits.ts';
import type { AuditEntry } from '../../contract/rooms.ts';
import { pageOf, readNumber } from '../../domain/page.ts';
import type { Handlers } from '../../http/handler.ts';

export const auditHandlers = {
  'GET /api/communities/:communityId/audit': async ({ sql, query, community }) => ({
    json: await listEntries(sql, { communityId: community.id, ...query }),
  }),
} satisfies Handlers;

type AuditScope = { communityId: string; after?: string | undefined; action?: string | undefined };
type Row = Omit<AuditEntry, 'at'> & { at: Date };

/** One page of a community's audit, latest first. Throws 400 `INVALID_INPUT` for an invalid `after`. */
async function listEntries(
  sql: ISql,
  { communityId, after, action }: AuditScope,
): Promise<{ items: AuditEntry[]; next: string | null }> {
  const before = readNumber(after);
  const rows = await sql<Row[]>`
    select e.id::text, e.at, e.action, u.display_name as by, e.subject, e.reason
    from audit_entries e left join users u on u.id = e.actor_id
    where e.community_id = ${communityId}
      and ${action === undefined ? sql`true` : sql`e.action = ${action}`}
      and ${before === null ? sql`true` : sql`e.id < ${before}`}
    order by e.id desc limit ${AUDIT_PAGE + 1}`;
  const item = (row: Row): AuditEntry => ({ ...row, at: row.at.toISOString() });
  return pageOf(rows, AUDIT_PAGE, { item, cursor: (row) => row.id });
}
