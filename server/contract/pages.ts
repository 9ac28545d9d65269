import { START_PATH } from './start-path.ts';

/**
 * The pages of the specification's section 2 and those below one of them. Reserved community names derive from this
 * list, including pages that are registered later. `{product}` is replaced by the product's slug.
 */
export const PUBLIC_PAGES = [
  '/admin',
  '/admin/account-management',
  '/admin/analytics',
  '/learn-more',
  '/how-to-use',
  '/{product}-ai',
  '/community-leader-wizard',
  '/ai-tools',
  '/ai-defi-tools',
  '/ai-defi-tools/{calculator}',
  '/web3-quiz',
  '/explore-communities',
  '/community-guidelines',
  '/partnerships',
  '/privacy-policy',
  '/terms',
  '/cookie-policy',
  '/logout',
  '/communities',
  '/community/{communityId}',
  '/community/{communityId}/dashboard',
  '/community/{communityId}/admin',
  '/{communityName}/dashboard',
  '/{communityName}/admin',
  '/demo',
  '/community-leader-signup',
  '/channel-removed',
  '/no-communities',
  '/twitter-demo',
  '/engagement-complete',
  '/twitter-return',
] as const;

/** Pages behind the fallback of section 2. */
export const GATED_PAGES = [
  '/',
  '/community-selector',
  '/new-user-exploration',
  '/platform-exploration',
  '/profile',
  '/leaderboard',
  '/ai-assistant',
  '/profile-accounts',
] as const;

/** The document that opens inside Telegram, and that alone may be framed. */
export const MINI_APP_PATH = '/mini';

/**
 * Pages of ours beside the specification's: where the app starts, where the system's share sheet hands something over (manifest, `share_target`), invites,
 * the Mini App, where Telegram's old widget returns, and rooms of the administrators' desk.
 */
const OWN_PAGES = [
  START_PATH,
  '/share',
  MINI_APP_PATH,
  '/telegram-return',
  '/i/{inviteCode}',
  '/your-data',
  '/settings',
  '/settings/{room}',
  '/admin/communities',
  '/admin/partnerships',
  '/admin/announcements',
  '/admin/audit',
  '/admin/first',
] as const;

/** First path segments that the server or the build answers itself. */
const SERVED = [
  'api',
  'assets',
  'livez',
  'readyz',
  'metrics',
  'sw',
  'sw.js',
  'manifest',
  'icons',
  'screenshots',
  'index',
  'favicon',
  'robots',
  'well-known',
];
/** Words that would pretend to be the house. */
const HOUSE = [
  'muster',
  'support',
  'help',
  'official',
  'staff',
  'system',
  'root',
  'null',
  'undefined',
  'me',
  'you',
  'new',
  'login',
  'signin',
  'signup',
  'sign-in',
  'sign-up',
  'sign-out',
  'dashboard',
  'telegram',
  'twitter',
  'x',
];

/** Names that no community may take (threat model, row A2), for the product's slug. */
export function reservedNames(productSlug: string): ReadonlySet<string> {
  const heads = [...PUBLIC_PAGES, ...GATED_PAGES, ...OWN_PAGES]
    .map((page) => page.replace('{product}', productSlug).split('/')[1] ?? '')
    .filter((head) => head !== '' && !head.startsWith('{'));
  return new Set([...heads, ...SERVED, ...HOUSE, productSlug]);
}
