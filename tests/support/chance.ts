/**
 * What tests leave to chance. Each run has a seed of its own, which it prints: `SEED=… npx vitest run …` plays what it
 * played. `npm test` plays a share, as does `npm run test:quick`; the long tier (`TIER=all`) plays everything.
 */
import fc from 'fast-check';

/** From 0 to 999,999, the same in all processes of a run: `vite.config.ts` draws it. */
export const SEED = Number(process.env['SEED']);
if (!Number.isSafeInteger(SEED)) throw new Error(`SEED is no whole number: ${process.env['SEED']}`);

/** How many cases of a model are played. */
export const runs = (share: number, all = share * 10): number => (process.env['TIER'] === 'all' ? all : share);

/** Numbers from 0 up to 1 that look like chance and repeat from their seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

fc.configureGlobal({ seed: SEED, numRuns: runs(100) });

export { fc };
