import type { SwBroadcast } from '../server/contract/sw-messages.ts';
import { isOwnWord } from '../worker/own-word.ts';
import type { Members } from './member.ts';

/** Calls that may change who is signed in. */
const CHANGES_SESSION = new Set([
  'POST /api/auth/logout',
  'POST /api/auth/telegram/mini-app',
  'GET /api/auth/telegram/callback',
  'POST /api/auth/telegram/callback',
]);
/** After it the same member is signed in, by another session: the server ends the one before. */
const RENEWS_SESSION = 'POST /api/auth/x/complete';
const callOf = ({ method, url }: Request): string => `${method} ${new URL(url).pathname}`;
export const changesSession = (request: Request): boolean =>
  CHANGES_SESSION.has(callOf(request)) || callOf(request) === RENEWS_SESSION;

/**
 * Lets the call through. Unless the member stays the same, it forgets who was signed in before the page gets the
 * answer: until the server names the member, nothing is read from or stored in a member's partition. A redirect does
 * not show who signed in, so copies stay until the next answer names the member.
 */
export async function throughSession(
  request: Request,
  members: Members,
  broadcast: (message: SwBroadcast) => void,
): Promise<Response> {
  if (callOf(request) === RENEWS_SESSION) return members.renew(() => fetch(request));
  const response = await fetch(request);
  if (response.type === 'opaqueredirect') await members.expect();
  if (!response.ok || !(await isOwnWord(response))) return response;
  await members.become(null);
  if (request.url.endsWith('/logout')) broadcast({ type: 'SIGNED_OUT' });
  else await members.expect();
  return response;
}
