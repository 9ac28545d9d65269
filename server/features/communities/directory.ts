import type { ISql, PendingQuery, Row } from 'postgres';
import type { DirectoryQuery } from '../../contract/communities.ts';
import type { CommunitySummary } from '../../contract/community.ts';
import { DIRECTORY_PAGE } from '../../contract/limits.ts';
import { summaryColumns } from './rows.ts';

const WORDS_SOUGHT_MAX = 10;

/** Public communities and the asker's own that are sought, those that an administrator features first, then the largest; at most `DIRECTORY_PAGE`. */
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
    order by c.featured_at is null, members desc, c.created_at, c.id limit ${DIRECTORY_PAGE}`;
}
