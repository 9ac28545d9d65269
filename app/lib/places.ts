import type { Target } from './target.ts';

/** Entries of the tab bar, and the one that an address belongs to. Pure. */
export type Section = 'today' | 'leaderboard' | 'explore' | 'tools' | 'you';

export function sectionOf(path: string): Section | null {
  if (/^\/(community\/)?[^/]+\/dashboard\/?$/.test(path)) return 'today';
  if (/^\/(community-selector|engagement-complete)\/?$/.test(path)) return 'today';
  if (/^\/ai-tools\/?$/.test(path)) return 'explore';
  if (/^\/(community\/)?[^/]+\/admin(\/.*)?$/.test(path)) return 'tools';
  if (/^\/leaderboard\/?$/.test(path)) return 'leaderboard';
  if (/^\/(explore-communities|communities|no-communities|web3-quiz|platform-exploration|ai-assistant)\/?$/.test(path))
    return 'explore';
  if (/^\/community\/[^/]+\/?$/.test(path)) return 'explore';
  if (/^\/ai-defi-tools(\/|$)/.test(path)) return 'explore';
  return /^\/(profile|profile-accounts|twitter-return|settings(\/.*)?)\/?$/.test(path) ? 'you' : null;
}

/**
 * Target of 'Today': the dashboard of the last community while the member still belongs to it; else the selector.
 * @param mine slugs and ids of the member's communities; null while unknown
 */
export function todayOf(last: string | null, mine: ReadonlySet<string> | null): Target {
  return last !== null && (mine === null || mine.has(last))
    ? { to: '/community/$communityId/dashboard', params: { communityId: last } }
    : { to: '/community-selector' };
}
