import { HttpError } from '../base/http-error.ts';
import type { Claim, ClaimStep } from '../contract/claims.ts';
import type { CommunityRole } from '../contract/community.ts';
import type { Decision, NewDecision } from '../contract/review.ts';
import { kindOf } from '../kinds/kinds.ts';
import { claimPeriods } from '../rules/periods.ts';
import { whyFull } from './gate.ts';
import type { Facts } from './gate-facts.ts';
import { localDay } from './periods.ts';
import {
  alreadyDecided,
  alreadyHas,
  capReached,
  FIRST_VERSION,
  GRANTED,
  isWaiting,
  OUTCOMES,
  type Outcome,
  REFUSED,
  refuseUnseen,
} from './review-rules.ts';
import { refuseLeader } from './roles.ts';
import type { TaskRow } from './task-row.ts';
import { prose } from './text.ts';
import { retryAfter } from './tries.ts';

/** A claim with those whom a decision about it concerns. */
export type Decidable = {
  claim: Claim;
  memberId: string;
  /** Who decided it last; null where nobody did. */
  deciderId: string | null;
};
/** What a decision makes of a claim, whose reader finds the name of its reviewer elsewhere. */
export type Decided = Pick<Claim, 'state' | 'checks' | 'reason' | 'retryAt' | 'appeal'> & {
  decidedAt: string;
  outcome: Outcome;
};

/** The reason of a decision. Throws 422 `REASON_REQUIRED` where one is needed and missing. */
export function reasonOf({ decision, reason }: Pick<NewDecision, 'decision' | 'reason'>): string | null {
  if (reason !== undefined && reason !== '') return prose('reason', reason);
  if (decision === 'approve') return null;
  throw new HttpError(422, 'REASON_REQUIRED', 'Say why: the member reads it and may try again.');
}

/** What decides about a decision, as it is while nobody else decides about the claim. */
export type ReviewFacts = Decidable & {
  /** The claim as its reader gets it. */
  shown: Claim;
  coolDownMinutes: number;
  reviewerId: string;
  /** Who may review in the community. */
  reviewers: readonly string[];
  /** Why the task has no place for what is granted on appeal; null where it has one. */
  full: ReturnType<typeof whyFull>;
};

/**
 * Decides a waiting claim, or the appeal against its rejection. If there is another reviewer, an appeal is not decided
 * by the one who rejected. A rejected claim does not count towards the task's caps, so granting its appeal needs free
 * capacity. Throws what `reasonOf` and `refuseUnseen` throw, 403 `OWN_CLAIM`, `OWN_DECISION`, 422 `NOT_FOR_APPEALS`,
 * 409 `CAP_REACHED`.
 */
export function decide(facts: ReviewFacts, input: NewDecision, now: Date): Decided {
  const { claim, memberId, reviewerId } = facts;
  const reason = reasonOf(input);
  if (memberId === reviewerId)
    throw new HttpError(403, 'OWN_CLAIM', 'This claim is your own: someone else reviews it.');
  refuseUnseen({ ...claim, appealOutcome: claim.appeal?.outcome ?? null }, input, facts.shown);
  const decided = { reason, decidedAt: now.toISOString() };
  if (claim.appeal?.outcome === 'open') {
    const outcome = outcomeOfAppeal(facts, input.decision);
    const isGranted = outcome === GRANTED;
    return {
      ...decided,
      outcome,
      state: isGranted ? 'approved' : claim.state,
      checks: claim.checks,
      appeal: { ...claim.appeal, outcome: isGranted ? 'granted' : 'refused' },
      retryAt: isGranted ? null : claim.retryAt,
    };
  }
  const outcome = OUTCOMES[input.decision];
  const isRejected = outcome.to === 'rejected';
  const check = { what: 'review', at: decided.decidedAt, ok: outcome.to === 'approved', note: null } as const;
  return {
    ...decided,
    outcome,
    state: outcome.to,
    checks: [...claim.checks, check],
    appeal: claim.appeal,
    retryAt: isRejected ? (retryAfter(facts.coolDownMinutes, now)?.toISOString() ?? null) : null,
  };
}

