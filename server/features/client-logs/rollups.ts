import type { JSONValue, TransactionSql } from 'postgres';
import type { ReadEntry } from './read-entry.ts';

export const DIMENSIONS = [
  'release',
  'engine',
  'browser',
  'os',
  'display',
  'connection',
  'community',
  'route',
  'source',
] as const;

const HOUR_MS = 3_600_000;
/** Ratio of the stored delay buckets. */
const DELAY_STEP = 1.2;
export const delayBucket = (ms: number): number => Math.round(Math.log(Math.max(0, ms) + 1) / Math.log(DELAY_STEP));
/** Delay of a bucket, in ms. */
export const delayOf = (bucket: number): number => Math.round(DELAY_STEP ** bucket - 1);

export const delayMs = ({ receivedAt, happenedAt }: Pick<ReadEntry, 'receivedAt' | 'happenedAt'>): number =>
  receivedAt.getTime() - happenedAt.getTime();

/**
 * Entries with the same dimensions, summed: one crash arrives a thousand times from a few kinds of phones, and each sum
 * is computed once.
 */
type Alike = {
  groupId: number | null;
  kind: ReadEntry['kind'];
  hour: string;
  day: string;
  /** Dimension and value; the delay is one of them. */
  facets: readonly (readonly [dimension: string, value: string])[];
  count: number;
  first: number;
  last: number;
};
type AlikeErrors = Alike & { groupId: number };

/** Adds a batch to everything that lists and bars read instead of the entries. Part of the batch's transaction. */
export async function addToRollups(sql: TransactionSql, entries: readonly ReadEntry[]): Promise<void> {
  const all = alikeOf(entries);
  const errors = all.filter((one): one is AlikeErrors => one.groupId !== null);
  await addGroups(sql, errors, entries);
  await addHours(sql, errors);
  await addFacets(sql, errors);
  await addSeries(sql, all);
  await addDevices(sql, entries);
}

function alikeOf(entries: readonly ReadEntry[]): Alike[] {
  const alike = new Map<string, Alike>();
  for (const entry of entries) {
    const { groupId, kind, repeats } = entry;
    const at = entry.happenedAt.getTime();
    const delay = delayBucket(delayMs(entry));
    const offline = entry.offlineMs === null ? 'no' : 'yes';
    // None of these values can hold a line break.
    const key = [groupId, kind, Math.floor(at / HOUR_MS), delay, offline, ...valuesOf(entry)].join('\n');
    const sum = alike.get(key);
    if (sum) {
      sum.count += repeats;
      sum.first = Math.min(sum.first, at);
      sum.last = Math.max(sum.last, at);
    } else {
      const hour = new Date(Math.floor(at / HOUR_MS) * HOUR_MS).toISOString();
      const facets = [...facetsOf(entry), ['offline', offline] as const, ['delay', String(delay)] as const];
      alike.set(key, { groupId, kind, hour, day: hour.slice(0, 10), facets, count: repeats, first: at, last: at });
    }
  }
  return [...alike.values()];
}

const valuesOf = (entry: ReadEntry): (string | null)[] => DIMENSIONS.map((dimension) => entry[dimension]);

function* facetsOf(entry: ReadEntry): Generator<readonly [dimension: string, value: string]> {
  for (const dimension of DIMENSIONS) {
    const value = entry[dimension];
    if (value !== null) yield [dimension, value];
  }
}

const json = (sql: TransactionSql, rows: Iterable<object>) => sql.json([...rows] as JSONValue);

/**
 * The sum, capped at the column's range: repeats come from strangers, and an overflow would stop ingestion for ever.
 */
const added = (sql: TransactionSql, column: 'count' | 'errors' | 'debugs') =>
  sql`least(2147483647, kept.${sql(column)}::bigint + excluded.${sql(column)})`;

/** What falls on the same key, counted together, with the first and the last time of it. */
type Seen = { n: number; first: Date; last: Date };
function summed<R extends object>(rows: Iterable<readonly [key: string, row: R, of: Alike]>): (R & Seen)[] {
  const sums = new Map<string, R & Seen>();
  for (const [key, row, { count, first, last }] of rows) {
    const sum = sums.get(key);
    if (!sum) sums.set(key, { ...row, n: count, first: new Date(first), last: new Date(last) });
    else {
      sum.n += count;
      if (first < sum.first.getTime()) sum.first = new Date(first);
      if (last > sum.last.getTime()) sum.last = new Date(last);
    }
  }
  return [...sums.values()];
}

