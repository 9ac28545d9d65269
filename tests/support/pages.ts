/**
 * Every page by its address: the heading under which each viewer finds it, and who looks at it, as it is another one for them.
 * A page of the router without a line here fails in `app/pages`. Words in braces are names of the sample, which the test fills
 * in.
 */
import { ROOMS } from '../../app/features/leader/rooms.ts';
import { m } from '../../app/paraglide/messages.js';

/** Who opens pages. The unfinished have not linked X yet; the removed are no longer in the required channel. */
export type Viewer = 'visitor' | 'unfinished' | 'removed' | 'member' | 'leader' | 'admin';
/** People of the sandbox. */
export const WHO = {
  visitor: null,
  unfinished: '1003',
  removed: '1005',
  member: '1001',
  leader: '1004',
  admin: '1002',
} as const satisfies Record<Viewer, string | null>;

export type Page = { headings: Partial<Record<Viewer, string>>; looks: readonly Viewer[] };

/** A page that is another one for each of those who are named. */
const each = (headings: Page['headings']): Page => ({ headings, looks: Object.keys(headings) as Viewer[] });
/** One that is the same for all, but for what a member may do there. */
const states = (heading: string) => ({ visitor: heading, unfinished: heading, removed: heading, leader: heading });
const anybody = (heading: string): Page => ({ headings: states(heading), looks: ['visitor'] });
const withLeader = (heading: string, looks: readonly Viewer[] = ['visitor', 'leader']): Page => ({
  headings: { visitor: heading, leader: heading },
  looks,
});
/** One of which everybody else is told in the same words that it is not for them. */
const ofLeaders = (heading: string): Page => withLeader(heading, ['leader']);
const ofAdmins = (heading: string): Page => ({ headings: { ...states(heading), admin: heading }, looks: ['admin'] });
const inRoom = (query: string, community = '{slug}'): Record<string, Page> => ({
  [`/community/${community}/admin?${query}`]: each({ leader: m.leader_tools() }),
});

const LANDING = [m.public_landing_h1_1(), m.public_landing_h1_2(), m.public_landing_h1_3()].join(' ');
const LOADER = m.shell_opening({ product: 'Muster' });
/** What stands for a path that is not there for them: one screen each, which is looked at where '/' leads. */
const ELSE = {
  visitor: LANDING,
  unfinished: m.member_selector_missing(),
  removed: m.shell_restricted_title(),
  leader: m.shell_not_found_title(),
};
const gated = (headings: Page['headings'], looks: readonly Viewer[] = ['leader']): Page => ({
  headings: { ...ELSE, ...headings },
  looks,
});
/** A device forgets whoever was removed: without the server it is not known who opens the page. */
export const FORGOTTEN: Readonly<Record<string, string>> = {
  [ELSE.removed]: LOADER,
  'Ridge & Valley Walkers': m.member_community(),
};

const TODAY = m.shell_today_in({ today: m.shell_today(), community: 'Ridge & Valley Walkers' });
const today = { ...states(m.shell_today()), leader: TODAY, member: TODAY };
/** Of a community that the leader has as well: a word without a place to break, which everything in it is called by. */
export const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte';

/** Pages that are looked at where they are told of. */
export const ELSEWHERE = { '/mini': 'browser/access', '/today': 'browser/device' };

