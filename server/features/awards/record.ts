import type { TransactionSql } from 'postgres';
import { awardBadges } from '../badges/award.ts';
import { type PointEvent, record } from '../ledger/record.ts';
import { qualifyGuests } from '../referral/referral.ts';

/**
 * Writes points into the ledger and gives what follows from them, in the same transaction: badges, and invited people
 * who count from now on. Every writer of points comes through here. Answers the ids of the lines that were written, see
 * `record`; it locks the communities, so call it last.
 */
export async function recordPoints(tx: TransactionSql, now: Date, events: readonly PointEvent[]): Promise<string[]> {
  const gains = events.filter(({ kind, points }) => kind === 'award' || points > 0);
  const recorded = record(tx, now, events);
  if (gains.length === 0) return recorded;
  // Pipelined with the ledger's statements, so the lock is held for one round trip.
  const following = Promise.all([awardBadges(tx, now, gains), qualifyGuests(tx, now, gains)]);
  // After points that were not written the rest fails too: what is thrown is why they were not.
  following.catch(() => undefined);
  const ids = await recorded;
  await following;
  return ids;
}
