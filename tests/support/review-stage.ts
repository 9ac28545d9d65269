import type { Sql } from 'postgres';
import { expect } from 'vitest';
import type { Evidence } from '../../server/contract/claims.ts';
import type { NewDecision } from '../../server/contract/review.ts';
import { decideClaim } from '../../server/features/claims/decision.ts';
import { appeal, readClaim, resubmit } from '../../server/features/claims/mine.ts';
import { reverseClaim } from '../../server/features/claims/reversal.ts';
import { readQueue } from '../../server/features/claims/review.ts';
import { countWaiting } from '../../server/features/claims/waiting.ts';
import { stage, versionNow } from './engagement.ts';
import { later, MINUTE, NOON } from './task-stage.ts';

export type ReviewStage = Awaited<ReturnType<typeof openReviewStage>>;

/** What a member sends for a task that asks for text. */
export const words = (text: string): Evidence => ({ kind: 'submit_text', text });

/**
 * A new community with a member and a task of 35 points that asks for text, for one test of reviews, and the steps of a
 * review. Each step is taken at noon, by the member or by the community's moderator, where a test says nothing else.
 */
export async function openReviewStage(sql: Sql) {
  const on = stage(sql);
  const place = await on.community();
  const member = await on.member(place.id);
  const task = await on.task(place, { kind: 'submit_text', points: 35 });
  const points = async (userId = member) => {
    const [row] = await sql<[{ ledger: number | null; standing: number | null }]>`
      select (select sum(points)::int from point_events where community_id = ${place.id} and user_id = ${userId}) as ledger,
        (select points from standings where community_id = ${place.id} and user_id = ${userId} and period = 'all') as standing`;
    expect(row.ledger).toBe(row.standing);
    return row.ledger;
  };
  // By somebody who has just looked, where a test does not name the version that they saw.
  const decide = async (claimId: string, input: NewDecision, by = place.moderator, now = NOON) => {
    const version = await versionNow(sql, claimId);
    const asked = { communityId: place.id, claimId, reviewerId: by, now };
    return sql.begin((tx) => decideClaim(tx, asked, { ...version, ...input }));
  };
  const mine = (claimId: string, now = NOON, userId = member) => ({ communityId: place.id, claimId, userId, now });
  const answer = (claimId: string, evidence: Evidence, userId = member) =>
    sql.begin((tx) => resubmit(tx, mine(claimId, later(MINUTE), userId), { evidence }));
  const complain = (claimId: string, now = NOON, userId = member) =>
    sql.begin((tx) => appeal(tx, mine(claimId, now, userId), { text: 'It was there, look again.' }));
  const reverse = (claimId: string, by = place.leader) =>
    sql.begin((tx) =>
      reverseClaim(tx, { communityId: place.id, claimId, leaderId: by, now: NOON }, { reason: 'A copy' }),
    );
  const detail = (claimId: string, now = NOON, userId = member, role: 'member' | 'moderator' = 'member') =>
    sql.begin((tx) => readClaim(tx, { ...mine(claimId, now, userId), role }));
  const reject = (claimId: string, by?: string) => decide(claimId, { decision: 'reject', reason: 'Too short' }, by);
  const queue = async (reviewerId = place.moderator) => {
    const asked = { communityId: place.id, reviewerId, now: NOON };
    const { items } = await readQueue(sql, asked);
    expect(await countWaiting(sql, asked)).toBe(items.length);
    return items.map((item) => item.claim.id);
  };
  return { on, place, member, task, points, decide, mine, answer, complain, reverse, detail, reject, queue };
}
