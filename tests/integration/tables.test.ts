import { readFileSync } from 'node:fs';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STORED, type StoredName } from '../../server/contract/stored.ts';
import { type Growth, NOT_SPREAD, TABLES } from '../../server/storage/tables.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

const DAY_MS = 86_400_000;
const UNTIL = {
  account: 'until the account ends',
  community: 'until the community ends',
  instance: 'for ever',
  ever: 'for ever',
} as const;
function keptFor(table: StoredName): string {
  const { retention } = STORED[table];
  if (!('ms' in retention)) return UNTIL[retention.until];
  const days = retention.ms / DAY_MS;
  return days >= 1 ? `${Number(days.toFixed(1))} d` : `${Number((retention.ms / 60_000).toFixed(1))} min`;
}

test('each table has its line in the page about storage, and each line there has its table', async () => {
  const page = readFileSync(new URL('../../docs/operations/storage.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## What grows');
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  const tables = await database.sql<{ name: StoredName }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where c.relkind in ('r', 'p') and not c.relispartition`;
  const wanted = tables.map(({ name }) => {
    const { with: grows, rowBytes }: Partial<Growth> = TABLES[name] ?? {};
    return `| \`${name}\` | ${grows} | ${keptFor(name)} | ${rowBytes ?? ''} |`;
  });
  expect(lines.sort()).toEqual(wanted.sort());
});

/**
 * Where the schema breaks what Citus asks of tables that are spread: a community's rows name it, in every unique key and in every
 * reference to rows of their kind, nothing refers to rows of one database alone, and no trigger writes from a community's rows to others or from others to them.
 * https://docs.citusdata.com/en/stable/sharding/data_modeling.html
 */
async function broken(sql: Sql): Promise<string[]> {
  const spreads = Object.entries(TABLES).map(([name, { spread }]) => ({ name, spread }));
  const rows = await sql<{ rule: string }[]>`
    with spread as (
      select s.name, s.spread, c.oid from jsonb_to_recordset(${sql.json(spreads)}) as s (name text, spread text)
      join pg_class c on c.relname = s.name and c.relnamespace = 'public'::regnamespace
    ), ours as (
      select s.name, s.oid, a.attnum, coalesce(a.attnotnull, false) as is_certain
      from spread s left join pg_attribute a on a.attrelid = s.oid and a.attname = 'community_id' and not a.attisdropped
      where s.spread = 'community'
    ), written as (
      select t.tgrelid, t.tgname, f.called
      from pg_trigger t cross join lateral (
        with recursive calls (oid, body) as (
          select oid, prosrc from pg_proc where oid = t.tgfoid
          union select p.oid, p.prosrc from calls c join pg_proc p
            on p.pronamespace = 'public'::regnamespace and c.body ~ ('\\m' || p.proname || '\\(')
        ) select (regexp_matches(body, '\\m(?:insert into|update|delete from) (\\w+)', 'g'))[1] as called from calls) f
      where not t.tgisinternal
    )
    select name || ': no community_id' as rule from ours where not is_certain
    union all
    select o.name || ': key ' || i.indexrelid::regclass from ours o join pg_index i on i.indrelid = o.oid
    where i.indisunique and is_certain and not o.attnum = any(i.indkey)
    union all
    select k.conrelid::regclass || ': reference ' || k.conname
    from pg_constraint k join spread f on f.oid = k.conrelid join spread t on t.oid = k.confrelid
    where k.contype = 'f' and not case f.spread
      when 'community' then t.spread = 'reference' or t.spread = 'community' and exists (
        select from unnest(k.conkey, k.confkey) as pair (here, there)
        join ours a on a.oid = k.conrelid and a.attnum = here join ours b on b.oid = k.confrelid and b.attnum = there)
      when 'reference' then t.spread = 'reference'
      else t.spread <> 'community' end
    union all
    select distinct f.name || ': trigger ' || w.tgname || ' writes ' || w.called
    from spread f join written w on w.tgrelid = f.oid join spread t on t.name = w.called
    where (f.spread = 'community') <> (t.spread = 'community')
    order by 1`;
  return rows.map(({ rule }) => rule);
}

test('the schema can be spread by community, but for what is named with its reason', async () => {
  expect(await broken(database.sql)).toEqual(Object.values(NOT_SPREAD).flat().sort());
});

/** Indexes whose columns another one of the same rows begins with: it serves whatever they do. */
async function needless(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    with one as (
      select i.indrelid, c.relname as name, c.relam, i.indisunique, pg_get_expr(i.indpred, i.indrelid) as rows, array(
        select pg_get_indexdef(i.indexrelid, at, true) || i.indclass[at - 1] || i.indcollation[at - 1]
        from generate_series(1, i.indnkeyatts) at) as keys
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = 'public'::regnamespace and not c.relispartition
    )
    select a.name from one a join one b on b.indrelid = a.indrelid and b.relam = a.relam and b.name <> a.name
      and b.rows is not distinct from a.rows and b.keys[:cardinality(a.keys)] = a.keys
    where not a.indisunique order by 1`;
  return rows.map(({ name }) => name);
}

test('no index is the beginning of another one', async () => {
  expect(await needless(database.sql)).toEqual([]);
  await database.sql`create index planted on claims (community_id, submitted_at desc)`;
  expect(await needless(database.sql)).toEqual(['planted']);
  await database.sql`drop index planted`;
});

test.each([
  ['key planted', 'create unique index planted on tasks (title)'],
  ['reference planted', 'alter table seasons add planted uuid constraint planted references images'],
  [
    'trigger planted writes users',
    `
    create function planted() returns trigger language plpgsql as $$ begin update users set locale = 'en'; return null; end $$;
    create trigger planted after insert on badges for each row execute function planted();
    create trigger planted after insert on claims for each row execute function planted()`,
  ],
  ['no community_id', 'alter table referrals drop community_id'],
])('finds what breaks it: %s', async (rule, statement) => {
  const undone = new Error('undone');
  const known = await broken(database.sql);
  let found: string[] = [];
  const played = database.sql.begin(async (tx) => {
    await tx.unsafe(statement);
    found = (await broken(tx as unknown as Sql)).filter((one) => !known.includes(one));
    throw undone;
  });
  await expect(played).rejects.toBe(undone);
  expect(found).toEqual([expect.stringMatching(new RegExp(`: ${rule}$`))]);
});
