import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stepsOf } from '../../server/storage/migrate.ts';

const folder = join(import.meta.dirname, '../../server/storage/migrations');
const checksumOf = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n'))
    .digest('hex');
/** What a database has written down once it has had all migrations of this release. */
const applied = readdirSync(folder)
  .sort()
  .map((file) => ({ version: Number(file.slice(0, 4)), name: file.slice(5, -4), checksum: checksumOf(file) }));

test('a migration whose number lies before one that a database has had is refused', () => {
  expect(stepsOf(applied)).toHaveLength(applied.length);
  const late = applied.at(-2);
  const refused = { code: 'schema-changed', message: expect.stringContaining(`_${late?.name} `) };
  expect(() => stepsOf(applied.filter((one) => one !== late))).toThrow(expect.objectContaining(refused));
});
