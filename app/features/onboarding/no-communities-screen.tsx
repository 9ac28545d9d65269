import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { mayJoin } from '../../../server/rules/completion.ts';
import { read, useUser } from '../../lib/query.ts';
import { useSearch } from '../../lib/search.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Skeleton, State } from '../../ui/states.tsx';
import { InviteCard, InviteField } from '../communities/invite-card.tsx';
import { Offers } from '../communities/offers.tsx';

/** Why nothing is here yet, and what to do. An old invite link (`?invite=<code>`) opens the invite. */
export function NoCommunitiesScreen() {
  const user = useUser();
  const [{ invite = '' }] = useSearch('/no-communities');
  const navigate = useNavigate();
  const mine = useQuery({ ...read('GET /api/user/communities'), enabled: user !== null });
  const count = mine.data?.length ?? 0;
  if (invite !== '')
    return (
      <Screen title={m.member_invite_title()}>
        <InviteCard key={invite} code={invite} />
        <div className="actions">
          <ButtonLink kind="words" to="/explore-communities">
            {m.member_explore()}
          </ButtonLink>
        </div>
      </Screen>
    );
  return (
    <Screen title={count > 0 || mine.isLoading ? m.shell_to_communities() : m.public_none_title()}>
      {user && <Offers isComplete={mayJoin(user)} />}
      {mine.isLoading ? (
        <Skeleton />
      ) : count > 0 ? (
        <State
          illustration="done"
          title={m.public_none_have_line({ count })}
          actions={<ButtonLink to="/communities">{m.public_none_open()}</ButtonLink>}
        />
      ) : (
        <State
          illustration="empty"
          title={m.public_none_head()}
          actions={
            <>
              <ButtonLink to="/explore-communities">{m.member_explore()}</ButtonLink>
              <ButtonLink kind="edge" to="/community-leader-signup">
                {m.public_none_start()}
              </ButtonLink>
            </>
          }
        >
          <p>{m.public_none_line()}</p>
          <p className="text-small">{m.public_none_why()}</p>
        </State>
      )}
      <div className="quiet-end">
        <InviteField onCode={(code) => void navigate({ to: '/i/$inviteCode', params: { inviteCode: code } })} />
      </div>
    </Screen>
  );
}
