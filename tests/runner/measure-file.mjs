// @ts-check
/** Runs before each test file of a tier: what the file costs goes to the reporter as `task.meta`. */
import { afterAll } from 'vitest';
import { startsIn } from '../support/starts.mjs';
import { withAllStarted } from './processor.mjs';

/** @typedef {{ processor: number, starts: Record<string, number> }} Cost seconds of the processor; starts by kind */

/** What the process had used when its file before this one ended. Files may share a process, and not a module. */
const before = /** @type {{ musterCost?: Cost }} */ (process);

// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it that no fixture is wanted
afterAll(({}, suite) => {
  const now = { processor: withAllStarted(), starts: startsIn(process.env['STARTS'], process.pid) };
  const then = before.musterCost ?? { processor: 0, starts: {} };
  before.musterCost = now;
  /** @type {Cost} */
  const cost = {
    processor: Math.max(0, now.processor - then.processor),
    starts: Object.fromEntries(
      Object.entries(now.starts)
        .map(([kind, count]) => /** @type {const} */ ([kind, count - (then.starts[kind] ?? 0)]))
        .filter(([, count]) => count > 0),
    ),
  };
  Object.assign(suite.meta, { cost });
});
