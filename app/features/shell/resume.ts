import type { QueryClient } from '@tanstack/react-query';
import type { User } from '../../../server/contract/user.ts';
import { onDeviceEvent, setMember, unsentOf } from '../../lib/device.ts';
import { userQuery } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { toast } from '../../ui/toast.tsx';

/**
 * A command's session was unknown to the server. This asks who is signed in. If nobody is, every screen shows that, and
 * a toast says what is stored. If the same member is, a new session has replaced the old one, and the command is sent
 * again. That happens once until a command succeeds: a server that says both would be asked for ever. Call once a page.
 */
export function resumeCommands(client: QueryClient): void {
  let hasAsked = false;
  onDeviceEvent((event) => {
    if (event.type === 'DELIVERED') hasAsked = false;
    if (event.type !== 'UNAUTHENTICATED' || hasAsked) return;
    if (client.getQueryData<User | null>(userQuery.queryKey)?.id !== event.userId) return;
    hasAsked = true;
    void client
      .fetchQuery({ ...userQuery, staleTime: 0 })
      .then(async (user) => {
        if (user?.id === event.userId) return setMember(event.userId);
        // It may have been a log upload, which is no member's command.
        if (user === null && (await unsentOf(event.userId)).length > 0)
          toast({ icon: 'sign-out', title: m.public_out_done(), line: m.public_out_kept_line() });
      })
      .catch(() => {
        hasAsked = false;
      });
  });
}
