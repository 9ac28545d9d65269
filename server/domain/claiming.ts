import { HttpError } from '../base/http-error.ts';
import type { Claim, Evidence, NewClaim } from '../contract/claims.ts';
import type { CommunityRole } from '../contract/community.ts';
import { TRY_WAIT_LEAST_MINUTES } from '../contract/limits.ts';
import { differs } from '../kinds/kinds.ts';
import { claimPeriods } from '../rules/periods.ts';
import { refuseOutside, type Standing } from './chat-gate.ts';
import { gateOf, refuseShut } from './gate.ts';
import type { Facts } from './gate-facts.ts';
import { actedAt, localDay } from './periods.ts';
import { alreadyDecided, appealReplaced, FIRST_VERSION } from './review-rules.ts';
import { demandRole, refuseLeader } from './roles.ts';
import type { TaskRow } from './task-row.ts';
import { nextTryAt, retryAfter, type Tried } from './tries.ts';

/** What decides whether a task may be claimed, as it is while no other claim of the member for it can be made. */
export type ClaimFacts = {
  task: TaskRow;
  role: CommunityRole | null;
  /** From when on the task and the membership exist. */
  possibleSince: Date;
  gates: Facts;
  /** The community's required chats; none for roles that are exempt. */
  chats: readonly Standing[];
  /** The zone by which the member's days count at a moment. */
  zoneAt(moment: Date): string;
  /** The member's claim for a period that holds its place or was taken back; null where there is none. */
  holderOf(period: string): Claim | null;
};

/** When a claim counts as made, and for which period. */
export type ClaimMoment = { at: Date; day: string; period: string; deviceAt: Date; isPeriodNow: boolean };

/**
 * Places a claim: the period that the act falls into, where the task takes one then. What the device says was done while the
 * task was shut, and arrives while it is open, is done now: clocks are slow.
 * Throws 403 `NOT_A_MEMBER` and `LEADERS_DO_NOT_COMPETE`, what `refuseOutside` throws, 409 `ALREADY_CLAIMED` (details:
 * `{ claim, differs }`), and what `refuseShut` throws.
 */
export function momentOfClaim(facts: ClaimFacts, input: NewClaim, now: Date): ClaimMoment {
  const { task, role, gates } = facts;
  demandRole(role, 'member');
  refuseLeader(role, 'You');
  if (role === 'member') refuseOutside(facts.chats, ['claim', 'enter'], now);
  const dayOf = (moment: Date) => localDay(moment, facts.zoneAt(moment));
  const periodAt = (moment: Date) => claimPeriods(dayOf(moment))[task.recurrence];
  const refuseSecond = (period: string) => {
    const claim = facts.holderOf(period);
    if (claim) throw alreadyClaimed(claim, input.evidence);
  };
  const reported = actedAt(input.actedAt, now, facts.possibleSince);
  refuseSecond(periodAt(reported));
  const gate = gateOf(task, gates, now, reported);
  const isOfNow = !gate.open && gateOf(task, gates, now).open;
  if (!gate.open && !isOfNow) refuseShut(gate);
  const at = isOfNow ? now : reported;
  const day = dayOf(at);
  const period = claimPeriods(day)[task.recurrence];
  if (isOfNow) refuseSecond(period);
  const deviceAt = input.actedAt === undefined ? now : new Date(input.actedAt);
  return { at, day, period, deviceAt, isPeriodNow: at === now || periodAt(now) === period };
}

const alreadyClaimed = (claim: Claim, evidence: Evidence | undefined): HttpError =>
  new HttpError(409, 'ALREADY_CLAIMED', 'You have already claimed this one. It counts once.', {
    details: { claim, differs: differs(evidence ?? null, claim.evidence) },
  });

/** What came of a look at what a member sent. */
type Verdict = Pick<Claim, 'state' | 'evidence' | 'checks' | 'reason'>;

/**
 * A public claim, built from the checks of its answer. `replacesAppeal`: an open appeal of the same period was
 * withdrawn for it.
 */
export function newClaim(
  made: { id: string; task: Pick<TaskRow, 'id' | 'points'>; period: string; tried: Tried; replacesAppeal: boolean },
  { state, evidence, checks, reason }: Verdict,
  now: Date,
): Claim {
  const { id, task, period, tried, replacesAppeal } = made;
  return {
    id,
    version: FIRST_VERSION,
    taskId: task.id,
    period,
    state,
    points: task.points,
    evidence,
    checks: replacesAppeal ? [...checks, appealReplaced(now)] : checks,
    submittedAt: now.toISOString(),
    decidedAt: state === 'approved' || state === 'rejected' ? now.toISOString() : null,
    decidedBy: null,
    reason,
    retryAt: state === 'rejected' ? nextTryAt(tried, now).toISOString() : null,
    appeal: null,
  };
}

/** Throws 409 `ALREADY_DECIDED` (details: `{ claim, differs }`) where no changes of a claim are wanted (any more). */
export function refuseUnwanted(claim: Claim, sent: Evidence): void {
  if (claim.state !== 'changes_requested') throw alreadyDecided(claim, { differs: differs(sent, claim.evidence) });
}

/** A claim with the changes that a reviewer asked for: a reviewer looks at it, unless a check turns it down. */
export function resubmitted(claim: Claim, verdict: Verdict, coolDownMinutes: number, now: Date): Claim {
  const state = verdict.state === 'approved' ? 'submitted' : verdict.state;
  const isRejected = state === 'rejected';
  const retryAt = isRejected ? retryAfter(Math.max(coolDownMinutes, TRY_WAIT_LEAST_MINUTES), now) : null;
  return {
    ...claim,
    state,
    evidence: verdict.evidence,
    checks: [...claim.checks, ...verdict.checks],
    reason: verdict.reason,
    decidedAt: isRejected ? now.toISOString() : null,
    decidedBy: null,
    retryAt: retryAt?.toISOString() ?? null,
  };
}
