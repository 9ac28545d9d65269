/** The fallback of section 2 for every path that no route of its own answers, as a pure table. */

import type { User } from '../../../server/contract/user.ts';
import { isComplete } from '../../../server/rules/completion.ts';
import { isNetworkFailure, isShutOut, statusOf } from '../../lib/http.ts';

/** `unknown`: the server answered that it failed, so nobody is told who they are, and nobody that they are signed out. */
export type AuthState = 'loading' | 'unknown' | 'revoked' | 'partial' | 'verified' | 'signedOut';

export type GatedPage =
  | 'community-selector'
  | 'new-user-exploration'
  | 'platform-exploration'
  | 'community-leader-wizard'
  | 'profile'
  | 'leaderboard'
  | 'ai-assistant'
  | 'profile-accounts';
/** What to show: a page, a screen of the gate itself, or a redirect of '/'. */
export type Verdict = GatedPage | 'loader' | 'unknown' | 'restricted' | 'landing' | 'not-found' | 'to-selector';

type Row = { pages: readonly GatedPage[]; otherwise: Verdict };
const ROWS: Record<AuthState, Row> = {
  loading: { pages: [], otherwise: 'loader' },
  unknown: { pages: [], otherwise: 'unknown' },
  revoked: { pages: [], otherwise: 'restricted' },
  partial: {
    pages: ['community-selector', 'new-user-exploration', 'platform-exploration', 'community-leader-wizard'],
    otherwise: 'community-selector',
  },
  verified: {
    pages: ['community-selector', 'platform-exploration', 'profile', 'leaderboard', 'ai-assistant', 'profile-accounts'],
    otherwise: 'not-found',
  },
  signedOut: {
    pages: ['new-user-exploration', 'platform-exploration', 'community-selector', 'community-leader-wizard'],
    otherwise: 'landing',
  },
};

/**
 * Chooses by state and path. A page that this build does not have falls to what the state shows for everything else.
 * @param path of the location, without query; a closing slash is of no account
 * @param built the gated pages that this build has
 */
export function gate(state: AuthState, path: string, built: (page: GatedPage) => boolean): Verdict {
  const { pages, otherwise } = ROWS[state];
  const name = path.replace(/^\/+|\/+$/g, '');
  if (state === 'verified' && name === '') return 'to-selector';
  const page = pages.find((one) => one === name);
  return page && built(page) ? page : otherwise;
}

/** What is known of the person, as the user query tells it. */
export type GateFacts = {
  data: User | null | undefined;
  error: unknown;
  /** Why the last attempt failed while more are to come. */
  failureReason: unknown;
  isPending: boolean;
};

/** Section 4. Without a connection and without a copy of the user, a person is a visitor until the server is heard. */
export function authStateOf({ data, error, failureReason, isPending }: GateFacts, online: boolean): AuthState {
  if (isShutOut(error)) return 'revoked';
  if (statusOf(error) === 401) return 'signedOut';
  if (data) return isComplete(data) ? 'verified' : 'partial';
  if (isPending && (online || !isNetworkFailure(failureReason))) return 'loading';
  return data === undefined && error && !isNetworkFailure(error) ? 'unknown' : 'signedOut';
}
