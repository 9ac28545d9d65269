import type { Runtime } from '../../base/runtime.ts';

/** Deletes empty counts of scores and buckets. A writer creates them again. */
export async function sweepCounts({ sql }: Pick<Runtime, 'sql'>): Promise<void> {
  await sql`delete from score_counts where members = 0`;
  await sql`delete from bucket_counts where members = 0`;
}
