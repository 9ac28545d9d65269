import { LOG_SORTED_WITHIN_MS } from '../../contract/limits.ts';
import { BATCH } from './inbox.ts';

/** Entries a second that sorting is taken to manage until it was seen at work, and at the least. */
const FIRST_GUESS = 10_000;
const LEAST = 5_000;
/** Of what may wait: while less does, sorting may rest half of its time; and need not begin. */
const REST_SHARE = 0.4;
const HOLD_SHARE = 0.75;
/** While requests keep coming and little enough waits, sorting leaves them the processor, no longer than this. */
export const HOLD_MS = 3_700;
/** What a batch weighs against those before it. */
const WEIGHT = 0.2;

export type Pace = {
  /** So many entries wait, in all, as storage says. */
  saw(entries: number): void;
  /** So many were taken in since. */
  stored(entries: number): void;
  /** So many were sorted, in this time. */
  sorted(entries: number, tookMs: number): void;
  /** More would not be sorted in time: those who send must come back. */
  isFull(): boolean;
  /** Sorting may rest half of its time, so that intake has the processor. */
  mayRest(): boolean;
  /** Sorting need not begin yet. */
  mayHold(): boolean;
};

/**
 * How much may wait to be sorted: what sorting, as fast as it was lately, manages in `LOG_SORTED_WITHIN_MS`. A flood is
 * taken in at the price of intake alone as long as it fits in there; a longer one is taken in as fast as it is sorted, and
 * the inbox does not grow with it.
 */
export function createPace(): Pace {
  let waiting = 0;
  let perSecond = FIRST_GUESS;
  const room = () => (perSecond * LOG_SORTED_WITHIN_MS) / 1000;
  return {
    saw: (entries) => {
      waiting = entries;
    },
    stored: (entries) => {
      waiting += entries;
    },
    sorted: (entries, tookMs) => {
      waiting = Math.max(0, waiting - entries);
      // What a batch costs besides its entries would make a small one look slow.
      if (entries < BATCH) return;
      const now = (entries * 1000) / Math.max(1, tookMs);
      perSecond = Math.max(LEAST, perSecond + WEIGHT * (now - perSecond));
    },
    isFull: () => waiting >= room(),
    mayRest: () => waiting < room() * REST_SHARE,
    mayHold: () => waiting < room() * HOLD_SHARE,
  };
}
