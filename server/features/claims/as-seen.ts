import { HttpError } from '../../base/http-error.ts';
import type { Claim } from '../../contract/claims.ts';
import type { NewDecision } from '../../contract/review.ts';
import { claimOf } from './claim-row.ts';
import type { FullRow } from './write.ts';

/** The version of a claim as its member sent it first. */
export const FIRST_VERSION = 1;

const isWaiting = ({ state }: Pick<FullRow, 'state'>): boolean => state === 'submitted' || state === 'checking';

/** Whether there is something to decide: the claim, the appeal against its rejection, or what its member was asked for. */
const isOpen = (claim: FullRow, { decision }: NewDecision): boolean =>
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
export function refuseUnseen(claim: FullRow, input: NewDecision, now: Claim): void {
  const seen = input.version ?? FIRST_VERSION;
  if (seen === claim.version && isOpen(claim, input)) return;
  if (seen === claim.version || !(isWaiting(claim) || claim.appealOutcome === 'open')) throw alreadyDecided(claim, now);
  const message =
    claim.appealOutcome === 'open'
      ? 'The member appealed after you looked. Read the appeal, then decide.'
      : 'The member sent another answer after you looked. Read it, then decide.';
  throw new HttpError(409, 'CLAIM_CHANGED', message, { details: { claim: now } });
}

/** Tells of `claim`, as its reader gets it, why what was asked for cannot be. */
export function alreadyDecided(row: FullRow, claim: Claim = claimOf(row)): HttpError {
  const who = claim.decidedBy ?? 'The task itself';
  const message = isWaiting(claim)
    ? 'Nothing is decided yet: this waits for a reviewer.'
    : claim.state === 'changes_requested'
      ? `${who} asked for changes: they come first.`
      : `${who} decided this already: ${claim.state}.`;
  return new HttpError(409, 'ALREADY_DECIDED', message, { details: { claim } });
}
