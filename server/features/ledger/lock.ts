import type { TransactionSql } from 'postgres';

/**
 * Waits until nobody else writes points, boards or seasons of the communities, one after the other, and keeps others
 * waiting until the transaction ends. A change of a membership takes its community's lock too (`standings_follow_membership`), so that
 * who competes is never read too early. What is `beside` goes with the same statement.
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
