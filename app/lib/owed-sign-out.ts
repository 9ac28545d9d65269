/** A sign-out that the unreachable server has not received. Only the server can end the session behind the cookie. */
import { BOOT_KEYS } from '../../server/contract/boot-keys.ts';
import { READ_FALLBACK_AFTER_MS, SEND_TIMEOUT_MS } from '../../server/contract/limits.ts';
import { local, sessionMark } from './browser.ts';
import { call, statusOf } from './http.ts';

const SIGN_IN = '/api/auth/telegram/start';
/** Statuses that a retry can change. */
const PASSING = new Set([408, 425, 429]);

/** Replaces the session's mark where the browser hides it. Earlier builds wrote it for every session. */
const UNNAMED = '1';

/**
 * Records the sign-out before the request, with the mark of the session to end, so closing the page does not sign the
 * member in again. Without storage, and with the server away until the page closes, the session ends when it expires.
 */
export function oweSignOut(): void {
  local.set(BOOT_KEYS.signOutOwed, sessionMark() ?? UNNAMED);
}
const isOwed = (): boolean => local.get(BOOT_KEYS.signOutOwed) !== null;
function clearOwed(): true {
  local.set(BOOT_KEYS.signOutOwed, null);
  return true;
}
/** A later sign-in that bypassed our links has already ended that session. */
function isPaidBySignIn(): boolean {
  const [owed, now] = [local.get(BOOT_KEYS.signOutOwed), sessionMark()];
  return owed !== UNNAMED && now !== null && now !== owed;
}

let settling: Promise<boolean> | null = null;
/**
 * Sends the missed sign-out; call before asking who is signed in. Answers whether nothing is owed any more. Never
 * throws, and waits no longer than a read unless `withinMs` says so. All callers share one request: a second one,
 * answered after the following sign-in, would remove its cookie.
 */
export function settleSignOut(withinMs: number = READ_FALLBACK_AFTER_MS): Promise<boolean> {
  settling ??= settle(withinMs).finally(() => {
    settling = null;
  });
  return settling;
}
async function settle(withinMs: number): Promise<boolean> {
  // `/boot.js` may already be sending it, for a press before this module loaded.
  await (globalThis as { musterBoot?: { paying?: Promise<unknown> } }).musterBoot?.paying;
  if (!isOwed()) return true;
  if (isPaidBySignIn()) return clearOwed();
  try {
    await call('POST /api/auth/logout', { signal: AbortSignal.timeout(withinMs) });
    return clearOwed();
  } catch (error) {
    const status = statusOf(error);
    // A permanent refusal would otherwise lock everyone out on this device.
    if (status !== null && status < 500 && !PASSING.has(status)) return clearOwed();
    return false;
  }
}

// Every sign-in link settles first, also in a tab that was open before. Pre-rendering has no document.
globalThis.document?.addEventListener('click', onClick, true);
function onClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || !isOwed() || new URL(link.href, location.href).pathname !== SIGN_IN) return;
  event.preventDefault();
  // Wait even for a slow server: without its answer a sign-in would fail too.
  void settleSignOut()
    .then((isSettled) => isSettled || settleSignOut(SEND_TIMEOUT_MS))
    .then(() => location.assign(link.href));
}
