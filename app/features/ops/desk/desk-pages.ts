import type { Target } from '../../../lib/target.ts';
import { m } from '../../../paraglide/messages.js';
import type { IconName } from '../../../ui/icon.tsx';

export type DeskPage = {
  name: 'home' | 'people' | 'communities' | 'partnerships' | 'announcements' | 'analytics' | 'logs' | 'audit';
  link: Target;
  icon: IconName;
  words: () => string;
  /** Hidden from operators who are not administrators. */
  adminsOnly: boolean;
  /** One of the four beside "More" on phones. */
  onPhone: boolean;
};

/** The desk's pages, in the order of the side bar. */
const DESK_PAGES: readonly DeskPage[] = [
  { name: 'home', link: { to: '/admin' }, icon: 'server', words: m.desk_nav_home, adminsOnly: false, onPhone: true },
  {
    name: 'people',
    link: { to: '/admin/account-management' },
    icon: 'you',
    words: m.desk_nav_people,
    adminsOnly: true,
    onPhone: true,
  },
  {
    name: 'communities',
    link: { to: '/admin/account-management/communities' },
    icon: 'communities',
    words: m.desk_nav_communities,
    adminsOnly: true,
    onPhone: false,
  },
  {
    name: 'partnerships',
    link: { to: '/admin/account-management/partnerships' },
    icon: 'link',
    words: m.desk_nav_partnerships,
    adminsOnly: true,
    onPhone: false,
  },
  {
    name: 'announcements',
    link: { to: '/admin/announcements' },
    icon: 'announce',
    words: m.desk_nav_announcements,
    adminsOnly: true,
    onPhone: false,
  },
  {
    name: 'analytics',
    link: { to: '/admin/analytics' },
    icon: 'board',
    words: m.desk_nav_analytics,
    adminsOnly: false,
    onPhone: true,
  },
  {
    name: 'logs',
    link: { to: '/admin/client-logs' },
    icon: 'code',
    words: m.desk_nav_logs,
    adminsOnly: false,
    onPhone: true,
  },
  {
    name: 'audit',
    link: { to: '/admin/audit' },
    icon: 'ledger',
    words: m.desk_nav_audit,
    adminsOnly: true,
    onPhone: false,
  },
];

/** The pages that a role may open. */
export const deskPagesFor = (role: string): DeskPage[] =>
  DESK_PAGES.filter(({ adminsOnly }) => !adminsOnly || role === 'admin');

/** The desk entry of a page: its own; for a page with rooms the open room's, else the first. */
export function deskPageOf(path: string): DeskPage['name'] | null {
  if (path === '/admin/account-management/community') return 'communities';
  const own = DESK_PAGES.find(({ link }) => link.to === path);
  return (own ?? DESK_PAGES.find(({ link }) => link.to !== '/admin' && path.startsWith(`${link.to}/`)))?.name ?? null;
}
