import { HttpError } from '../../base/http-error.ts';
import type { PartnerAsk, PartnerEvidence, PartnerSetup } from '../../contract/kind-partner.ts';
import { PARTNER_WORDS_MAX } from '../../contract/limits.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { line } from '../text.ts';
import { plainLine } from './plain-line.ts';

/** The address itself may hold a secret: members see where it leads, and no more. */
export const askPartner = ({ kind, url, asks }: PartnerSetup): PartnerAsk => ({
  kind,
  host: new URL(url).host,
  asks,
});

/** What a member typed for the partner, as stored. Throws 422 `EVIDENCE_REQUIRED` where it is missing. */
export function readPartnerAnswer(setup: PartnerSetup, { kind, answer }: PartnerEvidence): PartnerEvidence {
  if (setup.asks === '') return { kind };
  if (answer === undefined)
    throw new HttpError(422, 'EVIDENCE_REQUIRED', `${setup.asks}: type it before you send it.`, {
      details: { asks: setup.asks } satisfies ErrorDetails['EVIDENCE_REQUIRED'],
    });
  return { kind, answer: line('answer', answer) };
}

/**
 * What a partner's program answered: whether the member did it, with its words as plain text in one line; null where it is
 * no such answer. `{ "ok": true, "message": "…" }`
 */
export function readReply(body: string): { ok: boolean; words: string | null } | null {
  const reply = objectIn(body);
  const ok = reply?.['ok'];
  if (typeof ok !== 'boolean') return null;
  const message = reply?.['message'];
  return { ok, words: typeof message === 'string' ? plainLine(message, PARTNER_WORDS_MAX) : null };
}

function objectIn(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
