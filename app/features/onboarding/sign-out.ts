import type { QueryClient } from '@tanstack/react-query';
import { setMember } from '../../lib/device.ts';
import { oweSignOut, settleSignOut } from '../../lib/owed-sign-out.ts';
import { detach } from '../../lib/push.ts';
import { userQuery } from '../../lib/query.ts';
import { forgetMember } from '../../lib/session.ts';
import { forgetShared } from '../share/shared.ts';

/**
 * Ends the session and removes the member's pages from this device; unsent commands stay locked to their member.
 * Answers `away` when the server is unreachable: it is told before the next request for who is signed in.
 */
export async function signOut(client: QueryClient): Promise<'ended' | 'away'> {
  oweSignOut();
  forgetShared();
  await client.cancelQueries();
  await setMember(null).catch(() => undefined);
  const isSettled = await settleSignOut();
  // Before the subscription ends: a page that is still starting would renew it for the shown member.
  client.setQueryData(userQuery.queryKey, null);
  await detach();
  await forgetMember(client);
  return isSettled ? 'ended' : 'away';
}
