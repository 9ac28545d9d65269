import type { JSONValue, TransactionSql } from 'postgres';
import type { ReadEntry } from './read-entry.ts';

/** An entry with the group it belongs to; debug entries have none. */
export type Placed = ReadEntry & { groupId: number | null };

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
/** Steps of the kept delays: each a fifth longer than the one before. */
const DELAY_STEP = 1.2;
export const delayBucket = (ms: number): number => Math.round(Math.log(Math.max(0, ms) + 1) / Math.log(DELAY_STEP));
/** Delay that a bucket stands for, in ms. */
export const delayOf = (bucket: number): number => Math.round(DELAY_STEP ** bucket - 1);

export const delayMs = ({ receivedAt, happenedAt }: Pick<ReadEntry, 'receivedAt' | 'happenedAt'>): number =>
  receivedAt.getTime() - happenedAt.getTime();

const hourOf = (time: Date): string => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS).toISOString();
const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** Adds a batch to everything that lists and bars read instead of the entries. Part of the batch's transaction. */
export async function addToRollups(sql: TransactionSql, entries: readonly Placed[]): Promise<void> {
  const errors = entries.filter((entry): entry is Placed & { groupId: number } => entry.groupId !== null);
  await addGroups(sql, errors);
  await addHours(sql, errors);
  await addFacets(sql, errors);
  await addSeries(sql, entries);
  await addDevices(sql, entries);
}

type Grouped = Placed & { groupId: number };
const json = (sql: TransactionSql, rows: Iterable<object>) => sql.json([...rows] as JSONValue);

async function addGroups(sql: TransactionSql, errors: readonly Grouped[]): Promise<void> {
  const people = new Map(errors.map(({ groupId, person }) => [`${groupId} ${person}`, { g: groupId, p: person }]));
  const groups = new Map<number, { g: number; n: number; first: string; last: string }>();
  for (const { groupId, repeats, happenedAt } of errors) {
    const at = happenedAt.toISOString();
    const kept = groups.get(groupId);
    if (!kept) groups.set(groupId, { g: groupId, n: repeats, first: at, last: at });
    else {
      kept.n += repeats;
      if (at < kept.first) kept.first = at;
      if (at > kept.last) kept.last = at;
    }
  }
  if (groups.size === 0) return;
  await sql`
    with fresh as (
      insert into client_log_people (group_id, person)
      select g, p from jsonb_to_recordset(${json(sql, people.values())}) as r (g int, p text)
      on conflict do nothing returning group_id
    ), people as (select group_id, count(*)::int as n from fresh group by 1)
    update client_log_groups kept set count = kept.count + r.n, first_at = least(kept.first_at, r.first),
      last_at = greatest(kept.last_at, r.last), people = kept.people + coalesce(people.n, 0)
    from jsonb_to_recordset(${json(sql, groups.values())}) as r (g int, n int, first timestamptz, last timestamptz)
      left join people on people.group_id = r.g
    where kept.id = r.g`;
}

/** Sums `amount` of rows that fall on the same key. */
function summed<R extends object>(rows: Iterable<[key: string, row: R, amount: number]>): (R & { n: number })[] {
  const sums = new Map<string, R & { n: number }>();
  for (const [key, row, amount] of rows) {
    const kept = sums.get(key);
    if (kept) kept.n += amount;
    else sums.set(key, { ...row, n: amount });
  }
  return [...sums.values()];
}

async function addHours(sql: TransactionSql, errors: readonly Grouped[]): Promise<void> {
  if (errors.length === 0) return;
  const by = (timeOf: (time: Date) => string) =>
    summed(
      errors.map(({ happenedAt, groupId, repeats }): [string, { t: string; g: number }, number] => {
        const t = timeOf(happenedAt);
        return [`${t} ${groupId}`, { t, g: groupId }, repeats];
      }),
    );
  await sql`insert into client_log_hours as kept (hour, group_id, count)
    select t, g, n from jsonb_to_recordset(${json(sql, by(hourOf))}) as r (t timestamptz, g int, n int)
    on conflict (hour, group_id) do update set count = kept.count + excluded.count`;
  await sql`insert into client_log_days as kept (day, group_id, count)
    select t, g, n from jsonb_to_recordset(${json(sql, by(dayOf))}) as r (t date, g int, n int)
    on conflict (day, group_id) do update set count = kept.count + excluded.count`;
}

