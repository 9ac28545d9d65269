import './invite-card.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { INVITE_CODE_MAX } from '../../../server/contract/limits.ts';
import { mayJoin } from '../../../server/rules/completion.ts';
import { useOutbox } from '../../lib/device.ts';
import { HttpError, isNetworkFailure } from '../../lib/http.ts';
import { read, userQuery } from '../../lib/query.ts';
import { serverWords } from '../../lib/server-words.ts';
import { inviteSubject } from '../../lib/subjects.ts';
import { m } from '../../paraglide/messages.js';
import { acceptInvite } from '../../shared/commands/member-commands.ts';
import { RefusedCommand } from '../../shared/commands/refused-command.tsx';
import { Button, ButtonLink, SignInLink } from '../../ui/button.tsx';
import { Card, Chip, Quote } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { CommunityCard } from './community-row.tsx';

/** An invite's community and sender; joins with it, also offline. */
export function InviteCard({ code }: { code: string }) {
  const user = useQuery(userQuery);
  const query = useQuery(read('GET /api/invites', undefined, { code }));
  const entry = useOutbox().findLast(({ subject }) => subject === inviteSubject(code));
  const { data, error } = query;
  const away = isNetworkFailure(error);
  const join = () => void acceptInvite(code);
  if (error && !data && !away)
    return (
      <Card className="invite-card">
        <Quote lead={m.member_invite_gone()}>
          {error instanceof HttpError && error.status !== 404 ? serverWords(error) : m.member_invite_gone_line()}
        </Quote>
      </Card>
    );
  const end =
    entry?.state === 'refused' ? (
      <div>
        <RefusedCommand entry={entry} />
      </div>
    ) : entry ? (
      <Chip kind="pencil">{m.member_join_queued()}</Chip>
    ) : data && data.community.role !== null ? (
      <ButtonLink to="/community/$communityId/dashboard" params={{ communityId: data.community.slug }}>
        {m.member_open_today({ today: m.shell_today() })}
      </ButtonLink>
    ) : user.data === null ? (
      <SignInLink>{m.member_join_sign_in()}</SignInLink>
    ) : user.data && !mayJoin(user.data) ? (
      <ButtonLink to="/community-selector">{m.member_join_complete()}</ButtonLink>
    ) : (
      <Button busy={user.isPending} onClick={join}>
        {m.member_invite_accept()}
      </Button>
    );
  return (
    <section className="invite-card" aria-labelledby="invite-title">
      <h2 id="invite-title" className="visually-hidden">
        {m.member_invite_title()}
      </h2>
      <p className="text-small">
        {data
          ? m.member_invite_from({ who: data.invitedBy })
          : away
            ? m.member_invite_away()
            : m.member_invite_looking()}
      </p>
      {data ? <CommunityCard community={data.community} end={end} /> : <Card>{end}</Card>}
    </section>
  );
}

export function InviteField({ onCode }: { onCode: (code: string) => void }) {
  const [code, setCode] = useState('');
  const typed = codeIn(code);
  return (
    <form
      className="invite-card__field"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.length >= CODE_MIN) onCode(typed);
      }}
    >
      <Field
        label={m.member_invite_code()}
        hint={m.member_invite_code_hint()}
        value={code}
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onValue={setCode}
      />
      <Button type="submit" kind="edge" disabledReason={typed.length < CODE_MIN ? m.member_invite_code_first() : null}>
        {m.member_invite_code_open()}
      </Button>
    </form>
  );
}

const CODE_MIN = 4;
/** Extracts the code: people paste the whole link. */
function codeIn(text: string): string {
  const plain = text.trim();
  const url = URL.canParse(plain) ? new URL(plain) : null;
  const named = url && (/^\/i\/([^/]+)$/.exec(url.pathname)?.[1] ?? url.searchParams.get('invite'));
  return (named ?? plain).slice(0, INVITE_CODE_MAX);
}
