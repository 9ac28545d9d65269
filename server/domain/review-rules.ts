import { HttpError } from '../base/http-error.ts';
import type { Check, Claim, ClaimStep } from '../contract/claims.ts';
import { APPEAL_WITHIN_MS } from '../contract/limits.ts';
import type { ErrorDetails } from '../contract/refusals.ts';
import type { BulkResult, Decision, NewDecision } from '../contract/review.ts';

/** The version of a claim as its member sent it first. */
export const FIRST_VERSION = 1;

/** What each decision makes of a claim, and what the audit log calls it. */
export type Outcome = { kind: Exclude<ClaimStep['kind'], 'counted'>; to: ClaimStep['to']; action: string };
export const OUTCOMES: Record<Decision, Outcome> = {
  approve: { kind: 'approved', to: 'approved', action: 'claim.approved' },
  reject: { kind: 'rejected', to: 'rejected', action: 'claim.rejected' },
  request_changes: { kind: 'sent_back', to: 'changes_requested', action: 'claim.changes_requested' },
};
export const GRANTED: Outcome = { kind: 'appeal_granted', to: 'approved', action: 'appeal.granted' };
export const REFUSED: Outcome = { kind: 'appeal_refused', to: 'rejected', action: 'appeal.refused' };

/** What a decision among several that is refused is called, by its reason. */
export const BULK_OUTCOMES: Record<string, BulkResult['outcome']> = {
  ALREADY_DECIDED: 'already_decided',
  ALREADY_CLAIMED: 'already_decided',
  CLAIM_CHANGED: 'changed',
  CAP_REACHED: 'already_decided',
  NOT_FOR_APPEALS: 'already_decided',
  OWN_CLAIM: 'own_claim',
  OWN_DECISION: 'own_claim',
  NOT_FOUND: 'not_found',
};

/** Who acts in each step of a claim's history. */
export const ACTORS: Record<ClaimStep['kind'], ClaimStep['actor']> = {
  submitted: 'member',
  resubmitted: 'member',
  appealed: 'member',
  checked: 'server',
  counted: 'server',
  approved: 'reviewer',
  rejected: 'reviewer',
  sent_back: 'reviewer',
  appeal_granted: 'reviewer',
  appeal_refused: 'reviewer',
  appeal_withdrawn: 'member',
  given: 'reviewer',
  reversed: 'reviewer',
};

/** The part of a claim that decides whether it can be decided. */
type Decided = Pick<Claim, 'state' | 'version'> & { appealOutcome: NonNullable<Claim['appeal']>['outcome'] | null };

export const isWaiting = ({ state }: Pick<Claim, 'state'>): boolean => state === 'submitted' || state === 'checking';

/** Whether there is something to decide: the claim, an appeal, or requested changes. */
const isOpen = (claim: Decided, { decision }: NewDecision): boolean =>
  isWaiting(claim) ||
  claim.appealOutcome === 'open' ||
  (claim.state === 'changes_requested' && decision !== 'request_changes');

/**
 * The one rule of every decision, single, in bulk or from an outbox: it is about the version of the claim that the
 * reviewer saw. A decision without a version (an older app, a program) is about the first one (docs/decisions/claims-and-review.md).
 * @param now the claim as its reader gets it. Throws 409 `CLAIM_CHANGED` for a claim that waits as another version, 409
 * `ALREADY_DECIDED` for one that does not wait; details of both: `{ claim }`.
 */
export function refuseUnseen(claim: Decided, input: NewDecision, now: Claim): void {
  const seen = input.version ?? FIRST_VERSION;
  if (seen === claim.version && isOpen(claim, input)) return;
  if (seen === claim.version || !(isWaiting(claim) || claim.appealOutcome === 'open')) throw alreadyDecided(now);
  const message =
    claim.appealOutcome === 'open'
      ? 'The member appealed after you looked. Read the appeal, then decide.'
      : 'The member sent another answer after you looked. Read it, then decide.';
  throw new HttpError(409, 'CLAIM_CHANGED', message, {
    details: { claim: now } satisfies ErrorDetails['CLAIM_CHANGED'],
  });
}

/**
 * Builds the error for a claim that is decided already. `answer`: whether what its member sent again differs from it.
 */
