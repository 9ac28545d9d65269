import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';

/** No such community, or a private one that does not show itself. */
export function MissingCommunity() {
  return (
    <Empty
      illustration="gate"
      title={m.member_community_missing()}
      line={m.member_community_missing_line()}
      action={<ButtonLink to="/explore-communities">{m.member_explore()}</ButtonLink>}
    />
  );
}
