import { expect, test } from 'vitest';
import { STORED, type StoredName } from '../../server/contract/stored.ts';
import { PERSON_COLUMNS } from '../../server/features/person/columns.ts';
import { jobs } from '../../server/runtime.ts';
import { createTestDatabase } from '../support/database.ts';
import { ofFile } from '../support/of-file.ts';

type Column = { table: string; name: string; type: string; isWord: boolean; refersTo: string | null };

const database = await ofFile(createTestDatabase());
const columns = await database.sql<Column[]>`
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    format_type(a.atttypid, null) in ('text', 'text[]', 'json', 'jsonb', 'bytea', 'inet') as "isWord",
    (select r.relname from pg_constraint k join pg_class r on r.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum] limit 1) as "refersTo"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'p') and not c.relispartition order by 1, a.attnum`;

const listed = (table: string): string[] => {
  const { of = [], by = [], words = [], others = [], secret = [] } = PERSON_COLUMNS[table as StoredName] ?? {};
  return [...of, ...by, ...words, ...others, ...secret];
};

test('every table of the schema is in the one table, and no other', () => {
  expect(Object.keys(STORED).sort()).toEqual([...new Set(columns.map(({ table }) => table))].sort());
});

test('every column that names a person or holds words is told apart, and each that is named is there', () => {
  const forgotten = columns.filter(({ table, name, isWord, refersTo }) => {
    // Of a table that has no person's rows words are nobody's; a person in it would still be one.
    const isPersonal = PERSON_COLUMNS[table as StoredName] !== undefined;
    const mustBeListed = refersTo === 'users' || (isPersonal && isWord);
    // A choice among a few words that the schema lists.
    const isChoice = [
      'kind',
      'state',
      'role',
      'status',
      'channel',
      'event',
      'type',
      'outcome',
      'membership',
      'recurrence',
    ].includes(name);
    return (
      mustBeListed && !isChoice && !/(_state|_outcome|visibility|method)$/.test(name) && !listed(table).includes(name)
    );
  });
  expect(forgotten.map(({ table, name }) => `${table}.${name}`)).toEqual([]);
  const there = new Set(columns.map(({ table, name }) => `${table}.${name}`));
  const named = Object.keys(PERSON_COLUMNS).flatMap((table) => listed(table).map((name) => `${table}.${name}`));
  expect(named.filter((column) => !there.has(column))).toEqual([]);
});

test('what is somebody’s has columns, and what is nobody’s has none', () => {
  for (const [table, { fate }] of Object.entries(STORED))
    expect(PERSON_COLUMNS[table as StoredName] !== undefined, table).toBe(fate !== 'nobody');
});

test('what is kept for a time is ended by a job that runs', () => {
  // Client logs keep their own house, once a minute (`client-logs/service.ts`).
  const running = new Set([...jobs.map(({ name }) => name), 'client-logs']);
  for (const [table, { retention }] of Object.entries(STORED))
    if ('job' in retention) expect(running, table).toContain(retention.job);
  expect(running).toContain('erasures');
});
