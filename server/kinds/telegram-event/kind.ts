import { HttpError } from '../../base/http-error.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { line } from '../../domain/text.ts';
import { lastStepOf, stepOf } from '../../rules/event-code.ts';
import { approved, byCheck, check, checkDates, invalid } from '../judged.ts';
import type { Kind, Moment, SetupOf } from '../kind.ts';

type CodeFault = ErrorDetails['CODE_WRONG']['why'];
const CODE_FAULTS: Record<CodeFault, string> = {
  unknown: 'This code does not belong to this event',
  other_moment: 'This code has run out: scan the one that is shown now',
  outside: 'This code is from before or after the event',
};

/**
 * When a code may have been shown. What is shown at this very moment is of now, however slow the member's clock; for another
 * period than that of now only the device's word can stand.
 */
export const momentsOf = ({ at, now, isPeriodNow }: Moment): number[] =>
  [at, ...(isPeriodNow ? [now] : [])].map((moment) => moment.getTime());

function faultOf({ startsAt, endsAt }: SetupOf<'telegram_event'>, at: Moment, step: number | null): CodeFault | null {
  if (step === null) return 'unknown';
  if (!momentsOf(at).some((moment) => Math.abs(step - stepOf(moment)) <= 1)) return 'other_moment';
  return step < stepOf(Date.parse(startsAt)) || step > lastStepOf(Date.parse(endsAt)) ? 'outside' : null;
}

export const telegramEvent: Kind<'telegram_event'> = {
  check(setup, now) {
    checkDates([setup.startsAt, setup.endsAt], now);
    if (new Date(setup.startsAt) >= new Date(setup.endsAt))
      invalid('setup.endsAt', 'order', 'must lie after the beginning');
    return { ...setup, place: line('setup.place', setup.place) };
  },
  ask: ({ kind, place, startsAt, endsAt }, { publicKey }) => ({ kind, place, startsAt, endsAt, publicKey }),
  judge(setup, evidence, at, { step }) {
    const why = faultOf(setup, at, step);
    if (why === null) return approved(evidence, [check('code', true, null)]);
    // While the event goes on the code is read once more. Afterwards nobody can: what was wrong then is for an appeal.
    if (stepOf(at.now.getTime()) <= lastStepOf(Date.parse(setup.endsAt)))
      throw new HttpError(422, 'CODE_WRONG', `${CODE_FAULTS[why]}.`, {
        details: { field: 'code', why } satisfies ErrorDetails['CODE_WRONG'],
      });
    return byCheck('code', false, CODE_FAULTS[why], evidence);
  },
};
