import { totalmem } from 'node:os';

const MB = 2 ** 20;

/** What a small community needs, in MB, and what the budget of memory leaves for it: buffers are resident once they were used. */
const LEAST = 40;
/** Tables of less, in bytes, fit into `LEAST` beside everything else. */
const FITS = 20 * MB;
/** The part of the machine that buffers may take. */
const SHARE = 1 / 8;

/** The machine's memory in bytes, or what this process's control group may take of it. */
const present = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/**
 * The server's buffers in MB where the tables that are read and written all over have grown to so many bytes: room for
 * these beside what everybody else needs, so that a point on a board of a million finds its pages in memory.
 */
export function buffersFor(bytes: number, memory = present()): number {
  if (bytes <= FITS) return LEAST;
  return Math.max(LEAST, Math.floor(Math.min(LEAST + bytes / MB, (memory * SHARE) / MB)));
}
