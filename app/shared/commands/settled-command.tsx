import type { Claim, Evidence } from '../../../server/contract/claims.ts';
import { discardEntry, type OutboxEntry } from '../../lib/device.ts';
import { serverWords } from '../../lib/server-words.ts';
import { readSubject } from '../../lib/subjects.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import { wordsOf } from '../tasks/evidence.ts';

type Sent = { evidence?: Evidence; text?: string } | null | undefined;

/** The text of a command about a member's task; null without one. */
const textIn = (sent: Sent): string | null => wordsOf(sent?.evidence) ?? sent?.text ?? null;

/** The member's own earlier claim, if there is one. */
function standingOf({ subject, error }: OutboxEntry): Claim | null {
  const kind = readSubject(subject)?.kind;
  if (kind !== 'claim' && kind !== 'appeal') return null;
  return (error?.details as { claim?: Claim } | undefined)?.claim ?? null;
}

/** The result when another device's claim was first. */
function outcomeWords(claim: Claim, isAppeal: boolean, answer: string | null): string | null {
  const params = { answer: answer ?? '' };
  if (isAppeal) return answer === null ? null : m.member_settled_appealed(params);
  if (claim.state === 'approved')
    return answer === null ? m.member_settled_counted_bare() : m.member_settled_counted(params);
  if (claim.state !== 'submitted' && claim.state !== 'checking') return null;
  return answer === null ? m.member_settled_waits_bare() : m.member_settled_waits(params);
}

/**
 * A command that can never be accepted: shows what counts instead, what this device had, and a button to dismiss it.
 * Nothing that counts is lost.
 */
export function SettledCommand({ entry, onGone }: { entry: OutboxEntry; onGone?: () => void }) {
  const claim = standingOf(entry);
  const isAppeal = entry.subject.startsWith('appeal:');
  const reason = entry.error?.reason;
  const isSecond = reason === 'ALREADY_CLAIMED' || reason === 'ALREADY_DECIDED' || reason === 'APPEAL_USED';
  const answer = claim && (isAppeal ? (claim.appeal?.text ?? null) : wordsOf(claim.evidence));
  const words = claim && isSecond ? outcomeWords(claim, isAppeal, answer) : null;
  const here = claim ? textIn(entry.body as Sent) : null;
  return (
    <div role="status">
      <Quote lead={words ?? (entry.error ? serverWords(entry.error) : '')} asks>
        {here !== null ? m.member_settled_here({ answer: here }) : words !== null && m.member_settled_here_other()}
      </Quote>
      <div className="actions">
        <Button kind="edge" icon="check" onClick={() => void discardEntry(entry.id).then(onGone)}>
          {m.member_settled_let_be()}
        </Button>
      </div>
    </div>
  );
}
