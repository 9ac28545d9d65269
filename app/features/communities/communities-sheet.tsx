import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Empty, Reading } from '../../ui/states.tsx';
import { CommunityRows } from './community-rows.tsx';

/** The member's communities with what each needs, to switch between them. `here`: the slug of the open one. */
export function CommunitiesSheet({ here, open, onClose }: { here: string; open: boolean; onClose: () => void }) {
  return (
    <Sheet title={m.shell_your_communities()} open={open} onClose={onClose}>
      <Rows here={here} />
      <div className="actions">
        <ButtonLink kind="words" icon="explore" to="/explore-communities">
          {m.member_explore()}
        </ButtonLink>
      </div>
    </Sheet>
  );
}

function Rows({ here }: { here: string }) {
  const mine = useQuery(read('GET /api/user/communities'));
  return (
    <Reading query={mine}>
      {(communities) =>
        communities.length === 0 ? (
          <Empty title={m.member_selector_none()} line={m.member_selector_none_line()} />
        ) : (
          <CommunityRows communities={communities} here={here} />
        )
      }
    </Reading>
  );
}
