import type { Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { LOG_IDS_RETENTION_DAYS } from '../../contract/person-limits.ts';
import { ensurePartition } from './ingest.ts';
import { reopen } from './transitions.ts';

const DAY_MS = 86_400_000;
const HOUSE_LOCK = 7_186_011;
/** Ids of one run: a day has half a million of them at most, and runs come each minute. */
const IDS_AT_ONCE = 5_000;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Makes tomorrow's partition, drops the days beyond retention (a whole table each, no row by row), thins rollups out
 * the same way, and opens issues whose ignoring has run out. Any number of processes may call it.
 */
export async function cleanLogs(runtime: Pick<Runtime, 'sql' | 'now' | 'config'>): Promise<void> {
  const { sql, config } = runtime;
  const now = runtime.now();
  await ensurePartition(sql, dayOf(now.getTime()));
  await ensurePartition(sql, dayOf(now.getTime() + DAY_MS));
  await dropBefore(sql, dayOf(now.getTime() - config.clientLogDays * DAY_MS));
  await dropOver(sql, config.clientLogTotalMb * 1_000_000, dayOf(now.getTime()));
  await sql`
    delete from client_log_ids where id in (
      select id from client_log_ids where received_at < ${new Date(now.getTime() - LOG_IDS_RETENTION_DAYS * DAY_MS)}
      limit ${IDS_AT_ONCE})`;
  await sql`delete from client_log_senders where hour < ${now.toISOString()}::timestamptz - interval '1 day'`;
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${HOUSE_LOCK})`;
    const over = await tx<{ id: string }[]>`
      select id from client_log_issues where state = 'ignored' and ignored_until->>'kind' = 'time'
        and (ignored_until->>'at')::timestamptz <= ${now}`;
    for (const { id } of over) await reopen(tx, id, { what: 'condition_met', detail: 'time', at: now });
  });
}

/** Drops the oldest days while all of them together take more than `bytes` on the disk; never today. */
async function dropOver(sql: Sql, bytes: number, today: string): Promise<void> {
  const days = await sql<{ day: string; bytes: number }[]>`
    select to_date(right(c.relname, 8), 'YYYYMMDD')::text as day, pg_total_relation_size(c.oid)::float8 as bytes
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'client_log_entries'::regclass order by 1 desc`;
  let sum = 0;
  const over = days.find((day) => {
    sum += day.bytes;
    return sum > bytes && day.day < today;
  });
  if (over) await dropBefore(sql, dayOf(Date.parse(over.day) + DAY_MS));
}

async function dropBefore(sql: Sql, day: string): Promise<void> {
  const oldest = `client_log_entries_${day.replaceAll('-', '')}`;
  const gone = await sql<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'client_log_entries'::regclass and c.relname < ${oldest}`;
  for (const { name } of gone) await sql`drop table if exists ${sql(name)}`;
  if (gone.length === 0) return;
  await sql`delete from client_log_messages where day < ${day}`;
  await sql`delete from client_log_hours where hour < ${day}::date`;
  await sql`delete from client_log_days where day < ${day}`;
  await sql`delete from client_log_series where hour < ${day}::date`;
  await sql`delete from client_log_devices where day < ${day}`;
  await sql`delete from client_log_drops where received_at < ${day}::date`;
  await sql`delete from client_log_daily where day < ${day}::date - 365`;
  await sql`delete from client_log_alerts where at < ${day}::date`;
  // A group without entries for this long makes room. Resolved and ignored ones are remembered.
  await sql`delete from client_log_groups g using client_log_issues i
    where g.issue_id = i.id and i.state = 'open' and not i.is_other and g.last_at < ${day}::date`;
  await sql`delete from client_log_issues i where state = 'open' and not is_other and last_at < ${day}::date
    and not exists (select from client_log_groups g where g.issue_id = i.id)`;
}
