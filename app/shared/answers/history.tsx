import './history.css';
import type { ClaimStep } from '../../../server/contract/claims.ts';
import { signed } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { wordsOf } from '../tasks/evidence.ts';
import { whenWord } from '../tasks/words.ts';

/** A claim's steps, oldest first. `isOwn`: its member is reading. A replaced answer is shown with its text. */
export function History({ steps, isOwn }: { steps: readonly ClaimStep[]; isOwn: boolean }) {
  const latest = steps.findLast(({ evidence }) => evidence !== null);
  return (
    <ol className="ruled-list claim-history">
      {steps.map((step) => {
        const before = step === latest ? null : wordsOf(step.evidence);
        return (
          <li key={`${step.version} ${step.kind}`}>
            <b>{titleOf(step)}</b>
            <span className="text-tiny text-muted">{byOf(step, isOwn)}</span>
            {step.reason && (
              <p className="text-small">
                {step.actor === 'server' ? step.reason : m.member_in_quotes({ words: step.reason })}
              </p>
            )}
            {before !== null && <p className="text-small written-text">{m.member_in_quotes({ words: before })}</p>}
          </li>
        );
      })}
    </ol>
  );
}

const TITLES: Record<Exclude<ClaimStep['kind'], 'checked' | 'counted' | 'reversed'>, () => string> = {
  submitted: m.member_step_submitted,
  resubmitted: m.member_step_resubmitted,
  approved: m.member_step_approved,
  rejected: m.member_step_rejected,
  sent_back: m.member_step_sent_back,
  appealed: m.member_step_appealed,
  appeal_granted: m.member_step_appeal_granted,
  appeal_refused: m.member_step_appeal_refused,
  appeal_withdrawn: m.member_step_appeal_withdrawn,
  given: m.member_step_given,
};

function titleOf({ kind, to, points }: ClaimStep): string {
  if (kind === 'checked') return to === 'approved' ? m.member_step_checked_passed() : m.member_step_checked_failed();
  if (kind === 'counted') return m.member_step_counted({ points: signed(points ?? 0) });
  if (kind === 'reversed') return m.member_step_reversed({ points: signed(points ?? 0) });
  return TITLES[kind]();
}

/** Who and when. The server's own steps name nobody. */
function byOf({ actor, by, at }: ClaimStep, isOwn: boolean): string {
  const who = actor === 'member' && isOwn ? m.member_step_you() : by;
  return actor === 'server' || who === null ? whenWord(at) : m.member_by_at({ who, when: whenWord(at) });
}
