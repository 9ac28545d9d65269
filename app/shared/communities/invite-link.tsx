import { useState } from 'react';
import type { Invite } from '../../../server/contract/members.ts';
import { copyText } from '../../lib/browser.ts';
import { day } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { pointCount } from '../tasks/words.ts';
import { InviteCode } from './invite-code.tsx';

/** The member's invite link, and who joined with it. */
export function InviteLink({ invite }: { invite: Invite }) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no');
  const copy = async () => setCopied((await copyText(invite.url)) ? 'yes' : 'refused');
  const hints = { no: m.member_invite_hint, yes: m.member_invite_copied, refused: m.member_invite_by_hand };
  return (
    <div className="stack">
      <Field
        label={m.member_invite_link()}
        hint={<span role="status">{hints[copied]({ points: pointCount(invite.threshold) })}</span>}
        readOnly
        value={invite.url}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className="actions">
        <Button kind="edge" icon="copy" onClick={() => void copy()}>
          {m.member_invite_copy()}
        </Button>
        {'share' in navigator && (
          // Closing the share sheet is an answer, so nothing is shown.
          <Button kind="edge" icon="invite" onClick={() => void navigator.share({ url: invite.url }).catch(() => null)}>
            {m.member_invite_share()}
          </Button>
        )}
      </div>
      <InviteCode url={invite.url} />
      {invite.invited.length > 0 && (
        <ul className="ruled-list" aria-label={m.member_invite_who()}>
          {invite.invited.map(({ displayName, joinedAt, qualified }) => (
            <li key={`${displayName} ${joinedAt}`} className="list-row">
              <span>
                <b>{displayName}</b>
                <span className="list-row__line">{m.member_invite_since({ date: day(joinedAt) })}</span>
              </span>
              <Chip kind={qualified ? 'ink' : 'plain'}>
                {qualified ? m.member_invite_counts() : m.member_invite_not_yet()}
              </Chip>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
