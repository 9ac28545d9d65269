// @ts-check
/** A thread that writes groups of events at a pace, for benches that read beside it. */
import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';

/** @typedef {'count' | 'rest' | 'stop' | { perSecond: number }} Word */
/** What was written since it was told to count; `groups`: ms each. @typedef {{ events: number, ms: number, groups: number[] }} Written */
/**
 * @typedef {object} Writing
 * @property {(perSecond: number) => void} pace so many events a second from now on, from a rest too; `Infinity`: flat out
 * @property {() => void} count from now on
 * @property {() => Promise<Written>} rest until it is given a pace
 * @property {() => Promise<unknown>} stop
 */

/** Starts `script`, one beside this that calls `writeGroups`; it rests. @param {string} script @param {object} given @returns {Writing} */
export function inThread(script, given) {
  const worker = new Worker(new URL(script, import.meta.url), { workerData: given });
  /** @param {Word} word */
  const tell = (word) => worker.postMessage(word);
  return {
    pace: (perSecond) => tell({ perSecond }),
    count: () => tell('count'),
    rest: async () => {
      tell('rest');
      const [written] = await once(worker, 'message');
      return written;
    },
    stop: () => {
      tell('stop');
      return once(worker, 'exit');
    },
  };
}

/** Groups that are made up for when a group took longer than its time. */
const LATE_AT_MOST = 2;

/**
 * In the thread: writes groups of `atOnce` events as it is told to, until it is told to stop.
 * @param {number} atOnce @param {() => Promise<unknown>} write a group
 */
export async function writeGroups(atOnce, write) {
  const port = parentPort;
  if (!port) throw new Error('this is for a thread');
  let resting = true;
  let stopped = false;
  let everyMs = 0;
  let due = 0;
  /** @type {number[]} */
  let groups = [];
  let since = 0;
  /** To be told as soon as nothing is on its way. @type {Written | null} */
  let written = null;
  port.on('message', (/** @type {Word} */ word) => {
    const now = performance.now();
    if (word === 'count') {
      groups = [];
      since = now;
    } else if (word === 'rest') {
      resting = true;
      written = { events: groups.length * atOnce, ms: now - since, groups };
    } else if (word === 'stop') {
      stopped = true;
    } else {
      resting = false;
      everyMs = (1_000 * atOnce) / word.perSecond;
      due = now;
    }
  });
  while (!stopped) {
    if (resting) {
      if (written) port.postMessage(written);
      written = null;
      await once(port, 'message');
      continue;
    }
    const begun = performance.now();
    await write();
    groups.push(performance.now() - begun);
    due = Math.max(due + everyMs, performance.now() - LATE_AT_MOST * everyMs);
    const early = due - performance.now();
    if (early > 0) await new Promise((done) => setTimeout(done, early));
  }
  port.close();
}