async function addGroups(
  sql: TransactionSql,
  errors: readonly AlikeErrors[],
  entries: readonly ReadEntry[],
): Promise<void> {
  if (errors.length === 0) return;
  const people = new Map<string, { g: number; p: string }>();
  for (const { groupId, person } of entries)
    if (groupId !== null) people.set(`${groupId} ${person}`, { g: groupId, p: person });
  const groups = summed(errors.map((one) => [String(one.groupId), { g: one.groupId }, one] as const));
  await sql`
    with fresh as (
      insert into client_log_people (group_id, person)
      select g, p from jsonb_to_recordset(${json(sql, people.values())}) as r (g int, p text)
      on conflict do nothing returning group_id
    ), people as (select group_id, count(*)::int as n from fresh group by 1)
    update client_log_groups kept set count = kept.count + r.n, first_at = least(kept.first_at, r.first),
      last_at = greatest(kept.last_at, r.last), people = kept.people + coalesce(people.n, 0)
    from jsonb_to_recordset(${json(sql, groups)}) as r (g int, n int, first timestamptz, last timestamptz)
      left join people on people.group_id = r.g
    where kept.id = r.g`;
}

async function addHours(sql: TransactionSql, errors: readonly AlikeErrors[]): Promise<void> {
  if (errors.length === 0) return;
  const by = (unit: 'hour' | 'day') =>
    summed(errors.map((one) => [`${one[unit]} ${one.groupId}`, { t: one[unit], g: one.groupId }, one] as const));
  await sql`insert into client_log_hours as kept (hour, group_id, count)
    select t, g, n from jsonb_to_recordset(${json(sql, by('hour'))}) as r (t timestamptz, g int, n int)
    on conflict (hour, group_id) do update set count = ${added(sql, 'count')}`;
  await sql`insert into client_log_days as kept (day, group_id, count)
    select t, g, n from jsonb_to_recordset(${json(sql, by('day'))}) as r (t date, g int, n int)
    on conflict (day, group_id) do update set count = ${added(sql, 'count')}`;
}

async function addFacets(sql: TransactionSql, errors: readonly AlikeErrors[]): Promise<void> {
  const facets = summed(
    errors.flatMap((one) =>
      one.facets.map(([d, v]) => [`${one.groupId} ${d} ${v}`, { g: one.groupId, d, v }, one] as const),
    ),
  );
  if (facets.length === 0) return;
  await sql`insert into client_log_facets as kept (group_id, dimension, value, count, first_at, last_at)
    select g, d, v, n, first, last from jsonb_to_recordset(${json(sql, facets)})
      as r (g int, d text, v text, n int, first timestamptz, last timestamptz)
    on conflict (group_id, dimension, value) do update set count = kept.count + excluded.count,
      first_at = least(kept.first_at, excluded.first_at), last_at = greatest(kept.last_at, excluded.last_at)`;
}

async function addSeries(sql: TransactionSql, all: readonly Alike[]): Promise<void> {
  const rows = new Map<string, { t: string; d: string; v: string; e: number; b: number }>();
  for (const { hour, kind, facets, count } of all)
    for (const [d, v] of [['all', ''] as const, ...facets]) {
      const key = `${hour} ${d} ${v}`;
      const sum = rows.get(key) ?? { t: hour, d, v, e: 0, b: 0 };
      if (kind === 'error') sum.e += count;
      else sum.b += count;
      rows.set(key, sum);
    }
  await sql`insert into client_log_series as kept (hour, dimension, value, errors, debugs)
    select t, d, v, e, b from jsonb_to_recordset(${json(sql, rows.values())}) as r (t timestamptz, d text, v text, e int, b int)
    on conflict (dimension, value, hour) do update set errors = ${added(sql, 'errors')}, debugs = ${added(sql, 'debugs')}`;
}

const STATES = ['release', 'engine', 'browser', 'os', 'display', 'push', 'storage'] as const;
type Device = { day: string; person: string; offline: boolean } & { [K in (typeof STATES)[number]]?: string };

async function addDevices(sql: TransactionSql, entries: readonly ReadEntry[]): Promise<void> {
  const devices = new Map<string, Device>();
  for (const entry of entries) {
    const day = entry.happenedAt.toISOString().slice(0, 10);
    const key = `${day} ${entry.person}`;
    const device: Device = devices.get(key) ?? { day, person: entry.person, offline: false };
    if (entry.offlineMs !== null) device.offline = true;
    // Missing fields leave the stored values.
    for (const name of STATES) {
      const state = entry[name];
      if (state !== null) device[name] = state;
    }
    devices.set(key, device);
  }
  await sql`insert into client_log_devices as kept (day, person, release, engine, browser, os, display, push, storage, offline)
    select * from jsonb_to_recordset(${json(sql, devices.values())}) as r (day date, person text, release text, engine text,
      browser text, os text, display text, push text, storage text, offline boolean)
    on conflict (day, person) do update set release = coalesce(excluded.release, kept.release),
      engine = coalesce(excluded.engine, kept.engine), browser = coalesce(excluded.browser, kept.browser),
      os = coalesce(excluded.os, kept.os), display = coalesce(excluded.display, kept.display),
      push = coalesce(excluded.push, kept.push), storage = coalesce(excluded.storage, kept.storage),
      offline = kept.offline or excluded.offline`;
}
