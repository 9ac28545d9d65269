/** Ms of the processor: the clock also counts what a busy machine does meanwhile. */
function spent(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}
/** The least of five tries, or of a second's worth of them. */
function least(work: () => unknown): number {
  const tries: number[] = [];
  for (let sum = 0; tries.length < 5 && sum < 1_000; sum += tries.at(-1) ?? 0) tries.push(spent(work));
  return Math.min(...tries);
}

/** Below, in ms, the measure says little: what looks at each of 64 thousand signs once for each other one takes seconds. */
const COMPARED_MS = 300;
/** What work that is as long as its input stays below, with all that the engine does beside it. */
export const AS_ITS_LENGTH = 1.75;

/**
 * The power by which work grows with its input: 1 where each sign is looked at so many times, 2 where it is looked at once
 * for each other one. 0 where even the larger input takes next to nothing.
 * @param of makes the work for an input of a size @param size of the smaller input @param times as large is the larger one
 */
export function growth(of: (size: number) => () => unknown, size = 8_000, times = 8): number {
  const large = of(size * times);
  if (spent(large) < COMPARED_MS) return 0;
  const small = of(size);
  // As much input in all, and as much thrown away: what the engine does beside the work is in both.
  const often = () => {
    for (let n = 0; n < times; n += 1) small();
  };
  return 1 + Math.log(least(large) / least(often)) / Math.log(times);
}
