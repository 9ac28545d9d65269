import type { TransactionSql } from 'postgres';

/**
 * Takes the lock for points, boards and seasons of the communities, in order, for the transaction. Membership changes
 * take the same lock (`standings_follow_membership`), so competitors are never read too early. `beside` joins the same
 * statement.
 */
export async function lockCommunities(
  tx: TransactionSql,
  communityIds: readonly string[],
  beside = tx``,
): Promise<void> {
  await tx`
    select pg_advisory_xact_lock(hashtextextended(place, 4)) ${beside}
    from unnest(${[...communityIds]}::text[]) place`.execute();
}

export const lockCommunity = (tx: TransactionSql, communityId: string): Promise<void> =>
  lockCommunities(tx, [communityId]);
