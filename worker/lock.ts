import { refusable } from './refusable.ts';

/** One name each for every room and tab of this origin; that of the actions is the one that earlier builds know. */
const LOCKS = { actions: 'muster-drain', logs: 'muster-drain-logs' } as const;

const locksHere = (): LockManager | null => refusable(() => (navigator as { locks?: LockManager }).locks);

/**
 * Who holds a lock may be paused, frozen or gone wrong, so nobody waits longer than this. Beside another drain nothing goes out
 * twice: entries are leased, and who does not drain alone leaves leases as they are.
 */
const LOCK_WAITED_MS = 4_000;

/** Runs `work` when nobody else on the device drains the same; where no lock is to be had in time without one, and says so. */
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
 * Resolves when nobody on the device drains; at once where the browser gives no locks. Answers whether that had to be waited for.
 * @throws when it takes longer than that.
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
