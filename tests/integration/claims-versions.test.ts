/** A decision is about what was seen: whatever happened to the claim since, it decides nothing else. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { BulkResult, Decision, NewDecision } from '../../server/contract/review.ts';
import { decideAll } from '../../server/features/claims/decision.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusal } from '../support/engagement.ts';
import { ofFile } from '../support/of-file.ts';
import { openReviewStage, type ReviewStage, words } from '../support/review-stage.ts';
import { NOON } from '../support/task-stage.ts';

let on: ReviewStage;
const db = await ofFile(createTestDatabase());

beforeEach(async () => {
  on = await openReviewStage(db.sql);
});

const DECISIONS: Record<Decision, NewDecision> = {
  approve: { decision: 'approve' },
  reject: { decision: 'reject', reason: 'Too short' },
  request_changes: { decision: 'request_changes', reason: 'Say where' },
};
type Change = { reason: 'CLAIM_CHANGED' | 'ALREADY_DECIDED'; happens: (claimId: string) => Promise<unknown> };
/** What happens to a claim after somebody has looked at it as it was sent first. */
const CHANGES: Record<string, Change> = {
  'sent back': {
    reason: 'ALREADY_DECIDED',
    happens: (id) => on.decide(id, DECISIONS.request_changes, on.place.leader),
  },
  'sent back and rewritten': {
    reason: 'CLAIM_CHANGED',
    happens: async (id) => {
      await on.decide(id, DECISIONS.request_changes, on.place.leader);
      await on.answer(id, words('Something else altogether'));
    },
  },
  'turned down': { reason: 'ALREADY_DECIDED', happens: (id) => on.reject(id, on.place.leader) },
  'turned down and appealed': {
    reason: 'CLAIM_CHANGED',
    happens: async (id) => {
      await on.reject(id, on.place.leader);
      await on.complain(id);
    },
  },
  'turned down, appealed and turned down again': {
    reason: 'ALREADY_DECIDED',
    happens: async (id) => {
      await on.reject(id, on.place.moderator);
      await on.complain(id);
      await on.reject(id, on.place.leader);
    },
  },
  counted: { reason: 'ALREADY_DECIDED', happens: (id) => on.decide(id, DECISIONS.approve, on.place.leader) },
  'counted and taken back': {
    reason: 'ALREADY_DECIDED',
    happens: async (id) => {
      await on.decide(id, DECISIONS.approve, on.place.leader);
      await on.reverse(id);
    },
  },
};
const BULK: Record<Change['reason'], BulkResult['outcome']> = {
  CLAIM_CHANGED: 'changed',
  ALREADY_DECIDED: 'already_decided',
};
const cases = Object.keys(CHANGES).flatMap((change) =>
  (Object.keys(DECISIONS) as Decision[]).flatMap((decision) =>
    (['as it was first', 'without saying so'] as const).map((seen) => ({ change, decision, seen })),
  ),
);

/** All that a decision can move. */
async function everything(claimId: string) {
  const [claims, events, audited, points] = await Promise.all([
    db.sql`select to_jsonb(c) as row from claims c where id = ${claimId}`,
    db.sql`select to_jsonb(e) as row from claim_events e where claim_id = ${claimId} order by id`,
    db.sql`select action from audit_entries where subject_id = ${claimId} order by id`,
    db.sql`select to_jsonb(p) as row from point_events p where claim_id = ${claimId} order by id`,
  ]);
  return JSON.stringify([claims, events, audited, points]);
}

describe('a decision about a claim that was seen', () => {
  it.each(cases)('$seen, to $decision, decides nothing once it is $change', async ({ change, decision, seen }) => {
    const { reason, happens } = CHANGES[change] as Change;
    const claim = await on.on.claim(on.place, on.task, on.member, { text: 'my words', now: NOON });
    expect(claim.version).toBe(1);
    await happens(claim.id);
    const before = await everything(claim.id);
    const now = await on.detail(claim.id);
    const late = { ...DECISIONS[decision], version: seen === 'as it was first' ? claim.version : undefined };
    expect(await refusal(on.decide(claim.id, late))).toMatchObject({
      status: 409,
      reason,
      details: { claim: { id: claim.id, version: now.version, state: now.state, evidence: now.evidence } },
    });
    const reviewer = { communityId: on.place.id, reviewerId: on.place.moderator, now: NOON };
    const bulk = await db.sql.begin((tx) => decideAll(tx, reviewer, [{ claimId: claim.id, ...late }]));
    expect(bulk).toMatchObject([{ claimId: claim.id, outcome: BULK[reason], claim: { version: now.version } }]);
    expect(await everything(claim.id)).toBe(before);
  });

  it.each(Object.keys(DECISIONS) as Decision[])(
    'as it is, to %s, is made, also by who names no version',
    async (how) => {
      for (const version of [1, undefined]) {
        const member = await on.on.member(on.place.id);
        const { id } = await on.on.claim(on.place, on.task, member, { text: `my words ${version}`, now: NOON });
        expect(await on.decide(id, { ...DECISIONS[how], version })).toMatchObject({ id, version: 2 });
      }
    },
  );

  it('rewritten is made by who names what is there now', async () => {
    const { id } = await on.on.claim(on.place, on.task, on.member, { text: 'my words', now: NOON });
    await CHANGES['sent back and rewritten']?.happens(id);
    const { version } = await on.detail(id);
    expect(await on.decide(id, { decision: 'approve', version })).toMatchObject({ state: 'approved' });
    expect(await on.points()).toBe(35);
  });
});
