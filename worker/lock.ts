/** One name each for every room and tab of this origin; that of the actions is the one that earlier builds know. */
const LOCKS = { actions: 'muster-drain', logs: 'muster-drain-logs' } as const;

/** Runs `work` when nobody else on the device drains the same; without Web Locks at once, and says so. */
export function drainLock<T>(work: (alone: boolean) => Promise<T>, what: keyof typeof LOCKS): Promise<T> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? locks.request(LOCKS[what], () => work(true)) : work(false);
}

/** Resolves when nobody on the device drains; at once without Web Locks. @throws when it takes longer than that. */
export async function drainIsOver(withinMs: number): Promise<void> {
  const locks = (navigator as { locks?: LockManager }).locks;
  const signal = AbortSignal.timeout(withinMs);
  for (const name of Object.values(LOCKS)) await locks?.request(name, { signal }, () => undefined);
}
