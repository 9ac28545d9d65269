/**
 * Every page by its address, with the heading under which each of those who look at it finds it. A page of the router without a
 * line here fails in `app/pages`. Words in braces are names of the sample: a community, its event and its invite.
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
type Headings = Partial<Record<Viewer, string>>;

const LANDING = 'Show up. Be counted. Signal or not.';
export const LOADER = 'Opening Muster';
/** A device forgets whoever was removed: without the server it is not known who opens the page. */
export const FORGOTTEN: Readonly<Record<string, string>> = {
  'Access Restricted': LOADER,
  'Ridge & Valley Walkers': 'Community',
};
/** Those of section 2's states. */
const byState = (visitor: string, unfinished: string, removed: string, leader: string): Headings => ({
  visitor,
  unfinished,
  removed,
  leader,
});
const all = (heading: string): Headings => byState(heading, heading, heading, heading);
/** What stands for a path that is not there for them. */
const ELSE = { visitor: LANDING, unfinished: 'Almost there', removed: 'Access Restricted', leader: 'Page not found' };
const verified = (heading: string): Headings => ({ ...ELSE, leader: heading });
const leader = (heading: string): Headings => ({ leader: heading });
const visitorAndLeader = (heading: string, theirs = heading): Headings => ({ visitor: heading, leader: theirs });
const desk = (heading: string): Headings => ({ ...all(heading), admin: heading });
const today = { ...all('Today'), leader: 'Today in Ridge & Valley Walkers', member: 'Today in Ridge & Valley Walkers' };

/** Of a community that the leader has as well: a word without a place to break, which everything in it is called by. */
export const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunte';
const long = { leader: LONG_WORD, member: LONG_WORD };
const longToday = { leader: `Today in ${LONG_WORD}`, member: `Today in ${LONG_WORD}` };

/** Pages that are looked at where they are told of. */
export const ELSEWHERE = { '/mini': 'browser/mini-app', '/today': 'app/start' };

