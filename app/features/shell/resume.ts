import type { QueryClient } from '@tanstack/react-query';
import type { User } from '../../../server/contract/user.ts';
import { onDeviceEvent, setMember, unsentOf } from '../../lib/device.ts';
import { userQuery } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { toast } from '../../ui/toast.tsx';

/**
 * An act met a server that does not know its session. Asked who is signed in, the server says that nobody is, which every
 * screen shows, and a toast says what is kept; or that the same member still is, by a session that replaced the act's on its way:
 * then it is sent again. Once, until something comes through: a server that says both would be asked for ever. Call once
 * a page.
 */
export function resumeActs(client: QueryClient): void {
  let isAsked = false;
  onDeviceEvent((event) => {
    if (event.type === 'DELIVERED') isAsked = false;
    if (event.type !== 'UNAUTHENTICATED' || isAsked) return;
    if (client.getQueryData<User | null>(userQuery.queryKey)?.id !== event.userId) return;
    isAsked = true;
    void client
      .fetchQuery({ ...userQuery, staleTime: 0 })
      .then(async (user) => {
        if (user?.id === event.userId) return setMember(event.userId);
        // What met it may have been a report, which nobody did.
        if (user === null && (await unsentOf(event.userId)).length > 0)
          toast({ icon: 'sign-out', title: m.public_out_done(), line: m.public_out_kept_line() });
      })
      .catch(() => {
        isAsked = false;
      });
  });
}
