import { HttpError } from '../base/http-error.ts';
import type { Check, Evidence } from '../contract/claims.ts';
import { PLANNED_WITHIN_MS } from '../contract/limits.ts';
import type { ErrorDetails, InputFault } from '../contract/refusals.ts';
import { prose } from '../domain/text.ts';
import type { Judged } from './kind.ts';

export const check = (what: Check['what'], ok: boolean | null, note: string | null): Judged['checks'][number] => ({
  what,
  ok,
  note,
});
export const approved = (evidence: Evidence | null, checks: Judged['checks'] = []): Judged => ({
  state: 'approved',
  evidence,
  checks,
  reason: null,
});
/** For a reviewer to look at. */
export const submitted = (evidence: Evidence): Judged => ({ state: 'submitted', evidence, checks: [], reason: null });
/** Counted at once, or for a reviewer to look at. */
export const accepted = (evidence: Evidence, review: boolean): Judged =>
  review ? submitted(evidence) : approved(evidence);
/** Approved or rejected by one check, whose note is the reason. */
export const byCheck = (what: Check['what'], ok: boolean, note: string, evidence: Evidence | null): Judged => ({
  state: ok ? 'approved' : 'rejected',
  evidence,
  checks: [check(what, ok, note)],
  reason: ok ? null : note,
});

export const notWanted = () => new HttpError(422, 'EVIDENCE_NOT_WANTED', 'This is not what the task asks for.');

/** A note that a member may add, as stored. */
export const noteIn = ({ note }: { note?: string | undefined }) =>
  note === undefined ? {} : { note: prose('note', note) };
/** A text in one form of line breaks. */
export const linesOf = (text = ''): string => text.replaceAll('\r\n', '\n');

export const areDistinct = (items: readonly { id: string }[]): boolean =>
  new Set(items.map(({ id }) => id)).size === items.length;

/** Throws 422 `DATE_OUT_OF_RANGE` for a date too far from now. */
export function checkDates(dates: readonly (string | null)[], now: Date): void {
  for (const date of dates) {
    // An invalid date fails the comparison.
    if (date === null || Math.abs(new Date(date).getTime() - now.getTime()) <= PLANNED_WITHIN_MS) continue;
    throw new HttpError(422, 'DATE_OUT_OF_RANGE', 'Choose a date within two years of today.', {
      details: { field: 'date' } satisfies ErrorDetails['DATE_OUT_OF_RANGE'],
    });
  }
}

/** Rejects a setup that cannot work. Throws 400 `INVALID_INPUT`. */
export function invalid(field: string, fault: InputFault, message: string): never {
  throw new HttpError(400, 'INVALID_INPUT', `${field}: ${message}`, {
    details: { problems: [{ field, message, fault }] } satisfies ErrorDetails['INVALID_INPUT'],
  });
}
