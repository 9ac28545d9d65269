import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { setBadge } from '../../../worker/browser.ts';
import { userQuery } from '../../lib/query.ts';
import { useUnsent } from '../../lib/unsent.ts';

/** Updates the installed app's icon while a page is open; otherwise the service worker does. */
export function useAppBadge(): void {
  const count = useUnsent().length;
  const isUserLoaded = useQuery(userQuery).data !== undefined;
  useEffect(() => {
    if (isUserLoaded) void setBadge(count);
  }, [count, isUserLoaded]);
}
