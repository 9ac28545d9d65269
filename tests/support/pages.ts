/**
 * Every page by its address: the heading under which each viewer finds it, and who looks at it, as it is another one for them.
 * A page of the router without a line here fails in `app/pages`. Words in braces are names of the sample, which the test fills
 * in.
 */
import { ROOMS } from '../../app/features/leader/rooms.ts';

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
  [`/community/${community}/admin?${query}`]: each({ leader: 'Leader tools' }),
});

const LANDING = 'Show up. Be counted. Signal or not.';
const LOADER = 'Opening Muster';
/** What stands for a path that is not there for them: one screen each, which is looked at where '/' leads. */
const ELSE = { visitor: LANDING, unfinished: 'Almost there', removed: 'Access Restricted', leader: 'Page not found' };
const gated = (headings: Page['headings'], looks: readonly Viewer[] = ['leader']): Page => ({
  headings: { ...ELSE, ...headings },
  looks,
});
/** A device forgets whoever was removed: without the server it is not known who opens the page. */
export const FORGOTTEN: Readonly<Record<string, string>> = {
  [ELSE.removed]: LOADER,
  'Ridge & Valley Walkers': 'Community',
};

const TODAY = 'Today in Ridge & Valley Walkers';
const today = { ...states('Today'), leader: TODAY, member: TODAY };
/** Of a community that the leader has as well: a word without a place to break, which everything in it is called by. */
export const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte';

/** Pages that are looked at where they are told of. */
export const ELSEWHERE = { '/mini': 'browser/access', '/today': 'browser/device' };

