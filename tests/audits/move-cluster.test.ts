import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTo } from '../../server/storage/connect.ts';
import { startEmbedded } from '../../server/storage/embedded/embedded.ts';
import { migrate } from '../../server/storage/migrate.ts';
import { buildServer } from '../support/built-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-move-'));
// Started by root, the database runs as another user.
chmodSync(folder, 0o755);
const home = join(folder, 'home');
const cluster = join(home, 'postgres');
const version = join(cluster, 'db/PG_VERSION');
let built: Awaited<ReturnType<typeof buildServer>>;

/** What people did, as the database tells it; `act` is done first. */
async function names(act = ''): Promise<string[]> {
  const server = await startEmbedded({ home: cluster });
  const sql = connectTo(server.url());
  await migrate(sql);
  if (act) await sql.unsafe(act);
  const rows = await sql<{ name: string }[]>`select display_name as name from users`;
  await sql.end();
  await server.stop();
  return rows.map(({ name }) => name);
}

/**
 * Another PostgreSQL's data differs, for a server, by its version: this one's are written down as the one before. The release
 * of that time is this one, for which they are its own again.
 */
function makeOlder(): string {
  const release = join(folder, 'older');
  mkdirSync(release, { recursive: true });
  writeFileSync(version, '17\n');
  const program = `import { writeFileSync } from 'node:fs';
    writeFileSync(${JSON.stringify(version)}, '18\\n');
    process.on('exit', () => writeFileSync(${JSON.stringify(version)}, '17\\n'));
    await import(${JSON.stringify(join(built.directory, 'muster.js'))});`;
  writeFileSync(join(release, 'package.json'), '{"type":"module"}');
  writeFileSync(join(release, 'muster.js'), program);
  return release;
}

function muster(...args: string[]) {
  const env = { ...process.env, MUSTER_HOME: home };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(built.directory, 'muster.js'), ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

beforeAll(async () => {
  built = await buildServer({ muster: 'server/cli/muster.ts' });
  await names("insert into users (telegram_user_id, display_name) values (1, 'Ada')");
});
afterAll(() => {
  built?.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('data of another PostgreSQL are refused in words that name the way out, and stay as they are', () => {
  makeOlder();
  const refused = muster('board', 'list');
  expect(refused).toEqual({
    status: 1,
    said: expect.stringMatching(/made by PostgreSQL 17 .*upgrade postgres --from /),
  });
  const broken = muster('upgrade', 'postgres', '--from', folder);
  expect(broken).toEqual({ status: 1, said: expect.stringContaining('it has no muster.js') });
  expect(readFileSync(version, 'utf8')).toBe('17\n');
  expect(existsSync(join(home, 'postgres-next'))).toBe(false);
});

test('a release that cannot write a backup moves nothing', () => {
  const release = makeOlder();
  writeFileSync(join(release, 'muster.js'), 'console.error("no room"); process.exit(1);');
  const failed = muster('upgrade', 'postgres', '--from', release);
  expect(failed).toEqual({ status: 1, said: expect.stringContaining('wrote no backup: no room') });
  expect([readFileSync(version, 'utf8'), readdirSync(cluster).filter((name) => name.startsWith('db-'))]).toEqual([
    '17\n',
    [],
  ]);
});

test('one command moves them by the release that made them, everyone is there, and the old data stay', async () => {
  const moved = muster('upgrade', 'postgres', '--from', makeOlder());
  expect(moved).toEqual({
    status: 0,
    said: expect.stringMatching(/is moved: \d+ rows of \d+ tables, 1 person.*rm -r .*db-17/s),
  });
  expect(readFileSync(join(cluster, 'db-17/PG_VERSION'), 'utf8')).toBe('17\n');
  expect(existsSync(join(home, 'postgres-next'))).toBe(false);
  expect(await names()).toEqual(['Ada']);
  expect(muster('upgrade', 'postgres', '--from', folder)).toEqual({
    status: 0,
    said: expect.stringContaining('already'),
  });
});

test('cut off between the two renames, a start makes no empty instance but says how to go on', async () => {
  const aside = join(folder, 'aside');
  spawnSync('mv', [join(cluster, 'db'), aside]);
  expect(muster('migrate').status).toBe(1);
  await expect(names()).rejects.toMatchObject({
    code: 'version',
    message: expect.stringContaining('Rename db-17 to db'),
  });
  spawnSync('mv', [aside, join(cluster, 'db')]);
  expect(await names()).toEqual(['Ada']);
});
