import { HttpError } from '../../base/http-error.ts';
import type { Evidence } from '../../contract/claims.ts';
import type { ErrorDetails, InputFault } from '../../contract/refusals.ts';

/** What an answer alone decides, before anything is looked up. */
export type Judged = {
  state: 'submitted' | 'approved' | 'rejected';
  /** The evidence as stored. */
  evidence: Evidence;
  /** What was compared, and how it went; null where nothing was. */
  check: { ok: boolean; note: string } | null;
  reason: string | null;
};

/** Counted at once, or for a reviewer to look at. */
export const accepted = (evidence: Evidence, review: boolean): Judged => ({
  state: review ? 'submitted' : 'approved',
  evidence,
  check: null,
  reason: null,
});

/** Rejects a setup that cannot work. Throws 400 `INVALID_INPUT`. */
export function invalid(field: string, fault: InputFault, message: string): never {
  throw new HttpError(400, 'INVALID_INPUT', `${field}: ${message}`, {
    details: { problems: [{ field, message, fault }] } satisfies ErrorDetails['INVALID_INPUT'],
  });
}