export const PAGES: Readonly<Record<string, Page>> = {
  '/': gated({ leader: 'Choose a community' }, ['visitor', 'unfinished', 'removed', 'leader']),
  '/community-selector': gated({ visitor: 'Choose a community', leader: 'Choose a community' }, ['visitor']),
  '/new-user-exploration': gated({ visitor: 'A minute to try it', unfinished: 'A minute to try it' }, ['visitor']),
  '/platform-exploration': gated({ ...states('What there is'), removed: ELSE.removed }, ['visitor', 'leader']),
  '/profile': gated({ leader: 'Inês Ferreira', member: 'Maya Lindqvist' }, ['leader', 'member']),
  '/profile-accounts': gated({ leader: 'Accounts and sessions' }),
  '/leaderboard': gated({ leader: 'Leaderboard' }),
  '/leaderboard?community={slug}': each({ leader: 'Leaderboard' }),
  '/ai-assistant': gated({ leader: 'Assistant' }),
  '/no/such/page': gated({}),

  '/learn-more': anybody('How it works'),
  '/how-to-use': anybody('How to use it'),
  '/muster-ai': anybody('Muster assistant'),
  '/ai-tools': anybody('Writing tools'),
  '/ai-tools?tool=announcement': each({ visitor: 'Writing tools' }),
  '/ai-tools?tool=task': each({ visitor: 'Writing tools' }),
  '/ai-tools?tool=answers': each({ visitor: 'Writing tools' }),
  '/ai-tools?tool=feedback': each({ visitor: 'Writing tools' }),
  '/ai-defi-tools': anybody('Calculators'),
  '/ai-defi-tools/impermanent-loss': withLeader('Impermanent loss', ['visitor']),
  '/ai-defi-tools/perpetual?side=short&leverage=25&entry=many': withLeader('Perpetual position', ['visitor']),
  '/community-guidelines': anybody('Community guidelines'),
  '/privacy-policy': anybody('Privacy policy'),
  '/terms': anybody('Terms'),
  '/cookie-policy': anybody('Cookie policy'),
  '/twitter-return': anybody('Linking X'),
  '/telegram-return': withLeader('Signing you in', ['visitor']),
  '/twitter-demo': anybody('Try a task on X'),
  '/web3-quiz': { ...anybody('Quiz'), looks: ['visitor', 'leader'] },
  '/web3-quiz?practice=privacy': withLeader(
    'You put your name into a transaction on a public chain and regret it. Can it be deleted?',
    ['visitor'],
  ),
  '/partnerships': anybody('Partnerships'),
  '/share': withLeader('Use what you shared'),
  '/logout': each({ visitor: LANDING }),
  '/demo': each({ visitor: TODAY }),
  '/demo?screen=/community/ridge-valley-walkers/admin&role=leader': each({ visitor: 'Leader tools' }),
  '/demo?screen=/profile&role=member': each({ visitor: 'Maya Lindqvist' }),
  '/demo?screen=/logout&role=member': each({ visitor: 'Not part of the demo' }),

  '/communities': {
    headings: { ...states('Communities'), member: 'Communities' },
    looks: ['visitor', 'leader', 'member'],
  },
  '/explore-communities': { ...anybody('Explore'), looks: ['visitor', 'leader'] },
  '/explore-communities?q=walk&order=name': each({ leader: 'Explore' }),
  '/no-communities': {
    headings: { ...states('No communities yet'), leader: 'Communities', member: 'Communities' },
    looks: ['visitor'],
  },
  '/community/{slug}': {
    headings: { ...states('Ridge & Valley Walkers'), member: 'Ridge & Valley Walkers' },
    looks: ['visitor', 'leader', 'member'],
  },
  '/community/{slug}/dashboard': { headings: today, looks: ['visitor', 'unfinished', 'leader', 'member'] },
  '/{slug}/dashboard': { headings: today, looks: [] },
  '/community/{slug}/admin': {
    headings: { ...states('Leader tools'), member: 'Leader tools' },
    looks: ['visitor', 'leader', 'member'],
  },
  '/{slug}/admin': { ...anybody('Leader tools'), looks: [] },
  ...Object.assign({}, ...ROOMS.map((room) => inRoom(`room=${room}`))),
  ...inRoom('show=approved'),
  ...inRoom('show=rejected'),
  ...inRoom('room=tasks&edit=new'),
  ...inRoom('room=quizzes&pack=new'),
  ...inRoom('room=event&task={event}'),
  '/community/long': each({ leader: LONG_WORD, member: LONG_WORD }),
  '/community/long/dashboard': each({ leader: `Today in ${LONG_WORD}`, member: `Today in ${LONG_WORD}` }),
  ...Object.assign(
    {},
    ...['tasks', 'seasons', 'announcements', 'analytics', 'connections', 'audit'].map((room) =>
      inRoom(`room=${room}`, 'long'),
    ),
  ),
  '/engagement-complete': anybody('Receipt'),
  '/engagement-complete?community={slug}&task={event}': each({ leader: 'Receipt', member: 'Receipt' }),
  '/engagement-complete?community={slug}&task={decided}': each({ member: 'Receipt' }),
  '/engagement-complete?community=long&task={hello}': each({ member: 'Receipt' }),
  '/i/{code}': withLeader('Invitation'),
  '/channel-removed': { ...anybody('The required channel'), looks: ['visitor', 'removed', 'leader'] },
  '/community-leader-signup': { ...anybody('Lead a community'), looks: ['visitor', 'unfinished', 'leader'] },
  '/community-leader-wizard': { ...anybody('Set up a community'), looks: ['visitor', 'leader'] },

  '/your-data': withLeader('Your data'),
  '/settings': withLeader('Settings'),
  '/settings/device': withLeader('This phone'),
  '/settings/time-zone': ofLeaders('Time zone'),
  '/settings/notifications': ofLeaders('Notifications'),
  '/settings/ledger': ofLeaders('Ledger'),
  '/settings/privacy': ofLeaders('What others see of you'),

  '/admin': { ...ofAdmins('Overview'), looks: ['visitor', 'removed', 'leader', 'admin'] },
  '/admin/analytics': ofAdmins('Analytics'),
  '/admin/account-management': ofAdmins('Accounts'),
  '/admin/account-management?view=applications': each({ admin: 'Accounts' }),
  '/admin/announcements': ofAdmins('Announcements'),
  '/admin/communities': ofAdmins('Communities'),
  '/admin/partnerships': ofAdmins('Partnerships'),
  '/admin/audit': ofAdmins('Audit log'),
  '/admin/first': { ...ofAdmins('First administrator'), looks: ['visitor', 'admin'] },
  '/admin/client-logs': ofAdmins('Client logs'),
  '/admin/client-logs?view=fleet': each({ admin: 'Client logs' }),
};