export const PAGES: Readonly<Record<string, Headings>> = {
  '/': { ...ELSE, leader: 'Choose a community' },
  '/community-selector': { ...ELSE, visitor: 'Choose a community', leader: 'Choose a community' },
  '/new-user-exploration': { ...ELSE, visitor: 'A minute to try it', unfinished: 'A minute to try it' },
  '/platform-exploration': { ...all('What there is'), removed: ELSE.removed },
  '/profile': { ...verified('Inês Ferreira'), member: 'Maya Lindqvist' },
  '/profile-accounts': verified('Accounts and sessions'),
  '/leaderboard': verified('Leaderboard'),
  '/leaderboard?community={slug}': leader('Leaderboard'),
  '/ai-assistant': verified('Assistant'),
  '/no/such/page': ELSE,
  '/learn-more': all('How it works'),
  '/how-to-use': all('How to use it'),
  '/muster-ai': all('Muster assistant'),
  '/ai-tools': all('Writing tools'),
  '/ai-tools?tool=announcement': visitorAndLeader('Writing tools'),
  '/ai-tools?tool=task': visitorAndLeader('Writing tools'),
  '/ai-tools?tool=answers': visitorAndLeader('Writing tools'),
  '/ai-tools?tool=feedback': visitorAndLeader('Writing tools'),
  '/community-guidelines': all('Community guidelines'),
  '/privacy-policy': all('Privacy policy'),
  '/terms': all('Terms'),
  '/cookie-policy': all('Cookie policy'),
  '/communities': { ...all('Communities'), member: 'Communities' },
  '/explore-communities': all('Explore'),
  '/explore-communities?q=walk&order=name': leader('Explore'),
  '/ai-defi-tools': all('Calculators'),
  '/ai-defi-tools/impermanent-loss': visitorAndLeader('Impermanent loss'),
  '/ai-defi-tools/perpetual?side=short&leverage=25&entry=many': visitorAndLeader('Perpetual position'),
  '/community/{slug}': { ...all('Ridge & Valley Walkers'), member: 'Ridge & Valley Walkers' },
  '/community/{slug}/dashboard': today,
  '/{slug}/dashboard': today,
  '/community/{slug}/admin': { ...all('Leader tools'), member: 'Leader tools' },
  '/{slug}/admin': all('Leader tools'),
  ...Object.fromEntries(ROOMS.map((room) => [`/community/{slug}/admin?room=${room}`, leader('Leader tools')])),
  '/community/{slug}/admin?show=approved': leader('Leader tools'),
  '/community/{slug}/admin?show=rejected': leader('Leader tools'),
  '/community/{slug}/admin?room=tasks&edit=new': leader('Leader tools'),
  '/community/{slug}/admin?room=quizzes&pack=new': leader('Leader tools'),
  '/community/{slug}/admin?room=event&task={event}': leader('Leader tools'),
  '/community/long': long,
  '/community/long/dashboard': longToday,
  ...Object.fromEntries(
    ['tasks', 'seasons', 'announcements', 'analytics', 'connections', 'audit'].map((room) => [
      `/community/long/admin?room=${room}`,
      leader('Leader tools'),
    ]),
  ),
  '/engagement-complete?community=long&task={hello}': { member: 'Receipt' },
  '/community-leader-signup': all('Lead a community'),
  '/community-leader-wizard': all('Set up a community'),
  '/engagement-complete': all('Receipt'),
  '/engagement-complete?community={slug}&task={event}': { leader: 'Receipt', member: 'Receipt' },
  '/engagement-complete?community={slug}&task={decided}': { member: 'Receipt' },
  '/channel-removed': all('The required channel'),
  '/no-communities': { ...all('No communities yet'), leader: 'Communities', member: 'Communities' },
  '/i/{code}': visitorAndLeader('Invitation'),
  '/twitter-return': all('Linking X'),
  '/telegram-return': visitorAndLeader('Signing you in'),
  '/twitter-demo': all('Try a task on X'),
  '/web3-quiz': all('Quiz'),
  '/web3-quiz?practice=privacy': visitorAndLeader(
    'You put your name into a transaction on a public chain and regret it. Can it be deleted?',
  ),
  '/share': visitorAndLeader('Use what you shared'),
  '/your-data': visitorAndLeader('Your data'),
  '/settings': visitorAndLeader('Settings'),
  '/settings/device': visitorAndLeader('This phone'),
  '/settings/time-zone': visitorAndLeader('Time zone'),
  '/settings/notifications': visitorAndLeader('Notifications'),
  '/settings/ledger': visitorAndLeader('Ledger'),
  '/settings/privacy': visitorAndLeader('What others see of you'),
  '/partnerships': all('Partnerships'),
  '/logout': { visitor: 'Show up. Be counted. Signal or not.' },
  '/admin': desk('Overview'),
  '/admin/analytics': desk('Analytics'),
  '/admin/account-management': desk('Accounts'),
  '/admin/account-management?view=applications': { admin: 'Accounts' },
  '/admin/announcements': { ...visitorAndLeader('Announcements'), admin: 'Announcements' },
  '/admin/communities': { ...visitorAndLeader('Communities'), admin: 'Communities' },
  '/admin/partnerships': { ...visitorAndLeader('Partnerships'), admin: 'Partnerships' },
  '/admin/audit': { ...visitorAndLeader('Audit log'), admin: 'Audit log' },
  '/admin/first': { ...visitorAndLeader('First administrator'), admin: 'First administrator' },
  '/admin/client-logs': { ...visitorAndLeader('Client logs'), admin: 'Client logs' },
  '/admin/client-logs?view=fleet': { admin: 'Client logs' },
  '/demo': { visitor: 'Today in Ridge & Valley Walkers' },
  '/demo?screen=/community/ridge-valley-walkers/admin&role=leader': { visitor: 'Leader tools' },
  '/demo?screen=/profile&role=member': { visitor: 'Maya Lindqvist' },
  '/demo?screen=/logout&role=member': { visitor: 'Not part of the demo' },
};
