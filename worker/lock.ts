import { refusable } from './refusable.ts';

/** One name each for every room and tab of this origin; that of the actions is the one that earlier builds know. */
const LOCKS = { actions: 'muster-drain', logs: 'muster-drain-logs' } as const;

const locksHere = (): LockManager | null => refusable(() => (navigator as { locks?: LockManager }).locks);

/** Runs `work` when nobody else on the device drains the same; where the browser gives no lock at once, and says so. */
export async function drainLock<T>(work: (alone: boolean) => Promise<T>, what: keyof typeof LOCKS): Promise<T> {
  let done: Promise<T> | undefined;
  const alone = () => {
    done = work(true);
    return done;
  };
  await Promise.resolve(refusable(() => locksHere()?.request(LOCKS[what], alone))).catch(() => undefined);
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
