import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { User } from '../../../server/contract/user.ts';
import { day } from '../../lib/format.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { XProof } from '../../shared/communities/x-proof.tsx';
import { OutButton, signInUrl } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Mark } from '../../ui/icon.tsx';

const LINK_X = '/api/auth/x/start?next=/community-selector';

/** What an account lacks before it may join and earn points, one line each, with a link. */
export function MissingList({ user }: { user: User }) {
  const hasName = user.telegramUsername !== null;
  const hasX = user.twitterUsername !== null;
  // After removing an X account the member may relink the same one at once, another one later.
  const lockedUntil = useQuery({ ...read('GET /api/user/profile'), enabled: !hasX }).data?.relinkAllowedAt;
  return (
    <Card>
      <ul className="ruled-list">
        <Line
          done={hasName}
          title={m.member_missing_telegram()}
          line={
            hasName
              ? m.member_missing_telegram_done({ name: `@${user.telegramUsername}` })
              : m.member_missing_telegram_how()
          }
        >
          {!hasName && (
            <OutButton kind="edge" href={signInUrl('/community-selector')}>
              {m.member_sign_in_again()}
            </OutButton>
          )}
        </Line>
        <Line
          done={hasX}
          title={m.member_missing_x()}
          line={
            hasX
              ? m.member_missing_x_done({ name: `@${user.twitterUsername}` })
              : lockedUntil
                ? m.member_x_given_up({ date: day(lockedUntil) })
                : m.member_missing_x_how()
          }
          more={!hasX && <XProof user={user} />}
        >
          {!hasX && (
            <OutButton icon="link" href={lockedUntil ? `${LINK_X}&again=renamed` : LINK_X}>
              {lockedUntil ? m.member_x_link_again() : m.member_link_x()}
            </OutButton>
          )}
        </Line>
        <Line
          done={user.isVerified}
          title={m.member_missing_verified()}
          line={user.isVerified ? m.member_missing_verified_done() : m.member_missing_verified_how()}
        >
          {!user.isVerified && hasX && (
            <OutButton kind="edge" icon="link" href={LINK_X}>
              {m.member_link_x_again()}
            </OutButton>
          )}
        </Line>
      </ul>
    </Card>
  );
}

function Line(props: { done: boolean; title: string; line: string; more?: ReactNode; children: ReactNode }) {
  return (
    <li className="check-row">
      <Mark state={props.done ? 'ink' : 'slot'} />
      <h2>
        {props.title}{' '}
        <span className="visually-hidden">{props.done ? m.member_missing_is_done() : m.member_missing_is_open()}</span>
      </h2>
      <p className="text-small text-muted">{props.line}</p>
      {props.children && <div className="actions">{props.children}</div>}
      {props.more}
    </li>
  );
}
