import type { CommunitySummary } from '../../../server/contract/community.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';

/** What moderators do here beside their own tasks, with a link to their tools. */
export function RoleNote({ community: { slug, role } }: { community: CommunitySummary }) {
  if (role !== 'moderator') return null;
  return (
    <Card className="note-card">
      <p className="text-small">{m.member_moderator_note()}</p>
      <ButtonLink kind="edge" icon="review" to="/community/$communityId/admin" params={{ communityId: slug }}>
        {m.member_open_tools()}
      </ButtonLink>
    </Card>
  );
}
