/** Browsers without badges have neither, whatever the types say. */
type Badges = { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> };

/** The icon of the installed app carries the number of actions that wait on this device; none when all are sent. */
export async function setBadge(count: number): Promise<void> {
  const badges: Badges = navigator;
  const shown = count > 0 ? badges.setAppBadge?.(count) : badges.clearAppBadge?.();
  // Refused where the app is not installed: there is no icon to carry it.
  await shown?.catch(() => undefined);
}
