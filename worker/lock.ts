import { refusable } from './browser.ts';

/** One lock name per drain for this origin. Earlier builds know the name for commands, so it cannot change. */
const LOCKS = { actions: 'muster-drain', logs: 'muster-drain-logs' } as const;

const locksHere = (): LockManager | null => refusable(() => (navigator as { locks?: LockManager }).locks);

/**
 * A lock's holder may be frozen, so waiting for it ends after this time. A second drain without the lock sends nothing
 * twice: entries are leased, and a drain without the lock leaves stale leases alone.
 */
const LOCK_WAITED_MS = 4_000;

/** Runs `work` under the lock of its drain, or without one (`alone` is false) when the lock is not free in time. */
export async function drainLock<T>(work: (alone: boolean) => Promise<T>, what: keyof typeof LOCKS): Promise<T> {
  let done: Promise<T> | undefined;
  const alone = () => {
    done = work(true);
    return done;
  };
  const signal = AbortSignal.timeout(LOCK_WAITED_MS);
  await Promise.resolve(refusable(() => locksHere()?.request(LOCKS[what], { signal }, alone))).catch(() => undefined);
  return done ?? work(false);
}

/**
 * Resolves when no drain runs on this device; at once in browsers without locks. Returns whether it had to wait.
 * @throws when it takes longer than `withinMs`
 */
export async function drainIsOver(withinMs: number): Promise<boolean> {
  const locks = locksHere();
  if (!locks) return false;
  const signal = AbortSignal.timeout(withinMs);
  let waited = false;
  for (const name of Object.values(LOCKS)) {
    const isFree = await locks.request(name, { ifAvailable: true }, (lock) => lock !== null).catch(() => true);
    if (isFree) continue;
    waited = true;
    await locks.request(name, { signal }, () => undefined);
  }
  return waited;
}
