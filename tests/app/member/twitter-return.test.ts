import { describe, expect, it } from 'vitest';
import { problemOf, readReturn } from '../../../app/features/profile/twitter-return.ts';

describe('what X sent along', () => {
  it.each([
    ['?code=abc&state=s1', { kind: 'code', code: 'abc', state: 's1' }],
    ['?error=access_denied&state=s1', { kind: 'denied' }],
    ['?error=temporarily_unavailable', { kind: 'failed', error: 'temporarily_unavailable' }],
    ['?code=abc', { kind: 'missing' }],
    ['', { kind: 'missing' }],
  ])('%s', (search, outcome) => {
    expect(readReturn(search)).toEqual(outcome);
  });
});

describe('what a refusal to link means', () => {
  it.each([
    [0, 'NETWORK', 'offline'],
    [401, 'NOT_SIGNED_IN', 'signed-out'],
    [403, 'TELEGRAM_SIGN_IN_TOO_OLD', 'signed-out'],
    [409, 'X_ACCOUNT_TAKEN', 'taken'],
    [409, 'X_RELINK_LOCKED', 'locked'],
    [400, 'X_STATE_UNKNOWN', 'state'],
    [400, 'X_REFUSED', 'expired'],
    [503, 'X_UNAVAILABLE', 'other'],
  ])('%i %s: %s', (status, reason, problem) => {
    expect(problemOf({ status, reason })).toBe(problem);
  });
});
