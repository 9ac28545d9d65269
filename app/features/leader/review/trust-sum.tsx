import './trust-sum.css';
import { TRUST_START } from '../../../../server/contract/desk-limits.ts';
import type { MemberDetail, TrustSignal } from '../../../../server/contract/members.ts';
import { number, signed } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';

const SIGNAL_WORDS: Record<TrustSignal['code'], () => string> = {
  account_age: m.leader_trust_account_age,
  membership_age: m.leader_trust_membership_age,
  x_linked: m.leader_trust_x_linked,
  approved_share: m.leader_trust_approved_share,
  reversals: m.leader_trust_reversals,
  pace: m.leader_trust_pace,
  likeness: m.leader_trust_likeness,
  invited_burst: m.leader_trust_invited_burst,
};

/** How a member's trust is calculated, from the initial value to the result. */
export function TrustSum({ trust }: { trust: MemberDetail['trust'] }) {
  return (
    <ul className="ruled-list">
      <li className="flex-row trust-line">
        <p className="text-small flex-grow">{m.leader_trust_start()}</p>
        <bdi dir="ltr" className="numeric">
          {number(TRUST_START)}
        </bdi>
      </li>
      {trust.signals.map((signal) => (
        <li key={signal.code} className="flex-row trust-line">
          <div className="flex-grow">
            <p className="text-small">{SIGNAL_WORDS[signal.code]()}</p>
            <p className="text-tiny text-muted">{signal.note}</p>
          </div>
          <bdi dir="ltr" className={signal.effect < 0 ? 'numeric trust-line__minus' : 'numeric'}>
            {signed(signal.effect)}
          </bdi>
        </li>
      ))}
      <li className="flex-row trust-line">
        <b className="text-small flex-grow">{m.leader_trust()}</b>
        <b className="numeric">{number(trust.score)}</b>
      </li>
    </ul>
  );
}
