/** Encrypted backups and Debian's own `age`: each opens what the other wrote. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { encrypted, opened } from '../../server/storage/age.ts';
import { folderOfFile } from '../support/of-file.ts';

const folder = folderOfFile();
const at = (name: string) => join(folder, name);
const bytesOf = async (chunks: AsyncIterable<Buffer>) => Buffer.concat(await Readable.from(chunks).toArray());

test('age opens what the product encrypted, and the product what age encrypted', async () => {
  // A machine without it cannot say that they understand each other.
  expect(existsSync('/usr/bin/age'), 'apt-get install age').toBe(true);
  execFileSync('age-keygen', ['-o', at('identity')], { stdio: 'ignore' });
  const recipient = /public key: (age1\w+)/.exec(readFileSync(at('identity'), 'utf8'))?.[1] ?? '';
  const plain = randomBytes(300_000);
  writeFileSync(at('ours'), await bytesOf(encrypted(Readable.from([plain]), recipient)));
  expect(execFileSync('age', ['--decrypt', '-i', at('identity'), at('ours')]).equals(plain)).toBe(true);
  const theirs = execFileSync('age', ['--encrypt', '-r', recipient], { input: plain });
  expect((await bytesOf(opened(Readable.from([theirs]), at('identity')))).equals(plain)).toBe(true);
});
