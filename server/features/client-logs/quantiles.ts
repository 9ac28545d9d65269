import { delayOf } from './rollups.ts';

/** Median and 95th percentile of counted delay buckets, within a fifth of the truth. */
export function quantiles(buckets: readonly { bucket: number; count: number }[]): { p50Ms: number; p95Ms: number } {
  const sorted = [...buckets].sort((a, b) => a.bucket - b.bucket);
  const all = sorted.reduce((sum, { count }) => sum + count, 0);
  const at = (share: number): number => {
    let seen = 0;
    for (const { bucket, count } of sorted) {
      seen += count;
      if (seen >= all * share) return delayOf(bucket);
    }
    return 0;
  };
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}
