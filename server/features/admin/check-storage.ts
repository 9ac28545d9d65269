import { statfs } from 'node:fs/promises';
import type { Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { around } from '../../domain/backup-plan.ts';
import { readiness } from '../../storage/ready.ts';
import { type Found, iso, stateOf } from './check.ts';

const DAY_MS = 86_400_000;
/** Share of a disk at which operators must act, and at which writes begin to fail. */
const FULL_SOON = 0.9;
const FULL = 0.97;
const FULL_WITHIN_DAYS = 14;
/** Days of growth that are considered, and how far ahead the forecast goes. */
const GROWTH_DAYS = 30;
const WARN_WITHIN_DAYS = 730;

/** The disk of the instance's folder: the database's own where it is built in. */
export async function checkDisk({ sql, config, now }: Runtime): Promise<Found<'disk'>> {
  const { bavail, blocks, bsize } = await statfs(config.home).catch(() => statfs('.'));
  const [totalBytes, freeBytes] = [blocks * bsize, bavail * bsize];
  const used = totalBytes - freeBytes;
  const at = now();
  const fullAt = await fullOn(sql, 'disk', { used, totalBytes, at });
  return {
    state: fullness({ used, totalBytes, at }, fullAt),
    facts: {
      holdsDatabase: config.databaseUrl === null,
      totalBytes,
      freeBytes,
      fullOn: fullAt?.toISOString().slice(0, 10) ?? null,
    },
    figure: used,
  };
}

type Now = { used: number; totalBytes: number; at: Date };

function fullness({ used, totalBytes, at }: Now, fullAt: Date | null): Found<'disk'>['state'] {
  const share = totalBytes > 0 ? used / totalBytes : 0;
  const isSoon = fullAt !== null && fullAt.getTime() - at.getTime() < FULL_WITHIN_DAYS * DAY_MS;
  return stateOf({ failed: share >= FULL, attention: share >= FULL_SOON || isSoon });
}

/** When it is full, extrapolated from the oldest known day of the last weeks. */
async function fullOn(sql: Sql, name: 'disk' | 'size', { used, totalBytes, at }: Now): Promise<Date | null> {
  const today = at.toISOString().slice(0, 10);
  const [then] = await sql<{ day: string; figure: number }[]>`
    select day::text, figure from health_days
    where name = ${name} and day < ${today}::date and day >= ${today}::date - ${GROWTH_DAYS}::int and figure is not null
    order by day limit 1`;
  if (!then) return null;
  const days = (at.getTime() - Date.parse(then.day)) / DAY_MS;
  const perDay = (used - then.figure) / days;
  const left = perDay > 0 ? (totalBytes - used) / perDay : Number.POSITIVE_INFINITY;
  return left <= WARN_WITHIN_DAYS ? new Date(at.getTime() + left * DAY_MS) : null;
}

/**
 * The database's own room. The built-in one lies on the instance's disk; of another one nothing but its size can be seen
 * from here, so it is held against what the operator allows.
 */
export async function checkSize({ sql, config, now }: Runtime): Promise<Found<'size'>> {
  const [{ bytes }] = await sql<[{ bytes: number }]>`select pg_database_size(current_database())::float8 as bytes`;
  const isBeside = config.databaseUrl === null;
  const limitBytes = isBeside || config.databaseLimitMb === null ? null : config.databaseLimitMb * 1_000_000;
  if (limitBytes === null)
    return { state: 'fine', facts: { bytes, limitBytes, fullOn: null, isBeside }, figure: bytes };
  const room = { used: bytes, totalBytes: limitBytes, at: now() };
  const fullAt = await fullOn(sql, 'size', room);
  return {
    state: fullness(room, fullAt),
    facts: { bytes, limitBytes, fullOn: fullAt?.toISOString().slice(0, 10) ?? null, isBeside },
    figure: bytes,
  };
}

const SLOW_MS = 1_000;
const CROWDED = 0.9;
const MANY_LOCKS = 20;

/** Whether the database answers, accepts writes, and has free connections. */
export async function checkDatabase(runtime: Runtime): Promise<Found<'database'>> {
  const { sql, config } = runtime;
  const began = performance.now();
  const ready = await readiness(runtime);
  const answeredMs = Math.round(performance.now() - began);
  const [row] = await sql<[Omit<Found<'database'>['facts'], 'kind' | 'answeredMs'>]>`
    select current_setting('server_version') as version,
      (select coalesce(max(version), 0)::int from schema_migrations) as schema,
      pg_database_size(current_database())::float8 as bytes,
      (select count(*)::int from pg_locks where not granted) as "waitingLocks",
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as "maxConnections"`;
  return {
    state: stateOf({
      failed: ready !== 'ready',
      attention:
        answeredMs > SLOW_MS || row.waitingLocks > MANY_LOCKS || row.connections > row.maxConnections * CROWDED,
    }),
    facts: { kind: config.databaseUrl === null ? 'embedded' : 'external', answeredMs, ...row },
    figure: row.bytes,
  };
}

/** A night without a backup is one; a week is a danger. */
const BACKUP_LATE_MS = 2 * DAY_MS;
const BACKUP_LOST_MS = 7 * DAY_MS;

type Row = {
  goodAt: Date | null;
  failedAt: Date | null;
  failure: string | null;
  since: Date | null;
  triedAt: Date | null;
  bytes: number | null;
};

/** The backups that this instance's own command or job wrote. A new instance has a day until one is missed. */
export async function checkBackups({
  sql,
  now,
  config,
}: Pick<Runtime, 'sql' | 'now' | 'config'>): Promise<Found<'backups'>> {
  const [row] = await sql<[Row]>`
    select (select max(at) from backups where error is null) as "goodAt", bad.at as "failedAt", bad.error as failure,
      (select min(created_at) from users) as since, (select max(tried_at) from backups) as "triedAt",
      (select bytes::float8 from backups where file is not null and error is null order by at desc limit 1) as bytes
    from (select) one left join lateral (
      select at, error from backups where error is not null order by at desc limit 1) bad on true`;
  const { goodAt, failedAt, failure, since, triedAt, bytes } = row;
  const { at, dir } = config.backup;
  // Before the first person there is nothing to lose.
  const safeAt = goodAt ?? (since && new Date(since.getTime() - DAY_MS));
  const age = safeAt === null ? 0 : now().getTime() - safeAt.getTime();
  const lastFailed = failedAt !== null && (goodAt === null || failedAt > goodAt);
  return {
    state: stateOf({
      failed: lastFailed || (goodAt !== null && age > BACKUP_LOST_MS),
      attention: age > BACKUP_LATE_MS,
    }),
    facts: {
      goodAt: iso(goodAt),
      failedAt: lastFailed ? iso(failedAt) : null,
      failure: lastFailed ? failure : null,
      nextAt: at === null || dir === null ? null : around(at, now()).next.toISOString(),
      bytes,
      places: [dir ?? [], config.s3 ? `s3:${config.s3.bucket}` : []].flat(),
      triedAt: iso(triedAt),
    },
    figure: null,
  };
}

/** What the hourly comparison of the ledger with all boards found last. */
export async function checkLedgerState({ sql }: Runtime): Promise<Found<'ledger'>> {
  const [row] = await sql<{ at: Date; differences: number }[]>`select at, differences from ledger_checks`;
  return {
    state: (row?.differences ?? 0) > 0 ? 'failed' : 'fine',
    facts: { differences: row?.differences ?? 0, checkedAt: iso(row?.at ?? null) },
    figure: row?.differences ?? null,
  };
}
