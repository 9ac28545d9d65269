/** Browsers without badges have neither method, whatever the types say. */
type Badges = { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> };

/** Sets the installed app's badge to the number of unsent commands; clears it at zero. */
export async function setBadge(count: number): Promise<void> {
  const badges: Badges = navigator;
  const shown = count > 0 ? badges.setAppBadge?.(count) : badges.clearAppBadge?.();
  // Refused where the app is not installed: there is no icon to carry it.
  await shown?.catch(() => undefined);
}
