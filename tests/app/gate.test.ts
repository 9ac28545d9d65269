import { describe, expect, test } from 'vitest';
import { type AuthState, authStateOf, type GatedPage, gate, type Verdict } from '../../app/features/gate/gate.ts';
import { HttpError } from '../../app/lib/http.ts';
import { aUser } from './support.tsx';

const PATHS = [
  '/',
  '/community-selector',
  '/new-user-exploration',
  '/platform-exploration',
  '/community-leader-wizard',
  '/profile',
  '/leaderboard',
  '/ai-assistant',
  '/profile-accounts',
  '/anything/else',
] as const;
/** Section 2, word for word: a row per state, a column per path above. Of a server that fails it says nothing. */
const TABLE: Record<AuthState, readonly Verdict[]> = {
  loading: PATHS.map(() => 'loader'),
  unknown: PATHS.map(() => 'unknown'),
  revoked: PATHS.map(() => 'restricted'),
  partial: [
    'community-selector',
    'community-selector',
    'new-user-exploration',
    'platform-exploration',
    'community-leader-wizard',
    'community-selector',
    'community-selector',
    'community-selector',
    'community-selector',
    'community-selector',
  ],
  verified: [
    'to-selector',
    'community-selector',
    'not-found',
    'platform-exploration',
    'not-found',
    'profile',
    'leaderboard',
    'ai-assistant',
    'profile-accounts',
    'not-found',
  ],
  signedOut: [
    'landing',
    'community-selector',
    'new-user-exploration',
    'platform-exploration',
    'community-leader-wizard',
    'landing',
    'landing',
    'landing',
    'landing',
    'landing',
  ],
};

describe('section 2: the fallback for all other paths', () => {
  for (const [state, row] of Object.entries(TABLE))
    for (const [column, path] of PATHS.entries())
      test(`${state} at ${path}: ${row[column]}`, () => {
        expect(gate(state as AuthState, path, () => true)).toBe(row[column]);
        expect(gate(state as AuthState, path === '/' ? '' : `${path}/`, () => true)).toBe(row[column]);
      });

  test('a page that this build lacks falls to what the state shows for everything else', () => {
    const built = (page: GatedPage) => page !== 'ai-assistant' && page !== 'community-leader-wizard';
    expect(gate('verified', '/ai-assistant', built)).toBe('not-found');
    expect(gate('partial', '/community-leader-wizard', built)).toBe('community-selector');
    expect(gate('signedOut', '/community-leader-wizard', built)).toBe('landing');
  });
});

const refused = (status: number, reason: string, message = '') =>
  new HttpError({ status, reason, message, requestId: null });
const known = { data: undefined, error: null, failureReason: null, isPending: false } as const;

describe('section 4: states of authentication', () => {
  test('loading while nothing has been answered', () => {
    expect(authStateOf({ ...known, isPending: true }, true)).toBe('loading');
    expect(authStateOf({ ...known, isPending: true, failureReason: refused(503, 'BUSY') }, false)).toBe('loading');
  });
  test('without a connection and without a copy, a visitor rather than a loader for ever', () => {
    const failureReason = new TypeError('Failed to fetch');
    expect(authStateOf({ ...known, isPending: true, failureReason }, true)).toBe('loading');
    expect(authStateOf({ ...known, isPending: true, failureReason }, false)).toBe('signedOut');
  });
  test('a 401, as an empty answer or as an error, is signed out', () => {
    expect(authStateOf({ ...known, data: null }, true)).toBe('signedOut');
    expect(authStateOf({ ...known, error: refused(401, 'UNAUTHENTICATED') }, true)).toBe('signedOut');
    expect(authStateOf({ ...known, data: aUser, error: refused(401, 'UNAUTHENTICATED') }, true)).toBe('signedOut');
  });
  for (const missing of ['telegramUsername', 'twitterUsername'] as const)
    test(`without ${missing}: partial`, () => {
      expect(authStateOf({ ...known, data: { ...aUser, [missing]: null } }, true)).toBe('partial');
      expect(authStateOf({ ...known, data: { ...aUser, [missing]: '' } }, true)).toBe('partial');
    });
  test('without the verified flag: partial; with all three: verified', () => {
    expect(authStateOf({ ...known, data: { ...aUser, isVerified: false } }, true)).toBe('partial');
    expect(authStateOf({ ...known, data: aUser }, true)).toBe('verified');
  });
  test('an authentication error that carries TELEGRAM_MEMBERSHIP_REVOKED is revoked, also over a known user', () => {
    const byReason = refused(403, 'TELEGRAM_MEMBERSHIP_REVOKED');
    const byMessage = refused(401, 'HTTP_401', 'TELEGRAM_MEMBERSHIP_REVOKED: removed from the channel');
    for (const error of [byReason, byMessage]) {
      expect(authStateOf({ ...known, error }, true)).toBe('revoked');
      expect(authStateOf({ ...known, data: aUser, error }, true)).toBe('revoked');
    }
  });
  test('a failure of another kind never revokes anybody', () => {
    const error = refused(500, 'INTERNAL', 'TELEGRAM_MEMBERSHIP_REVOKED is mentioned here');
    expect(authStateOf({ ...known, data: aUser, error }, true)).toBe('verified');
    expect(authStateOf({ ...known, error }, true)).toBe('unknown');
  });
  test('nobody is shown as signed out because the server failed; without a connection one is a visitor', () => {
    const error = refused(500, 'INTERNAL');
    expect(authStateOf({ ...known, error }, false)).toBe('unknown');
    expect(authStateOf({ ...known, data: null, error }, true)).toBe('signedOut');
    expect(authStateOf({ ...known, error: new TypeError('Failed to fetch') }, true)).toBe('signedOut');
  });
});
