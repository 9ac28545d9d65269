import './checks.css';
import type { Check, Claim } from '../../../server/contract/claims.ts';
import { m } from '../../paraglide/messages.js';
import { Icon } from '../../ui/icon.tsx';
import { whenWord } from '../tasks/words.ts';

const WORDS: Record<Check['what'], () => string> = {
  window: m.member_check_window,
  conditions: m.member_check_conditions,
  cap: m.member_check_cap,
  answers: m.member_check_answers,
  code: m.member_check_code,
  link: m.member_check_link,
  image: m.member_check_image,
  invites: m.member_check_invites,
  telegram: m.chats_check_telegram,
  pace: m.member_check_pace,
  likeness: m.member_check_likeness,
  partner: m.kinds_check_partner,
  x: m.xtask_check,
  review: m.member_check_review,
  appeal: m.member_appeal,
};

/** The automatic checks; people's decisions are part of the claim's history. */
export const checksOf = ({ checks }: Claim): Check[] => checks.filter(({ what }) => what !== 'review');

export function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className="ruled-list answer-checks">
      {checks.map(({ what, at, ok, note }) => (
        <li key={`${what} ${at}`} className={ok === false ? 'answer-checks__failed' : ''}>
          <Icon name={ok === null ? 'eye' : ok ? 'check' : 'close'} />
          <div>
            <b>{WORDS[what]()}</b>{' '}
            <span className="visually-hidden">
              {ok === null ? m.member_check_seen() : ok ? m.member_check_passed() : m.member_check_failed()}
            </span>
            {note && <p className="text-small">{note}</p>}
          </div>
          <time className="text-tiny text-muted" dateTime={at}>
            {whenWord(at)}
          </time>
        </li>
      ))}
    </ul>
  );
}