function* facetsOf(entry: Placed): Generator<[dimension: string, value: string]> {
  for (const dimension of DIMENSIONS) {
    const value = entry[dimension];
    if (value !== null) yield [dimension, value];
  }
  yield ['offline', entry.offlineMs === null ? 'no' : 'yes'];
}

async function addFacets(sql: TransactionSql, errors: readonly Grouped[]): Promise<void> {
  const facets = new Map<string, { g: number; d: string; v: string; n: number; first: string; last: string }>();
  for (const entry of errors) {
    const at = entry.happenedAt.toISOString();
    const delay = ['delay', String(delayBucket(delayMs(entry)))] as const;
    for (const [d, v] of [...facetsOf(entry), delay]) {
      const key = `${entry.groupId} ${d} ${v}`;
      const kept = facets.get(key);
      if (!kept) facets.set(key, { g: entry.groupId, d, v, n: entry.repeats, first: at, last: at });
      else {
        kept.n += entry.repeats;
        if (at < kept.first) kept.first = at;
        if (at > kept.last) kept.last = at;
      }
    }
  }
  if (facets.size === 0) return;
  await sql`insert into client_log_facets as kept (group_id, dimension, value, count, first_at, last_at)
    select g, d, v, n, first, last from jsonb_to_recordset(${json(sql, facets.values())})
      as r (g int, d text, v text, n int, first timestamptz, last timestamptz)
    on conflict (group_id, dimension, value) do update set count = kept.count + excluded.count,
      first_at = least(kept.first_at, excluded.first_at), last_at = greatest(kept.last_at, excluded.last_at)`;
}

async function addSeries(sql: TransactionSql, entries: readonly Placed[]): Promise<void> {
  const rows = new Map<string, { t: string; d: string; v: string; e: number; b: number }>();
  for (const entry of entries) {
    const t = hourOf(entry.happenedAt);
    const delay = ['delay', String(delayBucket(delayMs(entry)))] as const;
    for (const [d, v] of [['all', ''] as const, ...facetsOf(entry), delay]) {
      const key = `${t} ${d} ${v}`;
      const kept = rows.get(key) ?? { t, d, v, e: 0, b: 0 };
      if (entry.kind === 'error') kept.e += entry.repeats;
      else kept.b += entry.repeats;
      rows.set(key, kept);
    }
  }
  await sql`insert into client_log_series as kept (hour, dimension, value, errors, debugs)
    select t, d, v, e, b from jsonb_to_recordset(${json(sql, rows.values())}) as r (t timestamptz, d text, v text, e int, b int)
    on conflict (dimension, value, hour) do update set errors = kept.errors + excluded.errors,
      debugs = kept.debugs + excluded.debugs`;
}

async function addDevices(sql: TransactionSql, entries: readonly Placed[]): Promise<void> {
  const devices = new Map<string, object>();
  for (const entry of entries) {
    const { person, release, engine, browser, os, display, push, storage } = entry;
    const day = dayOf(entry.happenedAt);
    const key = `${day} ${person}`;
    const kept = devices.get(key) as { offline?: boolean } | undefined;
    const offline = kept?.offline === true || entry.offlineMs !== null;
    // What an entry does not say stands as it was said before.
    const saidNow = Object.fromEntries(
      Object.entries({ release, engine, browser, os, display, push, storage }).filter(([, value]) => value !== null),
    );
    devices.set(key, { ...kept, day, person, ...saidNow, offline });
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
