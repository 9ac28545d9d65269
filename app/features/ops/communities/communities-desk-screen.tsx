import { useSearch } from '../../../lib/search.ts';
import { m } from '../../../paraglide/messages.js';
import { Screen } from '../../../ui/screen.tsx';
import { CommunitiesList } from './communities-list.tsx';
import { CommunityPage } from './community-page.tsx';

/** `/admin/communities`: all communities for administrators, or the one in the address; live only. */
export function CommunitiesDeskScreen() {
  const [{ community }] = useSearch('/admin/communities');
  const back = community === undefined ? ({ to: '/admin', label: m.ops_title() } as const) : null;
  return (
    <Screen
      title={m.desk_nav_communities()}
      back={back ?? { to: '/admin/communities', label: m.desk_nav_communities() }}
    >
      {community === undefined ? <CommunitiesList /> : <CommunityPage key={community} placeId={community} />}
    </Screen>
  );
}
