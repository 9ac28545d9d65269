import type { TransactionSql } from 'postgres';

/** From now on no import offers the community to the person: they left, were removed, or declined. */
export async function closeOffer(
  tx: TransactionSql,
  { communityId, userId, now }: { communityId: string; userId: string; now: Date },
): Promise<void> {
  await tx`
    insert into closed_offers (community_id, user_id, closed_at) values (${communityId}, ${userId}, ${now})
    on conflict do nothing`;
}
