import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, expect, test } from 'vitest';
import { backUpDaily, copyErasures } from '../../server/features/backups/run.ts';
import { eraseDue } from '../../server/features/person/erase.ts';
import { scheduleErasure } from '../../server/features/person/erasure.ts';
import { storedSecrets } from '../../server/storage/secrets.ts';
import { buildServer } from '../support/built-server.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { stage } from '../support/engagement.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { startS3 } from '../support/s3-server.ts';
import { testServer } from '../support/server.ts';
import { startProcess } from '../support/storage-processes.ts';

const DAY_MS = 86_400_000;
const folder = folderOfFile();
const home = join(folder, 'home');
const identity = join(folder, 'identity.txt');
// Folders that other tests throw away meanwhile are none of this one's, and the database's own account passes through.
const temporary = join(folder, 'temporary');
mkdirSync(temporary);
for (const one of [folder, temporary]) chmodSync(one, 0o711);
const before = process.env['TMPDIR'];
process.env['TMPDIR'] = temporary;
afterAll(() => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
});
const secret = await generateIdentity();
writeFileSync(identity, `# kept elsewhere\n${secret}\n`);
const [storage, built] = await Promise.all([
  ofFile(startS3()),
  ofFile(buildServer({ muster: 'server/cli/muster.ts' })),
]);
const env = { ...storage.env, BACKUP_AT: '03:00', BACKUP_RECIPIENT: await identityToRecipient(secret) };
const server = await ofFile(testServer({ sandbox: false, env: { ...env, MUSTER_HOME: home } }));
const fresh = await ofFile(createEmptyDatabase());
const { sql, runtime } = server;

async function muster(args: string[], given: Record<string, string> = {}) {
  const { ended, lines } = startProcess(join(built.directory, 'muster.js'), {
    env: { ...env, TMPDIR: temporary, MUSTER_HOME: join(folder, 'new'), DATABASE_URL: fresh.url, ...given },
    args,
  });
  return { code: await ended, said: lines.map((line) => line['text']).join('\n') };
}

test('of a machine that burns all up to its last night is back from the bucket, but for who was erased', async () => {
  const on = stage(sql);
  const place = await on.community();
  const [gone, stays] = [await on.member(place.id, 'Gone'), await on.member(place.id, 'Stays')];
  expect((await server.request('GET', '/api/vapid-public-key')).status).toBe(200);
  storedSecrets(home);
  await sql`update users set created_at = now() - interval '3 days'`;
  // The first backup is tried by restoring it, and encrypted after the trial.
  await backUpDaily(runtime, new AbortController().signal);
  expect(await sql`select error, tried_at is not null as tried from backups`).toEqual([{ error: null, tried: true }]);
  const kept = join(home, 'backups');
  const [name = ''] = readdirSync(kept).filter((one) => one.endsWith('.mbk.age'));
  expect(readFileSync(join(kept, name), 'latin1').startsWith('age-encryption.org/v1\n-> X25519 ')).toBe(true);
  expect(readdirSync(kept)).toEqual([name, `${name}.erasures`]);

  // What the night does not know: an erasure, a newcomer, and a claim with its points.
  const now = new Date();
  const wish = { userId: gone, by: 'operator', actorId: null, reason: null, now, leavesCommunities: true } as const;
  await sql.begin((tx) => scheduleErasure(tx, wish));
  await eraseDue({ sql, now: () => new Date(Date.now() + 8 * DAY_MS), config: { home } });
  await copyErasures(runtime);
  await on.member(place.id, 'New');
  const writing = await on.task(place, { setup: { kind: 'submit_text' }, points: 20 });
  await on.approve(place, (await on.claim(place, writing, stays, { text: 'A walk' })).id);
  const keys = await sql`select * from vapid_keys`;
  const secrets = readFileSync(join(home, 'secrets.json'), 'utf8');
  rmSync(home, { recursive: true });

  expect(await muster(['restore', 's3:'])).toMatchObject({
    code: 1,
    said: expect.stringContaining('--identity <file>'),
  });
  const done = await muster([
    'restore',
    's3:',
    '--identity',
    identity,
    '--damaged',
    server.runtime.config.databaseUrl ?? '',
  ]);
  expect(done).toMatchObject({ code: 0, said: expect.stringContaining('1 person erased again') });
  expect(done.said).toMatch(/0 h old\. Lost since then: 1 person, 1 claims, 1 decisions, 20 points\./);
  const named = (id: string) => fresh.sql`select display_name as name from users where id = ${id}`;
  expect([...(await named(gone)), ...(await named(stays))]).toEqual([{ name: 'Erased person' }, { name: 'Stays' }]);
  expect(await fresh.sql`select from users where display_name = 'New'`).toHaveLength(0);
  expect(await fresh.sql`select * from vapid_keys`).toEqual(keys);
  expect(readFileSync(join(folder, 'new', 'secrets.json'), 'utf8')).toBe(secrets);
  expect(readdirSync(temporary)).toEqual([]);
});