export function alreadyDecided(claim: Claim, answer?: { differs: boolean }): HttpError {
  const who = claim.decidedBy ?? 'The task itself';
  const message = isWaiting(claim)
    ? 'Nothing is decided yet: this waits for a reviewer.'
    : claim.appeal?.outcome === 'withdrawn'
      ? 'The member answered again: this appeal waits no longer.'
      : claim.state === 'changes_requested'
        ? `${who} asked for changes: they come first.`
        : `${who} decided this already: ${claim.state}.`;
  return new HttpError(409, 'ALREADY_DECIDED', message, {
    details: { claim, ...answer } satisfies ErrorDetails['ALREADY_DECIDED'],
  });
}

/** What a leader gives is theirs in this period. */
export const alreadyHas = (): HttpError =>
  new HttpError(409, 'ALREADY_CLAIMED', 'They already have this one. It counts once.', {
    details: { of: 'them' } satisfies ErrorDetails['ALREADY_CLAIMED'],
  });

/** Their appeal is late: the task counts no more often. */
export const capReached = (full: 'cap' | 'member_cap'): HttpError =>
  new HttpError(409, 'CAP_REACHED', 'Its place was taken since: this task counts no more often.', {
    details: { cap: full === 'cap' ? 'total' : 'member', of: 'them' } satisfies ErrorDetails['CAP_REACHED'],
  });

const DECIDED_WORDS: Partial<Record<Claim['state'], string>> = {
  approved: 'Approved.',
  rejected: 'Rejected. See why.',
  changes_requested: 'Changes requested. See what.',
  reversed: 'The points were taken back. See why.',
};
/** What a notification tells those who review. */
export const QUEUE_WAITS = 'Answers are waiting for your review.';
/** A notification's text about a decision. */
export const decidedWords = (state: Claim['state']): string => DECIDED_WORDS[state] ?? 'There is a decision.';

const NO_APPEAL = {
  APPEAL_USED: 'You appealed once. That is as often as it goes.',
  ANSWERED_AGAIN: 'You answered again since: that answer is the one that is looked at.',
  APPEAL_TOO_LATE: 'It is too late for an appeal.',
} as const;

/**
 * Why a claim cannot be appealed (any more); null when it can. `isAnswered`: another claim of the same member, task and period
 * waits, counts or was taken back, so there is nothing that the appeal could get.
 */
export function whyNoAppeal(
  { appeal, state, decidedAt }: Claim,
  isAnswered: boolean,
  now: Date,
): 'ALREADY_DECIDED' | keyof typeof NO_APPEAL | null {
  if (appeal !== null) return 'APPEAL_USED';
  if (state !== 'rejected' || decidedAt === null) return 'ALREADY_DECIDED';
  if (isAnswered) return 'ANSWERED_AGAIN';
  return now.getTime() - Date.parse(decidedAt) > APPEAL_WITHIN_MS ? 'APPEAL_TOO_LATE' : null;
}

/**
 * An appeal against a rejection. Throws where `whyNoAppeal` has a reason: `ALREADY_DECIDED`, `APPEAL_USED` (with whether `text` is
 * another than was sent), `ANSWERED_AGAIN`, `APPEAL_TOO_LATE`; all 409 with the claim that they are about.
 */
export function appealAgainst(
  claim: Claim,
  newer: Claim | null,
  text: string,
  now: Date,
): NonNullable<Claim['appeal']> {
  const why = whyNoAppeal(claim, newer !== null, now);
  if (why === null) return { text, at: now.toISOString(), outcome: 'open' };
  if (why === 'ALREADY_DECIDED') throw alreadyDecided(claim);
  const details = {
    claim: why === 'ANSWERED_AGAIN' && newer ? newer : claim,
    ...(why === 'APPEAL_USED' && { differs: text !== claim.appeal?.text }),
  };
  throw new HttpError(409, why, NO_APPEAL[why], { details });
}

/** How a newer answer describes the appeal that it replaced. */
export const appealReplaced = (now: Date): Check => ({
  what: 'appeal',
  at: now.toISOString(),
  ok: null,
  note: 'Takes the place of the appeal, which waits no longer',
});
