import type { Sql, TransactionSql } from 'postgres';
import type { CountedCommunity } from '../../contract/boards.ts';
import { prose } from '../../domain/text.ts';
import { type AuditEvent, audit } from '../audit/audit.ts';

/** Public communities, those that count on the instance's board first. */
export const listCounted = (sql: Sql | TransactionSql): Promise<CountedCommunity[]> =>
  sql<CountedCommunity[]>`
    select id, slug, name, members, counts_on_instance as counts from communities
    where visibility = 'public' and status = 'active'
    order by counts_on_instance desc, members desc, slug limit 500`;

type Word = { communityId: string; counts: boolean; reason: string; now: Date } & Pick<AuditEvent, 'actorId' | 'via'>;

/**
 * Whether points that are earned in a community from now on count on the instance's board; earlier ones stay. Null:
 * there is no such community.
 */
export async function setCounted(
  tx: TransactionSql,
  { communityId, counts, now, reason: given, ...who }: Word,
): Promise<CountedCommunity | null> {
  const reason = prose('reason', given);
  const [row] = await tx<CountedCommunity[]>`
    update communities set counts_on_instance = ${counts} where id = ${communityId}
    returning id, slug, name, members, counts_on_instance as counts`;
  if (!row) return null;
  await audit(tx, {
    ...who,
    communityId: null,
    action: counts ? 'board.counted' : 'board.not_counted',
    subject: row.name,
    subjectId: communityId,
    reason,
    at: now,
  });
  return row;
}
