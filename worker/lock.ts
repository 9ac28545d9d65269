/** One name for every room and tab of this origin. */
export const DRAIN_LOCK = 'muster-drain';

/** Runs `work` when nobody else on the device drains; without Web Locks at once, and says so. */
export function drainLock<T>(work: (alone: boolean) => Promise<T>): Promise<T> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? locks.request(DRAIN_LOCK, () => work(true)) : work(false);
}
