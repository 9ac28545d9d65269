/** The fallback of section 2 for every path without its own route, as a pure table. */

import type { User } from '../../../server/contract/user.ts';
import { isComplete } from '../../../server/rules/completion.ts';
import { isNetworkFailure, isShutOut, statusOf } from '../../lib/http.ts';

/** `unknown`: the server failed, so it is open whether anyone is signed in. */
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
/** What to show: a page, one of the gate's screens, or a redirect from '/'. */
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
 * Chooses by state and path. A page that this build lacks falls back to the state's default.
 * @param path of the location, without query; a trailing slash is ignored
 * @param built the gated pages of this build
 */
export function gate(state: AuthState, path: string, built: (page: GatedPage) => boolean): Verdict {
  const { pages, otherwise } = ROWS[state];
  const name = path.replace(/^\/+|\/+$/g, '');
  if (state === 'verified' && name === '') return 'to-selector';
  const page = pages.find((one) => one === name);
  return page && built(page) ? page : otherwise;
}

export type GateFacts = {
  data: User | null | undefined;
  error: unknown;
  /** Why the last attempt failed while more will follow. */
  failureReason: unknown;
  isPending: boolean;
};

/** Section 4. Offline and without a copy of the user, a person is a visitor until the server answers. */
export function authStateOf({ data, error, failureReason, isPending }: GateFacts, online: boolean): AuthState {
  if (isShutOut(error)) return 'revoked';
  if (statusOf(error) === 401) return 'signedOut';
  if (data) return isComplete(data) ? 'verified' : 'partial';
  if (isPending && (online || !isNetworkFailure(failureReason))) return 'loading';
  return data === undefined && error && !isNetworkFailure(error) ? 'unknown' : 'signedOut';
}
