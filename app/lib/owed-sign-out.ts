/** A sign-out that the server has not heard of yet: it was away, and only it can end the session behind the cookie. */
import { BOOT_KEYS } from '../../server/contract/boot-keys.ts';
import { READ_FALLBACK_AFTER_MS, SEND_TIMEOUT_MS } from '../../server/contract/limits.ts';
import { local, sessionMark } from './browser.ts';
import { call, statusOf } from './http.ts';

const SIGN_IN = '/api/auth/telegram/start';
/** Refusals that a later try can change. */
const PASSING = new Set([408, 425, 429]);

/** In the place of the session's mark where the browser shows none; what earlier builds wrote for every session. */
const UNNAMED = '1';

/**
 * Written down before the server is told, with the mark of the session that is to end, so that a page that is closed
 * meanwhile does not bring the member back. Without storage, and with the server away until the page is closed, the session
 * ends by its own expiry.
 */
export function oweSignOut(): void {
  local.set(BOOT_KEYS.signOutOwed, sessionMark() ?? UNNAMED);
}
const isOwed = (): boolean => local.get(BOOT_KEYS.signOutOwed) !== null;
function forgive(): true {
  local.set(BOOT_KEYS.signOutOwed, null);
  return true;
}
/** Somebody has signed in since, past every link of ours: that has ended the session that was to end. */
function isPaidBySignIn(): boolean {
  const [owed, now] = [local.get(BOOT_KEYS.signOutOwed), sessionMark()];
  return owed !== UNNAMED && now !== null && now !== owed;
}

let settling: Promise<boolean> | null = null;
/**
 * Tells the server what it missed; call before it is asked who is signed in. Answers whether nothing is owed (any more).
 * Never throws, and waits no longer than a read does unless told to. One call for all who ask: a second one, answered
 * after the sign-in that the first made way for, would take its cookie away.
 */
export function settleSignOut(withinMs: number = READ_FALLBACK_AFTER_MS): Promise<boolean> {
  settling ??= settle(withinMs).finally(() => {
    settling = null;
  });
  return settling;
}
async function settle(withinMs: number): Promise<boolean> {
  // `/boot.js` may be about it, for a press of before this module was there.
  await (globalThis as { musterBoot?: { paying?: Promise<unknown> } }).musterBoot?.paying;
  if (!isOwed()) return true;
  if (isPaidBySignIn()) return forgive();
  try {
    await call('POST /api/auth/logout', { signal: AbortSignal.timeout(withinMs) });
    return forgive();
  } catch (error) {
    const status = statusOf(error);
    // A server that refuses for good would otherwise keep everybody out of this device for ever.
    if (status !== null && status < 500 && !PASSING.has(status)) return forgive();
    return false;
  }
}

// Every link to the sign-in pays first, also in a tab that was open before the debt was made. Pages are drawn without one.
globalThis.document?.addEventListener('click', onClick, true);
function onClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || !isOwed() || new URL(link.href, location.href).pathname !== SIGN_IN) return;
  event.preventDefault();
  // A server that is slow is waited for: without its answer there is no sign-in either.
  void settleSignOut()
    .then((isSettled) => isSettled || settleSignOut(SEND_TIMEOUT_MS))
    .then(() => location.assign(link.href));
}
