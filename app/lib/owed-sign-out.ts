/** A sign-out that the server has not heard of yet: it was away, and only it can end the session behind the cookie. */
import { READ_FALLBACK_AFTER_MS } from '../../server/contract/limits.ts';
import { call } from './http.ts';

const OWED = 'muster-sign-out-owed';

/** Written down before the server is told, so that a page that is closed meanwhile does not bring the member back. */
export function oweSignOut(): void {
  try {
    localStorage.setItem(OWED, '1');
  } catch {
    // Without storage the session of a server that is away ends by its own expiry.
  }
}
function isOwed(): boolean {
  try {
    return localStorage.getItem(OWED) !== null;
  } catch {
    return false;
  }
}

/**
 * Tells the server what it missed; call before it is asked who is signed in. Answers whether nothing is owed (any more).
 * Never throws, and waits no longer than a read does.
 */
export async function settleSignOut(): Promise<boolean> {
  if (!isOwed()) return true;
  try {
    await call('POST /api/auth/logout', { signal: AbortSignal.timeout(READ_FALLBACK_AFTER_MS) });
    localStorage.removeItem(OWED);
    return true;
  } catch {
    return false;
  }
}
