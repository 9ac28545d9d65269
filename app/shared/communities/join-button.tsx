import { useQuery } from '@tanstack/react-query';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import { mayJoin } from '../../../server/rules/completion.ts';
import { useOutbox } from '../../lib/device.ts';
import { isShutOut } from '../../lib/http.ts';
import { userQuery } from '../../lib/query.ts';
import { joinSubject } from '../../lib/subjects.ts';
import { m } from '../../paraglide/messages.js';
import { Button, type ButtonKind, ButtonLink, SignInLink } from '../../ui/button.tsx';
import { Chip } from '../../ui/card.tsx';
import { join } from '../commands/member-commands.ts';
import { RefusedCommand } from '../commands/refused-command.tsx';

/** Leads into a community from any state: sign in, complete the account, join, or open it. */
export function JoinButton({
  community,
  kind = 'ink',
  next,
}: {
  community: Pick<CommunitySummary, 'id' | 'slug' | 'name' | 'role'>;
  kind?: ButtonKind;
  /** Where to return after signing in or linking; default this page. */
  next?: string;
}) {
  const user = useQuery(userQuery);
  const entry = useOutbox().findLast(({ subject }) => subject === joinSubject(community.id));
  if (community.role !== null)
    return (
      <ButtonLink kind={kind} to="/community/$communityId/dashboard" params={{ communityId: community.slug }}>
        {m.member_open_today({ today: m.shell_today() })}
      </ButtonLink>
    );
  if (entry?.state === 'refused')
    return (
      <div className="flex-grow">
        <RefusedCommand entry={entry} />
      </div>
    );
  if (isShutOut(user.error))
    return (
      <ButtonLink kind={kind} to="/channel-removed">
        {m.member_join_channel()}
      </ButtonLink>
    );
  if (entry) return <Chip kind="pencil">{m.member_join_queued()}</Chip>;
  if (user.data === null)
    return (
      <SignInLink kind={kind} {...(next && { next })}>
        {m.member_join_sign_in()}
      </SignInLink>
    );
  if (user.data && !mayJoin(user.data))
    return (
      <ButtonLink kind={kind} to="/community-selector">
        {m.member_join_complete()}
      </ButtonLink>
    );
  return (
    <Button kind={kind} busy={user.isPending} onClick={() => void join(community)}>
      {m.member_join()}
    </Button>
  );
}
