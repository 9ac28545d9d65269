import { LOG_SORTED_WITHIN_MS } from '../../contract/limits.ts';
import { BATCH } from './inbox.ts';

/** Entries a millisecond that sorting is taken to manage until it was seen at work, and at the least. */
const FIRST_GUESS = 1;
const LEAST = 0.5;
/** A batch that takes so long weighs as much as all before it. */
const HALF_MS = 250;
/** While requests are taken in, a batch takes at most so many times as long as it does alone. */
const ALONE = 3;
/** Waits up to which sorting need not begin, and may rest half of its time. */
const HOLD_MS = 3_300;
const REST_MS = 1_600;
/** What came within this time counts as one. */
const MARK_MS = 100;
/** What waits longer waits for something else than its turn: sorting fails, or another process is at it. */
const FORGOTTEN_MS = 2 * LOG_SORTED_WITHIN_MS;

/** So many came at one time. */
type Mark = { at: number; entries: number };

export type Pace = {
  /** So many entries wait, in all, as storage says. */
  saw(entries: number): void;
  /** So many were taken in since. */
  stored(entries: number): void;
  /** So many were sorted, in this time. */
  sorted(entries: number, tookMs: number): void;
  /** Time until more may be taken in, in ms; 0 when it may now. Those who send must come back then. */
  fullForMs(): number;
  /** Sorting may rest half of its time, so that intake has the processor. */
  mayRest(): boolean;
  /** Sorting need not begin yet. */
  mayHold(): boolean;
};

/**
 * How much may wait to be sorted: nothing so long that it would wait for more than `LOG_SORTED_WITHIN_MS`, were it only
 * sorted from now on. The oldest come first, and who is told to come back leaves the processor to sorting: so what counts
 * is how fast sorting lately was alone.
 */
export function createPace(now: () => number = () => performance.now()): Pace {
  let waiting = 0;
  let perMs = FIRST_GUESS;
  let takenIn = 0;
  /** Of what waits, oldest first; what is waiting besides was there before all of it. */
  const marks: Mark[] = [];
  let marked = 0;

  function stored(entries: number): void {
    if (entries === 0) return;
    const last = marks.at(-1);
    if (last && now() - last.at < MARK_MS) last.entries += entries;
    else marks.push({ at: now(), entries });
    marked += entries;
    waiting += entries;
    takenIn += entries;
  }

  function left(entries: number): void {
    waiting = Math.max(0, entries);
    for (let over = marked - waiting; over > 0; over = marked - waiting) {
      const first = marks[0] as Mark;
      const gone = Math.min(over, first.entries);
      first.entries -= gone;
      marked -= gone;
      if (first.entries === 0) marks.shift();
    }
  }

  function learn(entries: number, tookMs: number): void {
    const seen = entries / Math.max(1, tookMs);
    const alone = takenIn > entries / 10 ? Math.min(Math.max(perMs, seen), seen * ALONE) : seen;
    perMs = Math.max(LEAST, perMs + (tookMs / (tookMs + HALF_MS)) * (alone - perMs));
  }

  /** How long each will have waited, from the newest to the oldest: the longest, and how long that keeps others out. */
  function look(): { longestMs: number; fullForMs: number } {
    if (waiting === 0) return { longestMs: 0, fullForMs: 0 };
    const at = now();
    // A batch is done when all of it is.
    let sortedInMs = (waiting + BATCH) / perMs;
    // One that comes now.
    let longestMs = sortedInMs;
    let fullForMs = Math.max(0, sortedInMs - LOG_SORTED_WITHIN_MS);
    for (let n = marks.length - 1; n >= 0; n -= 1) {
      const mark = marks[n] as Mark;
      if (at - mark.at > FORGOTTEN_MS) break;
      const waitMs = at - mark.at + sortedInMs;
      longestMs = Math.max(longestMs, waitMs);
      if (waitMs >= LOG_SORTED_WITHIN_MS) fullForMs = Math.max(fullForMs, Math.min(sortedInMs, LOG_SORTED_WITHIN_MS));
      sortedInMs -= mark.entries / perMs;
    }
    return { longestMs, fullForMs };
  }

  return {
    saw: left,
    stored,
    sorted(entries, tookMs) {
      // What a batch costs besides its entries would make a small one look slow.
      if (entries >= BATCH) learn(entries, tookMs);
      takenIn = 0;
      left(waiting - entries);
    },
    fullForMs: () => look().fullForMs,
    mayRest: () => look().longestMs < REST_MS,
    mayHold: () => look().longestMs < HOLD_MS,
  };
}
