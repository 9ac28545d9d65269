import type { ISql } from 'postgres';
import type { CommunitySummary } from '../../contract/community.ts';

/** Columns of a `CommunitySummary` from `communities c`, but for the role. */
const COLUMNS = `
  c.id, c.slug, c.name, c.description, c.tags, c.languages, c.visibility, c.members, c.featured_at is not null as featured,
  c.leagues_since is not null as leagues,
  (select count(*)::int from tasks t
    where t.community_id = c.id and t.status = 'live' and (t.closes_at is null or t.closes_at > now())) as "openTasks"`;

/** All its columns, as `userId` (null: a visitor) sees them. */
export const summaryColumns = (sql: ISql, userId: string | null) => sql`
  ${sql.unsafe(COLUMNS)},
  (select role from community_members m where m.community_id = c.id and m.user_id = ${userId}::uuid) as role`;

/** The same as text; `user` names a parameter. */
export const summaryText = (user: string) => `
  ${COLUMNS}, (select role from community_members m where m.community_id = c.id and m.user_id = ${user}::uuid) as role`;

/** One community as `userId` sees it. The caller has checked that it exists and is visible. */
export async function readSummary(sql: ISql, communityId: string, userId: string | null): Promise<CommunitySummary> {
  const [row] = await sql<CommunitySummary[]>`
    select ${summaryColumns(sql, userId)} from communities c where c.id = ${communityId}`;
  if (!row) throw new Error(`community ${communityId} is gone`);
  return row;
}
