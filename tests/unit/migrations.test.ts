import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMigrations } from '../../server/release/freeze.mjs';
import { stepsOf } from '../../server/storage/migrate.ts';

/** What a database has written down once it has had all migrations of this release. */
const applied = readMigrations(join(import.meta.dirname, '../..')).map(({ file, sha256 }) => ({
  version: Number(file.slice(0, 4)),
  name: file.slice(5, -4),
  checksum: sha256,
}));

test('a migration whose number lies before one that a database has had is refused', () => {
  expect(stepsOf(applied)).toHaveLength(applied.length);
  const late = applied.at(-2);
  const refused = { code: 'schema-changed', message: expect.stringContaining(`_${late?.name} `) };
  expect(() => stepsOf(applied.filter((one) => one !== late))).toThrow(expect.objectContaining(refused));
});
