import { useParams } from '@tanstack/react-router';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { InviteCard } from '../communities/invite-card.tsx';

/** An invite's short link: who invites, into what, and the button to accept. */
export function InviteScreen() {
  const { inviteCode: code = '' } = useParams({ strict: false });
  return (
    <Screen title={m.member_invite_title()}>
      <InviteCard key={code} code={code} />
      <div className="actions">
        <ButtonLink kind="words" to="/explore-communities">
          {m.member_explore()}
        </ButtonLink>
      </div>
    </Screen>
  );
}
