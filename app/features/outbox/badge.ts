import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useOutbox } from '../../lib/device.ts';
import { userQuery } from '../../lib/query.ts';

/** Browsers without badges have neither, whatever the types say. */
type Badges = { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> };

/** The icon of the installed app carries the number of actions that wait on this device; none when all are sent. */
export function useAppBadge(): void {
  const count = useOutbox().length;
  const isKnown = useQuery(userQuery).data !== undefined;
  useEffect(() => {
    if (!isKnown) return;
    const badges: Badges = navigator;
    const shown = count > 0 ? badges.setAppBadge?.(count) : badges.clearAppBadge?.();
    // Refused where the app is not installed: there is no icon to carry it.
    void shown?.catch(() => undefined);
  }, [count, isKnown]);
}
