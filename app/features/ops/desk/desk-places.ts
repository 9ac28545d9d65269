import { m } from '../../../paraglide/messages.js';
import type { IconName } from '../../../ui/icon.tsx';

export type DeskPlace = {
  name: 'home' | 'people' | 'communities' | 'partnerships' | 'announcements' | 'analytics' | 'logs' | 'audit';
  to: string;
  icon: IconName;
  words: () => string;
  /** Operators who are no administrators do not go there. */
  adminsOnly: boolean;
  /** One of the four beside "More" on a phone; others are behind it. */
  onPhone: boolean;
};

/** The pages of who runs the instance, in the order of the side bar. A place is shown once this build has a page for it. */
const PLACES: readonly DeskPlace[] = [
  { name: 'home', to: '/admin', icon: 'server', words: m.desk_nav_home, adminsOnly: false, onPhone: true },
  {
    name: 'people',
    to: '/admin/account-management',
    icon: 'you',
    words: m.desk_nav_people,
    adminsOnly: true,
    onPhone: true,
  },
  {
    name: 'communities',
    to: '/admin/account-management?view=communities',
    icon: 'communities',
    words: m.desk_nav_communities,
    adminsOnly: true,
    onPhone: false,
  },
  {
    name: 'partnerships',
    to: '/admin/account-management?view=partnerships',
    icon: 'link',
    words: m.desk_nav_partnerships,
    adminsOnly: true,
    onPhone: false,
  },
  {
    name: 'announcements',
    to: '/admin/announcements',
    icon: 'announce',
    words: m.desk_nav_announcements,
    adminsOnly: true,
    onPhone: false,
  },
  {
    name: 'analytics',
    to: '/admin/analytics',
    icon: 'board',
    words: m.desk_nav_analytics,
    adminsOnly: false,
    onPhone: true,
  },
  { name: 'logs', to: '/admin/client-logs', icon: 'code', words: m.desk_nav_logs, adminsOnly: false, onPhone: true },
  { name: 'audit', to: '/admin/audit', icon: 'ledger', words: m.desk_nav_audit, adminsOnly: true, onPhone: false },
];

/** Pages that this build has, by their address: the router's own list. */
type Pages = object;
const pageOf = (to: string): string => to.split('?')[0] ?? to;

/** Where somebody of this role may go. */
export const placesFor = (role: string, pages: Pages): DeskPlace[] =>
  PLACES.filter(({ to, adminsOnly }) => pageOf(to) in pages && (!adminsOnly || role === 'admin'));

/** The address of a place, null where this build has no page for it. */
export function pathOf(name: DeskPlace['name'], pages: Pages): string | null {
  const place = PLACES.find((one) => one.name === name);
  return place && pageOf(place.to) in pages ? place.to : null;
}

/** The place that an address belongs to: of a page with several rooms the one that its query names, else the first. */
export function deskPlaceOf(path: string, search: Readonly<Record<string, unknown>> = {}): DeskPlace['name'] | null {
  const room = search['view'] ?? (search['community'] === undefined ? undefined : 'communities');
  const here = PLACES.filter(({ to }) => pageOf(to) === path);
  return (here.find(({ to }) => to === `${path}?view=${room}`) ?? here[0])?.name ?? null;
}
