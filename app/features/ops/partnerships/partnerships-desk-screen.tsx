import { m } from '../../../paraglide/messages.js';
import { Screen } from '../../../ui/screen.tsx';
import { PartnershipList } from './partnership-list.tsx';

/** `/admin/partnerships`: partnership requests, for administrators; live only. */
export function PartnershipsDeskScreen() {
  return (
    <Screen title={m.desk_nav_partnerships()} back={{ to: '/admin', label: m.ops_title() }}>
      <PartnershipList />
    </Screen>
  );
}
