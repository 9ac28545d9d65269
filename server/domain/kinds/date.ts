import { HttpError } from '../../base/http-error.ts';
import type { DateAsk, DateEvidence, DateSetup } from '../../contract/kind-date.ts';
import { dateProblem } from '../../contract/kind-rules.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { accepted, invalid, type Judged } from './judged.ts';

/** Throws 400 `INVALID_INPUT` where no day lies between both. */
export function checkDate(setup: DateSetup): DateSetup {
  const { earliest, latest } = setup;
  if (earliest !== null && latest !== null && earliest > latest)
    invalid('setup.latest', 'order', 'must not lie before the earliest');
  return setup;
}

export const askDate = ({ kind, earliest, latest }: DateSetup): DateAsk => ({ kind, earliest, latest });

/** Throws 422 `DATE_NOT_ALLOWED`. */
export function judgeDate(setup: DateSetup, evidence: DateEvidence): Judged {
  const problem = dateProblem(setup, evidence.date);
  if (problem === null) return accepted(evidence, setup.review);
  const { earliest, latest } = setup;
  const message = problem === 'early' ? `Send a date from ${earliest} on.` : `Send a date up to ${latest}.`;
  throw new HttpError(422, 'DATE_NOT_ALLOWED', message, {
    details: { field: 'date', earliest, latest, problem } satisfies ErrorDetails['DATE_NOT_ALLOWED'],
  });
}
