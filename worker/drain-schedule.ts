import type { DrainReport } from './api.ts';
import { bothDrained, drainActions } from './drain.ts';
import { drainLogs } from './drain-logs.ts';
import type { DrainPorts } from './send.ts';

/** Delay before the next drain after one that failed as a whole (its storage failed). */
const AFTER_BROKEN_DRAIN_MS = 10_000;

/** Schedules `wake` for a time (epoch milliseconds) and replaces the previous schedule. */
export type WakeAt = (time: number | null, wake: () => void) => void;

/** When this worker drains: at once where it is asked to, and again when what failed is due. */
export function drainSchedule(ports: Parameters<typeof drainLogs>[0] & DrainPorts, wakeAt: WakeAt) {
  let wakesAt: number | null = null;
  function plan(time: number | null): void {
    wakesAt = time;
    wakeAt(time, () => behind());
  }
  function wakeBy(time: number): void {
    if (wakesAt === null || wakesAt > time || wakesAt < ports.now()) plan(time);
  }

  const actions = oneQueued((hurry) => drainActions(ports, { hurry }));
  const logs = oneQueued((hurry) => drainLogs(ports, { hurry }));
  async function soon(hurry: boolean): Promise<DrainReport> {
    try {
      const report = await bothDrained(ports, actions(hurry), logs(hurry));
      plan(report.nextAt);
      return report;
    } catch (error) {
      plan(ports.now() + AFTER_BROKEN_DRAIN_MS);
      throw error;
    }
  }
  /** Where nobody waits for it. */
  const behind = (hurry = false): void => void soon(hurry).catch(() => undefined);
  return { soon, behind, wakeBy };
}

/** Runs one at a time with at most one queued: callers during a run share the queued one. */
function oneQueued<T>(work: (hurry: boolean) => Promise<T>): (hurry: boolean) => Promise<T> {
  let next: { hurry: boolean; done: Promise<T> } | undefined;
  let running: Promise<unknown> = Promise.resolve();
  return (hurry) => {
    if (next) {
      next.hurry ||= hurry;
      return next.done;
    }
    const start = (): Promise<T> => {
      next = undefined;
      return work(own.hurry);
    };
    const own = { hurry, done: running.then(start) };
    next = own;
    running = own.done.catch(() => undefined);
    return own.done;
  };
}
