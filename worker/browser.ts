/**
 * Reads a facility that the browser may refuse. Blocked cookies, private windows, policies, frames and old engines
 * leave a facility out, or throw when it is constructed or merely read; the result is null then. A refusal in a promise
 * is not covered.
 */
export function refusable<T>(open: () => T): NonNullable<T> | null {
  try {
    return open() ?? null;
  } catch {
    return null;
  }
}

/** Waits for `work`, `ms` milliseconds at the longest. @throws what `work` throws, and `late` after that time */
export async function within<T>(work: Promise<T>, ms: number, late: Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late), ms);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}

/** Browsers without badges have neither method, whatever the types say. */
type Badges = { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> };

/** Sets the installed app's badge to the number of unsent commands; clears it at zero. */
export async function setBadge(count: number): Promise<void> {
  const badges: Badges = navigator;
  const shown = count > 0 ? badges.setAppBadge?.(count) : badges.clearAppBadge?.();
  // Refused where the app is not installed: there is no icon to carry it.
  await shown?.catch(() => undefined);
}
