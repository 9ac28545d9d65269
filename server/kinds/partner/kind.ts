import { HttpError } from '../../base/http-error.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { line } from '../../domain/text.ts';
import { check } from '../judged.ts';
import type { Kind } from '../kind.ts';
import type { PartnerEvidence, PartnerSetup } from './shape.ts';

/** The leader's own program decides. The server alone looks at its address (`checkPartner`), which may lead into a network. */
export const partner: Kind<'partner'> = {
  check: (setup) => ({ ...setup, asks: line('setup.asks', setup.asks) }),
  /** The address itself may hold a secret: members see where it leads, and no more. */
  ask: ({ kind, url, asks }) => ({ kind, host: new URL(url).host, asks }),
  /** Nobody knows before the partner has been asked, which is not done while the member waits. */
  judge: (setup, evidence) => ({
    state: 'checking',
    evidence: answerIn(setup, evidence),
    checks: [check('partner', null, `${new URL(setup.url).host} is being asked`)],
    reason: null,
  }),
  compared: ({ answer }) => answer ?? '',
  exported: ({ answer }) => answer ?? '',
};

/** What a member typed for the partner, as stored. Throws 422 `EVIDENCE_REQUIRED` where it is missing. */
function answerIn({ asks }: PartnerSetup, { kind, answer }: PartnerEvidence): PartnerEvidence {
  if (asks === '') return { kind };
  if (answer === undefined)
    throw new HttpError(422, 'EVIDENCE_REQUIRED', `${asks}: type it before you send it.`, {
      details: { asks } satisfies ErrorDetails['EVIDENCE_REQUIRED'],
    });
  return { kind, answer: line('answer', answer) };
}
