import type { Runtime } from '../../base/runtime.ts';

/** Deletes counts of scores and buckets in which nobody stands any more. A writer that comes back to one makes it anew. */
export async function sweepCounts({ sql }: Pick<Runtime, 'sql'>): Promise<void> {
  await sql`delete from score_counts where members = 0`;
  await sql`delete from bucket_counts where members = 0`;
}
