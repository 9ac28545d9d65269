import type { Sql } from 'postgres';
import { LOG_DAILY_ROWS, LOG_GROUPS_MAX } from '../../contract/limits.ts';
import type { Fleet } from '../../contract/ops-logs.ts';
import { quantiles } from './quantiles.ts';

const DAYS = 14;
const DAYS_MAX = 90;
const CHOICES_MAX = 30;
const CHOSEN = ['engine', 'browser', 'os', 'display', 'push', 'storage'] as const;

const FRESH_MS = 60_000;
type FleetQuery = { days?: string | undefined };

/**
 * Figures of the devices, from one row per device and day. All devices of two weeks are counted, so an answer is cached
 * for a minute; `asOf` says when it was made.
 */
export function createFleet(sql: Sql): (query: FleetQuery, now: Date) => Promise<Fleet> {
  const answers = new Map<string, { at: number; fleet: Promise<Fleet> }>();
  return (query, now) => {
    const key = query.days ?? '';
    const before = answers.get(key);
    if (before && Math.abs(now.getTime() - before.at) < FRESH_MS) return before.fleet;
    const fleet = countFleet(sql, query, now);
    if (answers.size > DAYS_MAX) answers.clear();
    answers.set(key, { at: now.getTime(), fleet });
    // A failure goes to its caller and is not cached.
    fleet.catch(() => answers.delete(key));
    return fleet;
  };
}

async function countFleet(sql: Sql, query: FleetQuery, now: Date): Promise<Fleet> {
  const days = Math.min(query.days === undefined ? DAYS : Number(query.days), DAYS_MAX);
  const from = new Date(now.getTime() - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  const today = now.toISOString().slice(0, 10);
  const [totals, adoption, choices, delays, drops, stored] = await Promise.all([
    sql<[{ devices: number; share: number }]>`
      select count(distinct person)::float8 as devices, coalesce(avg(offline::int), 0)::float8 as share
      from client_log_devices where day >= ${from}`,
    sql<{ day: string; value: string; devices: number }[]>`
      select day::text, coalesce(release, 'unknown') as value, count(*)::float8 as devices
      from client_log_devices where day >= ${from} group by 1, 2 order by 1, 3 desc`,
    Promise.all(
      CHOSEN.map(
        (name) => sql<{ value: string; count: number }[]>`
          select ${sql(name)} as value, count(distinct person)::float8 as count from client_log_devices
          where day >= ${from} and ${sql(name)} is not null group by 1 order by 2 desc, 1 limit ${CHOICES_MAX}`,
      ),
    ),
    sql<{ bucket: number; count: number }[]>`
      select value::int as bucket, sum(errors + debugs)::float8 as count from client_log_series
      where dimension = 'delay' and hour >= ${from}::date group by 1`,
    sql<[Fleet['dropped']]>`
      select (select coalesce(sum(errors + debugs), 0)::float8 from client_log_drops where received_at >= ${from}::date) as "onDevices",
        (select coalesce(sum(refused), 0)::float8 from client_log_daily where day >= ${from}) as "overDailyCap"`,
    sql<[{ entries: number; oldestDay: string | null; today: number; groups: number; waiting: number }]>`
      select (select coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = 'client_log_entries'::regclass) as entries,
        (select min(day)::text from client_log_daily where stored > 0) as "oldestDay",
        (select coalesce(max(stored), 0)::float8 from client_log_daily where day = ${today}) as today,
        (select count(*)::int from client_log_groups) as groups,
        (select count(*)::int from client_log_inbox) as waiting`,
  ]);
  const [engine = [], browser = [], os = [], display = [], push = [], storage = []] = choices;
  const list = (rows: Iterable<{ value: string; count: number }>) =>
    [...rows].map(({ value, count }) => ({ value, count }));
  return {
    asOf: now.toISOString(),
    days,
    devices: totals[0].devices,
    offlineShare: totals[0].share,
    replayDelay: quantiles(delays),
    adoption: adoption.map(({ day, value, devices }) => ({ day, value, devices })),
    engine: list(engine),
    browser: list(browser),
    os: list(os),
    display: list(display),
    push: list(push),
    storage: list(storage),
    dropped: { ...drops[0] },
    kept: { ...stored[0], dailyCap: LOG_DAILY_ROWS, groupCap: LOG_GROUPS_MAX },
  };
}
