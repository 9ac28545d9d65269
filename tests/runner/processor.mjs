// @ts-check
/** Seconds of the processor. Where there is no `/proc`, that of a process's own work alone. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS = 100;

/** @typedef {{ parent: number, own: number, waited: number }} Usage seconds: its own, and of the children that it has waited for */

/** Reads a line of `/proc/<pid>/stat`; a program's name may hold spaces and brackets. @param {string} stat @returns {Usage} */
export function usageOf(stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const at = (/** @type {number} */ index) => Number(fields[index]);
  return { parent: at(1), own: (at(11) + at(12)) / TICKS, waited: (at(13) + at(14)) / TICKS };
}

/** @param {number | 'self'} pid @returns {Usage | null} null when it is gone */
function usage(pid) {
  try {
    return usageOf(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return null;
  }
}

/** Of all children that this process has waited for, and of theirs. */
export const waitedFor = () => usage('self')?.waited ?? 0;

/** Of this process with all that it started, whether it runs or has ended. */
export function withAllStarted() {
  const self = usage('self');
  if (!self) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
  /** @type {Map<number, Usage>} */
  const running = new Map();
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? usage(Number(name)) : null;
    if (found) running.set(Number(name), found);
  }
  const isMine = (/** @type {number} */ pid) => {
    for (let at = pid; at > 1; at = running.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  let sum = 0;
  for (const [pid, { own, waited }] of running) if (isMine(pid)) sum += own + waited;
  return sum;
}
