import type { TransactionSql } from 'postgres';

/** Waits until nobody else writes points, standings or seasons of the community, until the transaction ends. */
export async function takeTurn(tx: TransactionSql, communityId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${communityId}, 4))`;
}