function outcomeOfAppeal(facts: ReviewFacts, decision: Decision): Outcome {
  const { reviewerId, memberId, deciderId, reviewers, full } = facts;
  if (deciderId === reviewerId && mayOthersDecide(reviewers, reviewerId, memberId))
    throw new HttpError(403, 'OWN_DECISION', 'You rejected this: someone else hears the appeal.');
  if (decision === 'request_changes')
    throw new HttpError(422, 'NOT_FOR_APPEALS', 'Grant the appeal or refuse it: there is nothing left to change.');
  if (decision === 'reject') return REFUSED;
  if (full) throw capReached(full.reason);
  return GRANTED;
}

/** Whether another reviewer than this one may decide a member's appeal. */
const mayOthersDecide = (reviewers: readonly string[], reviewerId: string, memberId: string): boolean =>
  reviewers.some((id) => id !== reviewerId && id !== memberId);

/**
 * Whether a claim waits for this reviewer: never their own, nor an appeal against their own rejection while another
 * reviewer could decide it. `claims/waiting.ts` says the same in SQL.
 */
export function waitsFor({ claim, memberId, deciderId }: Decidable, reviewerId: string, reviewers: readonly string[]) {
  if (memberId === reviewerId) return false;
  if (claim.appeal?.outcome !== 'open') return isWaiting(claim);
  return deciderId !== reviewerId || !mayOthersDecide(reviewers, reviewerId, memberId);
}

/** Takes an approval back. Throws 403 `OWN_CLAIM`, and 409 `ALREADY_DECIDED` for what is not approved. */
export function reverse({ claim, memberId }: Decidable, leaderId: string, reason: string, now: Date): Decided {
  if (memberId === leaderId)
    throw new HttpError(403, 'OWN_CLAIM', 'This claim is your own: someone else takes it back.');
  if (claim.state !== 'approved') throw alreadyDecided(claim);
  const { checks, retryAt, appeal } = claim;
  const outcome: Outcome = { kind: 'reversed', to: 'reversed', action: 'claim.reversed' };
  return { state: 'reversed', checks, retryAt, appeal, reason, decidedAt: now.toISOString(), outcome };
}

/** What decides whether a leader may give a task. `isHeld`: whether the member has a claim for a period that was not turned down. */
export type GrantFacts = {
  task: TaskRow;
  role: CommunityRole;
  timeZone: string;
  gates: Facts;
  isHeld(period: string): boolean;
};

/**
 * The claim that a leader gives a member, of the member's current period.
 * Throws 409 `NOT_MANUAL`, `TASK_CLOSED`, `ALREADY_CLAIMED` and `CAP_REACHED`, 403 `LEADERS_DO_NOT_COMPETE`.
 */
export function grant(facts: GrantFacts, { id, reason }: { id: string; reason: string }, now: Date): Claim {
  const { task, role, timeZone, gates } = facts;
  if (task.kind !== 'manual') throw new HttpError(409, 'NOT_MANUAL', 'Only tasks that leaders give can be given.');
  if (task.status !== 'live') throw new HttpError(409, 'TASK_CLOSED', 'This task is closed.');
  refuseLeader(role, 'They');
  const period = claimPeriods(localDay(now, timeZone))[task.recurrence];
  if (facts.isHeld(period)) throw alreadyHas();
  const full = whyFull(task, gates);
  if (full) {
    const details = { cap: full.reason === 'cap' ? 'total' : 'member', of: 'them' };
    throw new HttpError(409, 'CAP_REACHED', 'This task was given as often as it counts.', { details });
  }
  const at = now.toISOString();
  return {
    id,
    version: FIRST_VERSION,
    taskId: task.id,
    period,
    state: 'approved',
    points: task.points,
    evidence: null,
    checks: [],
    submittedAt: at,
    decidedAt: at,
    decidedBy: null,
    reason,
    retryAt: null,
    appeal: null,
  };
}

/**
 * Another member's claim as a reviewer gets it, with its history if read. Moderators compete: without having passed a
 * quiz themselves they get neither the right answers nor the member's. The checks say how many were right.
 */
export function forReviewer<C extends Claim & { history?: ClaimStep[] }>(
  claim: C,
  role: CommunityRole | null | undefined,
  hasPassed = false,
): C {
  if (role === 'leader' || hasPassed) return claim;
  const { history } = claim;
  return {
    ...claim,
    ...without(claim),
    ...(history && { history: history.map((step) => ({ ...step, ...without(step) })) }),
  };
}
const without = ({ evidence }: Pick<Claim, 'evidence'>) =>
  evidence && kindOf(evidence.kind).right ? { evidence: null } : {};