export const PAGES: Readonly<Record<string, Page>> = {
  '/': gated({ leader: m.member_selector() }, ['visitor', 'unfinished', 'removed', 'leader']),
  '/community-selector': gated({ visitor: m.member_selector(), leader: m.member_selector() }, ['visitor']),
  '/new-user-exploration': gated({ visitor: m.public_tour_title(), unfinished: m.public_tour_title() }, ['visitor']),
  '/platform-exploration': gated({ ...states(m.public_map_title()), removed: ELSE.removed }, ['visitor', 'leader']),
  '/profile': gated({ leader: 'Inês Ferreira', member: 'Maya Lindqvist' }, ['leader', 'member']),
  '/profile-accounts': gated({ leader: m.member_accounts() }),
  '/leaderboard': gated({ leader: m.shell_leaderboard() }),
  '/leaderboard?community={slug}': each({ leader: m.shell_leaderboard() }),
  '/ai-assistant': gated({ leader: m.assistant_title() }),
  '/no/such/page': gated({}),

  '/learn-more': anybody(m.shell_learn_more()),
  '/how-to-use': anybody(m.public_use_title()),
  '/muster-ai': anybody(m.assistant_public_title({ product: 'Muster' })),
  '/ai-tools': anybody(m.tools_title()),
  '/ai-tools?tool=announcement': each({ visitor: m.tools_title() }),
  '/ai-tools?tool=task': each({ visitor: m.tools_title() }),
  '/ai-tools?tool=answers': each({ visitor: m.tools_title() }),
  '/ai-tools?tool=feedback': each({ visitor: m.tools_title() }),
  '/ai-defi-tools': anybody(m.calc_title()),
  '/ai-defi-tools/impermanent-loss': withLeader(m.calc_il(), ['visitor']),
  '/ai-defi-tools/perpetual?side=short&leverage=25&entry=many': withLeader(m.calc_perp(), ['visitor']),
  '/community-guidelines': anybody(m.shell_guidelines()),
  '/privacy-policy': anybody(m.public_privacy_title()),
  '/terms': anybody(m.shell_terms()),
  '/cookie-policy': anybody(m.public_cookies_title()),
  '/twitter-return': anybody(m.member_return()),
  '/telegram-return': withLeader(m.mini_return(), ['visitor']),
  '/twitter-demo': anybody(m.xdemo_title()),
  '/web3-quiz': { ...anybody(m.quiz_title()), looks: ['visitor', 'leader'] },
  '/web3-quiz?practice=privacy': withLeader(
    'You put your name into a transaction on a public chain and regret it. Can it be deleted?',
    ['visitor'],
  ),
  '/partnerships': anybody(m.shell_partnerships()),
  '/share': withLeader(m.shell_share_title()),
  '/logout': each({ visitor: LANDING }),
  '/demo': each({ visitor: TODAY }),
  '/demo?screen=/community/ridge-valley-walkers/admin&role=leader': each({ visitor: m.leader_tools() }),
  '/demo?screen=/profile&role=member': each({ visitor: 'Maya Lindqvist' }),
  '/demo?screen=/logout&role=member': each({ visitor: m.public_demo_missing() }),

  '/communities': {
    headings: { ...states(m.shell_to_communities()), member: m.shell_to_communities() },
    looks: ['visitor', 'leader', 'member'],
  },
  '/explore-communities': { ...anybody(m.shell_explore()), looks: ['visitor', 'leader'] },
  '/explore-communities?q=walk&order=name': each({ leader: m.shell_explore() }),
  '/no-communities': {
    headings: { ...states(m.public_none_title()), leader: m.shell_to_communities(), member: m.shell_to_communities() },
    looks: ['visitor'],
  },
  '/community/{slug}': {
    headings: { ...states('Ridge & Valley Walkers'), member: 'Ridge & Valley Walkers' },
    looks: ['visitor', 'leader', 'member'],
  },
  '/community/{slug}/dashboard': { headings: today, looks: ['visitor', 'unfinished', 'leader', 'member'] },
  '/{slug}/dashboard': { headings: today, looks: [] },
  '/community/{slug}/admin': {
    headings: { ...states(m.leader_tools()), member: m.leader_tools() },
    looks: ['visitor', 'leader', 'member'],
  },
  '/{slug}/admin': { ...anybody(m.leader_tools()), looks: [] },
  ...Object.assign({}, ...ROOMS.map((room) => inRoom(`room=${room}`))),
  ...inRoom('show=approved'),
  ...inRoom('show=rejected'),
  ...inRoom('room=tasks&edit=new'),
  ...inRoom('room=quizzes&pack=new'),
  ...inRoom('room=event&task={event}'),
  '/community/long': each({ leader: LONG_WORD, member: LONG_WORD }),
  '/community/long/dashboard': each({
    leader: m.shell_today_in({ today: m.shell_today(), community: LONG_WORD }),
    member: m.shell_today_in({ today: m.shell_today(), community: LONG_WORD }),
  }),
  ...Object.assign(
    {},
    ...['tasks', 'seasons', 'announcements', 'analytics', 'connections', 'audit'].map((room) =>
      inRoom(`room=${room}`, 'long'),
    ),
  ),
  '/engagement-complete': anybody(m.member_receipt()),
  '/engagement-complete?community={slug}&task={event}': each({
    leader: m.member_receipt(),
    member: m.member_receipt(),
  }),
  '/engagement-complete?community={slug}&task={decided}': each({ member: m.member_receipt() }),
  '/engagement-complete?community=long&task={hello}': each({ member: m.member_receipt() }),
  '/i/{code}': withLeader(m.member_invite_title()),
  '/channel-removed': { ...anybody(m.public_channel_title()), looks: ['visitor', 'removed', 'leader'] },
  '/community-leader-signup': { ...anybody(m.leader_signup()), looks: ['visitor', 'unfinished', 'leader'] },
  '/community-leader-wizard': { ...anybody(m.leader_wizard()), looks: ['visitor', 'leader'] },

  '/your-data': withLeader(m.data_title()),
  '/settings': withLeader(m.settings_title()),
  '/settings/device': withLeader(m.settings_device({ device: m.public_device_phone() })),
  '/settings/time-zone': ofLeaders(m.settings_zone()),
  '/settings/notifications': ofLeaders(m.shell_notifications()),
  '/settings/ledger': ofLeaders(m.settings_ledger()),
  '/settings/privacy': ofLeaders(m.settings_privacy()),

  '/admin': { ...ofAdmins(m.desk_title()), looks: ['visitor', 'removed', 'leader', 'admin'] },
  '/admin/analytics': ofAdmins(m.analytics_title()),
  '/admin/account-management': ofAdmins(m.ops_accounts()),
  '/admin/account-management?view=applications': each({ admin: m.ops_accounts() }),
  '/admin/announcements': ofAdmins(m.desk_announce()),
  '/admin/communities': ofAdmins(m.desk_nav_communities()),
  '/admin/partnerships': ofAdmins(m.shell_partnerships()),
  '/admin/audit': ofAdmins(m.desk_audit()),
  '/admin/first': { ...ofAdmins(m.desk_first_title()), looks: ['visitor', 'admin'] },
  '/admin/client-logs': ofAdmins(m.logs_title()),
  '/admin/client-logs?view=fleet': each({ admin: m.logs_title() }),
};
