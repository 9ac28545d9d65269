import type { QueryClient } from '@tanstack/react-query';
import { setMember } from '../../lib/device.ts';
import { oweSignOut, settleSignOut } from '../../lib/owed-sign-out.ts';
import { detach } from '../../lib/push.ts';
import { userQuery } from '../../lib/query.ts';
import { forgetMember } from '../../lib/session.ts';
import { forgetShared } from '../share/shared.ts';

/**
 * Ends the session and takes the member's pages off this device; unsent actions stay locked to their member.
 * Answers `away` when the server could not be told: it is told before it is next asked who is signed in.
 */
export async function signOut(client: QueryClient): Promise<'ended' | 'away'> {
  oweSignOut();
  forgetShared();
  await client.cancelQueries();
  await setMember(null).catch(() => undefined);
  const isSettled = await settleSignOut();
  // Before the subscription goes: a page that still begins would make it anew for a member who is shown.
  client.setQueryData(userQuery.queryKey, null);
  await detach();
  await forgetMember(client);
  return isSettled ? 'ended' : 'away';
}
