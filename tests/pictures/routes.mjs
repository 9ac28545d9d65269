// @ts-check
/** What `compare.mjs` takes pictures of: routes by who opens them, and what is pressed there. Words in braces are filled in. */
const ANYBODY = [
  '/',
  '/learn-more',
  '/how-to-use',
  '/ai-tools',
  '/community-guidelines',
  '/privacy-policy',
  '/terms',
  '/cookie-policy',
  '/communities',
  '/explore-communities',
  '/ai-defi-tools',
  '/ai-defi-tools/impermanent-loss',
  '/ai-defi-tools/lending',
  '/community/{slug}',
  '/community/{slug}/dashboard',
  '/community/{slug}/admin',
  '/community-selector',
  '/new-user-exploration',
  '/platform-exploration',
  '/twitter-return',
  '/engagement-complete',
  '/channel-removed',
  '/no-communities',
  '/community-leader-signup',
  '/community-leader-wizard',
  '/share',
  '/admin',
  '/admin/account-management',
  '/logout',
  '/no/such/page',
];
const OWN = ['/profile', '/profile-accounts', '/leaderboard'];
const receipts = [
  'check_in',
  'submit_text',
  'quiz',
  'poll',
  'visit_link',
  'submit_url',
  'submit_image',
  'invite',
  'telegram_event',
  'manual',
].map((kind) => `/engagement-complete?community={slug}&task={${kind}}`);
const rooms = [
  'review',
  'tasks',
  'members',
  'seasons',
  'announcements',
  'analytics',
  'connections',
  'audit',
  'settings',
];

/** @type {Record<'visitor' | 'member' | 'leader' | 'ops', string[]>} */
export const ROUTES = {
  visitor: ANYBODY,
  member: [
    ...ANYBODY.filter((path) => path !== '/logout'),
    ...OWN,
    ...receipts,
    '/explore-communities?q=walk&order=name',
    '/share?title=A%20walk&text=In%20the%20woods&url=https%3A%2F%2Fwww.openstreetmap.org%2F',
    '/logout',
  ],
  leader: [
    '/community/{slug}',
    '/community/{slug}/dashboard',
    ...rooms.map((room) => `/community/{slug}/admin?room=${room}`),
    '/community/{slug}/admin?show=approved',
    '/community/{slug}/admin?show=rejected',
    '/community/{slug}/admin?room=tasks&edit=new',
    ...['quiz', 'poll', 'telegram_event', 'visit_link', 'invite'].map(
      (kind) => `/community/{slug}/admin?room=tasks&edit={${kind}}`,
    ),
    '/community/{slug}/admin?room=event&task={telegram_event}',
    '/community-leader-wizard',
    ...OWN,
  ],
  ops: [
    '/admin',
    '/admin/account-management',
    '/admin/client-logs',
    '/admin/client-logs?issue={issue}',
    '/admin/client-logs?entry={entry}',
    ...['entries', 'timeline', 'tail', 'fleet', 'alerts', 'rules'].map((view) => `/admin/client-logs?view=${view}`),
  ],
};

/** @type {Record<string, (string | RegExp)[]>} */
export const PRESSES = {
  'member /community/{slug}/dashboard': ['Check in', 'Say hello', 'Quiz'],
  'member /profile': ['Sign out'],
  'leader /community/{slug}/admin?room=members': [/Maya/],
  'leader /community/{slug}/admin?room=review': ['Reject', 'Ask changes'],
  'leader /community/{slug}/admin?room=connections': ['Add a webhook', 'New key'],
  'leader /community/{slug}/admin?room=seasons': ['New season', 'Add a reward'],
  'leader /community/{slug}/admin?room=announcements': ['New announcement'],
};
