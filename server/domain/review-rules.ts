import { HttpError } from '../base/http-error.ts';
import type { Claim, ClaimStep } from '../contract/claims.ts';
import { APPEAL_WITHIN_MS } from '../contract/limits.ts';
import type { RefusalDetails } from '../contract/refusals.ts';
import type { Decision, NewDecision } from '../contract/review.ts';

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

/** Whose act each step of a claim's history is. */
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
  given: 'reviewer',
  reversed: 'reviewer',
};

/** Of a claim what decides whether something may be decided about it. */
type Decided = Pick<Claim, 'state' | 'version'> & { appealOutcome: NonNullable<Claim['appeal']>['outcome'] | null };

const isWaiting = ({ state }: Pick<Claim, 'state'>): boolean => state === 'submitted' || state === 'checking';

/** Whether there is something to decide: the claim, the appeal against its rejection, or what its member was asked for. */
const isOpen = (claim: Decided, { decision }: NewDecision): boolean =>
  isWaiting(claim) ||
  claim.appealOutcome === 'open' ||
  (claim.state === 'changes_requested' && decision !== 'request_changes');

/**
 * The one rule of every decision, made at once, in a bulk or kept on a device: it is about the version of the claim that
 * whoever decided saw. A decision that names none (an older app, a program) is about what was sent first
 * (docs/decisions/066).
 * @param now the claim as its reader gets it
 * Throws 409 `CLAIM_CHANGED` for a claim that waits as another version, 409 `ALREADY_DECIDED` for one that does not wait;
 * details of both: `{ claim }`.
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
    details: { claim: now } satisfies RefusalDetails['CLAIM_CHANGED'],
  });
}

/** Tells of `claim`, as its reader gets it, why what was asked for cannot be. */
export function alreadyDecided(claim: Claim): HttpError {
  const who = claim.decidedBy ?? 'The task itself';
  const message = isWaiting(claim)
    ? 'Nothing is decided yet: this waits for a reviewer.'
    : claim.state === 'changes_requested'
      ? `${who} asked for changes: they come first.`
      : `${who} decided this already: ${claim.state}.`;
  return new HttpError(409, 'ALREADY_DECIDED', message, {
    details: { claim } satisfies RefusalDetails['ALREADY_DECIDED'],
  });
}

/** Their appeal is late: another claim of the same period counts. */
export const claimedAgain = (): HttpError =>
  new HttpError(409, 'ALREADY_CLAIMED', 'They claimed this period again, and that one stands. It counts once.', {
    details: { of: 'them' } satisfies RefusalDetails['ALREADY_CLAIMED'],
  });

/** What a leader gives is theirs in this period. */
export const alreadyHas = (): HttpError =>
  new HttpError(409, 'ALREADY_CLAIMED', 'They already have this one. It counts once.', {
    details: { of: 'them' } satisfies RefusalDetails['ALREADY_CLAIMED'],
  });

/** Their appeal is late: the task counts no more often. */
export const placeTaken = (full: 'cap' | 'member_cap'): HttpError =>
  new HttpError(409, 'CAP_REACHED', 'Its place was taken since: this task counts no more often.', {
    details: { cap: full === 'cap' ? 'total' : 'member', of: 'them' } satisfies RefusalDetails['CAP_REACHED'],
  });

const DECIDED_WORDS: Partial<Record<Claim['state'], string>> = {
  approved: 'Approved.',
  rejected: 'Rejected. See why.',
  changes_requested: 'Changes requested. See what.',
  reversed: 'The points were taken back. See why.',
};
/** What a notification tells a member of a decision. */
export const decidedWords = (state: Claim['state']): string => DECIDED_WORDS[state] ?? 'There is a decision.';

/** Why a claim cannot be appealed (any more); null when it can. `appealAt`, `decidedAt`: null where there is none. */
export function whyNoAppeal(
  claim: Pick<Claim, 'state'> & { appealAt: Date | null; decidedAt: Date | null },
  now: Date,
): 'ALREADY_DECIDED' | 'APPEAL_USED' | 'APPEAL_TOO_LATE' | null {
  if (claim.appealAt !== null) return 'APPEAL_USED';
  if (claim.state !== 'rejected' || claim.decidedAt === null) return 'ALREADY_DECIDED';
  return now.getTime() - claim.decidedAt.getTime() > APPEAL_WITHIN_MS ? 'APPEAL_TOO_LATE' : null;
}
