import '../../ui/desk.css';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { ACCOUNT_VIEWS } from '../../lib/rooms.ts';
import { useLive } from '../../lib/use-live.ts';
import { m } from '../../paraglide/messages.js';
import { Screen } from '../../ui/screen.tsx';
import { Segment } from '../../ui/segment.tsx';
import { useIsStaff } from './for-staff.tsx';

const VIEW_WORDS = {
  people: m.people_tab,
  communities: m.desk_nav_communities,
  applications: m.people_tab_applications,
  partnerships: m.desk_nav_partnerships,
} as const;

/** `/admin/account-management`: accounts, communities and requests, for administrators; live only. */
export function AccountManagementScreen() {
  const room = useLocation().pathname.split('/')[3];
  const navigate = useNavigate();
  useLive(null, ['desk'], useIsStaff() === true);
  if (room === 'person')
    return (
      <Screen title={m.people_tab()} back={{ to: '/admin/account-management', label: m.people_tab() }}>
        <Outlet />
      </Screen>
    );
  if (room === 'community')
    return (
      <Screen
        title={m.desk_nav_communities()}
        back={{ to: '/admin/account-management/communities', label: m.desk_nav_communities() }}
      >
        <Outlet />
      </Screen>
    );
  return (
    <Screen title={m.ops_accounts()} lead={m.ops_accounts_lead()} back={{ to: '/admin', label: m.ops_title() }}>
      <div className="view-switch view-switch--wide">
        <Segment
          label={m.people_views()}
          options={ACCOUNT_VIEWS.map((value) => ({ value, label: VIEW_WORDS[value]() }))}
          value={ACCOUNT_VIEWS.find((one) => one === room) ?? 'people'}
          onChange={(value) =>
            void navigate({
              to: value === 'people' ? '/admin/account-management' : `/admin/account-management/${value}`,
              resetScroll: false,
            })
          }
        />
      </div>
      <Outlet />
    </Screen>
  );
}
