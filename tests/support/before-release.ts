import type { Sql } from 'postgres';

/** What builds before the first release wrote down as the beginning of their schema. */
export const BEFORE_RELEASE = [
  { version: 1, name: 'spine', checksum: '5c1f' },
  { version: 2, name: 'tasks_and_claims', checksum: '09ab' },
];

/** Turns an empty database into one that such a build made, with a person in it. */
export const asBeforeRelease = (sql: Sql): Promise<unknown> =>
  sql.begin(async (tx) => {
    await tx`create table schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`;
    await tx`insert into schema_migrations ${tx(BEFORE_RELEASE)}`;
    await tx`create table users (id uuid primary key default gen_random_uuid(), display_name text not null)`;
    await tx`insert into users (display_name) values ('Ada')`;
  });
