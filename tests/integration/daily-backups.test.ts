import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkBackups } from '../../server/features/admin/check-storage.ts';
import { backUpDaily, copyErasures } from '../../server/features/backups/run.ts';
import { startJobs } from '../../server/jobs.ts';
import { noteErasures } from '../../server/storage/erasure-list.ts';
import { stage } from '../support/engagement.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { startS3 } from '../support/s3-server.ts';
import { testServer } from '../support/server.ts';
import { until } from '../support/storage-processes.ts';

const folder = folderOfFile();
const dir = join(folder, 'kept');
const storage = await ofFile(startS3());
const env = {
  MUSTER_HOME: join(folder, 'home'),
  BACKUP_DIR: dir,
  BACKUP_AT: '03:00',
  BACKUP_KEEP: '2d',
  ...storage.env,
};
const server = await ofFile(testServer({ sandbox: false, env }));
const { sql } = server;
const on = stage(sql);
await on.member((await on.community()).id, 'Ada');
const local = (text: string) => new Date(`2026-11-${text}`);
await sql`update users set created_at = ${local('20T12:00')}`;

let clock = local('28T02:59');
const runtime = { ...server.runtime, now: () => clock };
const night = () => backUpDaily(runtime, new AbortController().signal);
const files = () => (existsSync(dir) ? readdirSync(dir).sort() : []);
const nameAt = (text: string) =>
  `muster-${local(text)
    .toISOString()
    .replace(/[-:]|\.\d{3}/g, '')}.mbk`;

beforeEach(async () => {
  clock = local('28T02:59');
  // A trial was made a moment ago: what one finds is the subject of others.
  await sql`insert into backups (at, rows, tried_at) values (${local('27T02:00')}, 1, ${clock})`;
});
afterEach(async () => {
  rmSync(dir, { recursive: true, force: true });
  storage.objects.clear();
  storage.failing.splice(0);
  await sql`delete from backups`;
});

test('once a day, as soon after its hour as a process runs, a backup is in the folder and in the bucket', async () => {
  clock = local('28T03:05');
  await night();
  const name = nameAt('28T03:05');
  expect(files()).toEqual([name, `${name}.erasures`]);
  expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  expect([...storage.objects.keys()]).toEqual([
    `backups/${name}`,
    expect.stringMatching(/^backups\/muster\.\w{12}\.erasures$/),
  ]);
  expect(storage.objects.get(`backups/${name}`)?.equals(readFileSync(join(dir, name)))).toBe(true);
  expect(await checkBackups(runtime)).toMatchObject({
    state: 'fine',
    facts: {
      goodAt: clock.toISOString(),
      bytes: statSync(join(dir, name)).size,
      nextAt: local('29T03:00').toISOString(),
    },
  });
  clock = local('29T02:59');
  await night();
  expect(files()).toHaveLength(2);
});

test('what the rule no longer keeps goes from both places, and nothing else does', async () => {
  mkdirSync(dir);
  writeFileSync(join(dir, 'muster-by-hand.mbk'), 'mine');
  for (const day of ['26', '27', '28']) {
    clock = local(`${day}T03:00`);
    await night();
  }
  const kept = [nameAt('27T03:00'), nameAt('28T03:00')];
  expect(files().filter((name) => !name.endsWith('.erasures'))).toEqual([...kept, 'muster-by-hand.mbk']);
  expect(files()).not.toContain(`${nameAt('26T03:00')}.erasures`);
  const stored = [...storage.objects.keys()].filter((key) => key.endsWith('.mbk'));
  expect(stored).toEqual(kept.map((name) => `backups/${name}`));
});

test('what a killed process left is no backup, and goes with the next one', async () => {
  mkdirSync(dir);
  const half = `${nameAt('27T03:00')}.0123456789ab.part`;
  writeFileSync(join(dir, half), 'half');
  clock = local('28T03:00');
  await night();
  expect(files()).toEqual([nameAt('28T03:00'), `${nameAt('28T03:00')}.erasures`]);
});

test('a backup that fails says why, and is tried again after an hour', async () => {
  storage.failing.push('PUT backups/muster-');
  clock = local('28T03:00');
  await night();
  expect(await checkBackups(runtime)).toMatchObject({
    state: 'failed',
    facts: { failure: expect.stringContaining('QuotaExceeded') },
  });
  storage.failing.splice(0);
  clock = local('28T03:30');
  await night();
  expect((await checkBackups(runtime)).state).toBe('failed');
  clock = local('28T04:01');
  await night();
  expect((await checkBackups(runtime)).state).toBe('fine');
});

test('a process that ends gives up in between, leaves nothing, and that is no failure', async () => {
  clock = local('28T03:00');
  const stopping = new AbortController();
  stopping.abort();
  await backUpDaily(runtime, stopping.signal);
  expect(files()).toEqual([]);
  expect(await sql`select from backups where error is not null`).toHaveLength(0);
});

test('of two processes one makes it', async () => {
  clock = local('28T03:00');
  const job = { name: 'backups', everyMs: 20, run: backUpDaily };
  const jobs = [startJobs(runtime, [job]), startJobs(runtime, [job])];
  await until('there is one', async () => (await sql`select from backups where file is not null`).length > 0);
  await Promise.all(jobs.map((one) => one.stop()));
  expect(files()).toEqual([nameAt('28T03:00'), `${nameAt('28T03:00')}.erasures`]);
  expect(await sql`select from backups where file is not null`).toHaveLength(1);
});

test('an erasure is in the bucket within seconds, and is sent once', async () => {
  await noteErasures(sql, env.MUSTER_HOME);
  await copyErasures(server.runtime);
  const sent = storage.seen.length;
  await copyErasures(server.runtime);
  expect(storage.seen).toHaveLength(sent);
  await sql`update users set erased_at = now()`;
  await noteErasures(sql, env.MUSTER_HOME);
  await copyErasures(server.runtime);
  const [list] = [...storage.objects].filter(([key]) => key.endsWith('.erasures'));
  expect(list?.[1].toString()).toContain('"erased"');
  await sql`update users set erased_at = null`;
});
