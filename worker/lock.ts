/** One name each for every room and tab of this origin; that of the actions is the one that earlier builds know. */
const LOCKS = { actions: 'muster-drain', logs: 'muster-drain-logs' } as const;

/** Runs `work` when nobody else on the device drains the same; without Web Locks at once, and says so. */
export function drainLock<T>(work: (alone: boolean) => Promise<T>, what: keyof typeof LOCKS): Promise<T> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? locks.request(LOCKS[what], () => work(true)) : work(false);
}

/**
 * Resolves when nobody on the device drains; at once without Web Locks. Answers whether that had to be waited for.
 * @throws when it takes longer than that.
 */
export async function drainIsOver(withinMs: number): Promise<boolean> {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (!locks) return false;
  const signal = AbortSignal.timeout(withinMs);
  let waited = false;
  for (const name of Object.values(LOCKS)) {
    if (await locks.request(name, { ifAvailable: true }, (lock) => lock !== null)) continue;
    waited = true;
    await locks.request(name, { signal }, () => undefined);
  }
  return waited;
}
