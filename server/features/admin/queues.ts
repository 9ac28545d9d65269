import type { Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { AdminOverview } from '../../contract/overview.ts';
import { readWaiting } from '../claims/waiting.ts';
import { INSTANCE } from '../ledger/record.ts';

type Queue = { count: number; oldestAt: string | null };
type Row = { count: number; oldestAt: Date | null };

const queueOf = ([row]: readonly Row[]): Queue => ({
  count: row?.count ?? 0,
  oldestAt: row?.oldestAt?.toISOString() ?? null,
});

/** What waits for an answer on the whole instance. */
const QUEUES: { [K in keyof AdminOverview['waiting']]: (sql: Sql) => Promise<Queue> } = {
  applications: async (sql) =>
    queueOf(
      await sql<Row[]>`
        select count(*)::int, min(submitted_at) as "oldestAt" from leader_applications where state = 'submitted'`,
    ),
  async partnerships(sql) {
    // Schemas of earlier releases lack them.
    const [exists] = await sql<[{ is: boolean }]>`select to_regclass('partnership_requests') is not null as is`;
    if (!exists.is) return { count: 0, oldestAt: null };
    return queueOf(
      await sql<Row[]>`
        select count(*)::int, min(created_at) as "oldestAt" from partnership_requests where state = 'new'`,
    );
  },
  reviews: async (sql) => queueOf([await readWaiting(sql, null)]),
  appeals: async (sql) =>
    queueOf(
      await sql<Row[]>`
        select count(*)::int, min(appeal_at) as "oldestAt" from claims where appeal_outcome = 'open'`,
    ),
};

/** A part that cannot be read is null, and leaves the others. */
export async function orNull<T>({ log }: Pick<Runtime, 'log'>, part: string, read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    log.warn({ err: error, part }, 'a part of the overview could not be read');
    return null;
  }
}

/** Every queue; one that cannot be read is null. */
export async function readQueues(runtime: Runtime): Promise<AdminOverview['waiting']> {
  const { sql } = runtime;
  const [applications, partnerships, reviews, appeals] = await Promise.all([
    orNull(runtime, 'applications', QUEUES.applications(sql)),
    orNull(runtime, 'partnerships', QUEUES.partnerships(sql)),
    orNull(runtime, 'reviews', QUEUES.reviews(sql)),
    orNull(runtime, 'appeals', QUEUES.appeals(sql)),
  ]);
  return { applications, partnerships, reviews, appeals };
}

/** How much there is of what an instance is about; null where it cannot be read. */
export const readCounts = (runtime: Runtime): Promise<AdminOverview['counts']> =>
  orNull(runtime, 'counts', counted(runtime));

async function counted({ sql, now }: Runtime): Promise<NonNullable<AdminOverview['counts']>> {
  const [row] = await sql<[NonNullable<AdminOverview['counts']>]>`
    select count(*)::int as people, (count(*) filter (where is_verified))::int as verified,
      (select count(*)::int from communities) as communities,
      coalesce((select people from active_counts where community_id = ${INSTANCE} and span = 'day'
        and starts = ${now().toISOString().slice(0, 10)}::date), 0) as "activeToday"
    from users`;
  return row;
}
