/** X's parameters on return. */
export type XReturn =
  | { kind: 'code'; code: string; state: string }
  /** The member said no at X. */
  | { kind: 'denied' }
  /** X answered with its own error; `error` is its stable code. */
  | { kind: 'failed'; error: string }
  /** Opened without coming from X. */
  | { kind: 'missing' };

/** Reads the parameters of an OAuth 2.0 authorization response (RFC 6749, 4.1.2). */
export function readReturn(search: string): XReturn {
  const query = new URLSearchParams(search);
  const error = query.get('error');
  if (error) return error === 'access_denied' ? { kind: 'denied' } : { kind: 'failed', error };
  const code = query.get('code');
  const state = query.get('state');
  return code && state ? { kind: 'code', code, state } : { kind: 'missing' };
}

/** Problems after the server was asked. */
export type LinkProblem = 'state' | 'expired' | 'taken' | 'locked' | 'signed-out' | 'offline' | 'other';

/** What a refusal of `POST /api/auth/x/complete` means for the member. */
export function problemOf(error: { status: number; reason: string }): LinkProblem {
  if (error.status === 0) return 'offline';
  if (error.status === 401) return 'signed-out';
  if (error.reason === 'X_RELINK_LOCKED') return 'locked';
  if (error.reason === 'TELEGRAM_SIGN_IN_TOO_OLD') return 'signed-out';
  if (error.status === 409) return 'taken';
  if (error.reason === 'X_STATE_UNKNOWN') return 'state';
  if (error.reason === 'X_REFUSED') return 'expired';
  return 'other';
}
