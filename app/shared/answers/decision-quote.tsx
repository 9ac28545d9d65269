import type { Claim } from '../../../server/contract/claims.ts';
import { m } from '../../paraglide/messages.js';
import { Quote } from '../../ui/card.tsx';
import { whenWord } from '../tasks/words.ts';

/** Why a claim was rejected or sent back, in the reviewer's words. Automatic checks are not a person's refusal. */
export function DecisionQuote({ claim }: { claim: Claim }) {
  const { state, decidedAt, decidedBy, reason } = claim;
  if (state !== 'rejected' && state !== 'changes_requested') return null;
  if (decidedBy === null) return <Quote lead={m.member_checked()}>{reason}</Quote>;
  const asks = state === 'changes_requested';
  const by = decidedAt ? m.member_by_at({ who: decidedBy, when: whenWord(decidedAt) }) : decidedBy;
  return (
    <Quote lead={asks ? m.member_asks() : m.member_not_counted()} asks={asks} by={by}>
      {reason && m.member_in_quotes({ words: reason })}
    </Quote>
  );
}
