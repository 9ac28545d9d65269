import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startEmbedded } from '../../server/storage/embedded/embedded.ts';
import { openStorage } from '../../server/storage/open.ts';
import { buildServer } from '../support/built-server.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { fillHome } from '../support/made-home.ts';
import { ofFile } from '../support/of-file.ts';
import { query, type Started, serversIn, startProcess, until, visit } from '../support/storage-processes.ts';

const built = await ofFile(
  buildServer({
    main: 'server/main.ts',
    start: 'server/start.ts',
    sandbox: 'server/sandbox/main.ts',
    muster: 'server/cli/muster.ts',
  }),
);

const running: Started[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'muster-life-'));
  folders.push(path);
  return path;
}

/** The folder of an instance that was started before. */
async function madeHome(): Promise<string> {
  const home = folder();
  await fillHome(home);
  return home;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

function begin(name: 'main' | 'start', env: NodeJS.ProcessEnv): Started {
  const started = startProcess(join(built.directory, `${name}.js`), { env });
  running.push(started);
  return started;
}

const operator = (home: string, ...args: string[]) => operatorWith({ MUSTER_HOME: home }, ...args);
async function operatorWith(
  env: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ code: number | string; said: string }> {
  const { ended, lines } = startProcess(join(built.directory, 'muster.js'), { env, args });
  return { code: await ended, said: lines.map((line) => line['text'] ?? '').join('\n') };
}

/** One statement on an instance that nobody runs just now. */
async function runWith(home: string, statement: string): Promise<void> {
  const storage = await openStorage({ databaseUrl: null, home }, { info() {}, warn() {} });
  await storage.sql.unsafe(statement);
  await storage.close();
}

const isUp = (port: number) => () =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );
const isDown = (port: number) => async () => !(await isUp(port)());

describe('the app', () => {
  it('told to stop, takes nobody new in, finishes what it began, and leaves no database behind', async () => {
    const home = await madeHome();
    const port = await freePort();
    const app = begin('main', { MUSTER_HOME: home, PORT: String(port) });
    await until('the app is ready', isUp(port));

    const body = JSON.stringify({
      type: 'debug',
      data: { action: 'half sent', timestamp: '2026-11-21T12:00:00.000Z' },
    });
    const slow = connect(port, '127.0.0.1');
    let answer = '';
    slow.on('data', (chunk) => {
      answer += chunk;
    });
    slow.write(
      `POST /api/debug/client-logs HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    // A whole exchange behind it: the half-sent request is in the app's hands now.
    expect(await isUp(port)()).toBe(true);

    app.child.kill('SIGTERM');
    await until('nobody new is taken in', isDown(port));
    expect(serversIn(home)).toHaveLength(1);
    slow.write(body.slice(10));
    expect(await app.ended).toBe(0);
    expect(answer).toMatch(/^HTTP\/1\.1 2\d\d /);
    expect(serversIn(home)).toEqual([]);
  });

  it('told to stop with time for a hand-over, says that it goes, serves on, and ends at a second word', async () => {
    const home = await madeHome();
    const port = await freePort();
    const app = begin('main', { MUSTER_HOME: home, PORT: String(port), SHUTDOWN_DELAY_SECONDS: '300' });
    await until('the app is ready', isUp(port));
    app.child.kill('SIGTERM');
    await until('it says that it goes', isDown(port));
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
    expect(await (await ask('/readyz')).json()).toMatchObject({ status: 503, reason: 'SERVER_GOING' });
    expect((await ask('/livez')).status).toBe(200);
    const served = await ask('/api/communities');
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
    app.child.kill('SIGTERM');
    expect(await app.ended).toBe(0);
    const said = app.lines.flatMap(({ msg }) => (msg === 'request' ? [] : [msg]));
    expect(said.slice(-2)).toEqual([expect.stringContaining('going'), 'stopping']);
  });

  it('on a terminal ends at the first word, whatever time a hand-over has', async () => {
    const port = await freePort();
    const app = begin('main', { MUSTER_HOME: await madeHome(), PORT: String(port), SHUTDOWN_DELAY_SECONDS: '300' });
    await until('the app is ready', isUp(port));
    app.child.kill('SIGINT');
    expect(await app.ended).toBe(0);
  });

  it('says when its port is taken, with the way out, and leaves no database behind', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const home = folder();
    const app = begin('main', { MUSTER_HOME: home, PORT: String(port) });
    expect(await app.ended).toBe(1);
    expect(app.lines.map((line) => line['text']).join()).toContain(`Port ${port} is taken by another program`);
    expect(app.lines.map((line) => line['text']).join()).toMatch(/PORT=\d+ npm start/);
    expect(serversIn(home)).toEqual([]);
    taken.close();
  });

  it.each(['192.0.2.1', 'nowhere.invalid'])(
    'says that it cannot listen on HOST=%s, not that another port would do',
    async (host) => {
      const home = folder();
      const app = begin('main', { MUSTER_HOME: home, PORT: String(await freePort()), HOST: host });
      expect(await app.ended).toBe(1);
      expect(said(app)).toMatch(new RegExp(`^Nothing can listen on ${host} here .*HOST=127\\.0\\.0\\.1`, 'm'));
      expect(said(app)).not.toMatch(/PORT=\d/);
      expect(serversIn(home)).toEqual([]);
    },
  );

  it('ends with 78 and every problem of its configuration before it touches anything', async () => {
    const home = join(folder(), 'untouched');
    const app = begin('main', { MUSTER_HOME: home, PORT: 'http', LOG_LEVEL: 'loud', NODE_ENV: 'production' });
    expect(await app.ended).toBe(78);
    const said = app.lines.map((line) => line['text']).join('\n');
    for (const name of ['PORT', 'LOG_LEVEL', 'PUBLIC_ORIGIN']) expect(said).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(existsSync(home)).toBe(false);
  });
});

describe('npm start without credentials', () => {
  it('brings the sandbox and sample communities, says where everything is, and stops all of it together', async () => {
    const home = folder();
    const [port, sandbox] = [await freePort(), await freePort()];
    const started = begin('start', { MUSTER_HOME: home, PORT: String(port), SANDBOX_PORT: String(sandbox) });
    await until('the block is printed', () => said(started).includes('Ctrl-C'));
    for (const part of [`http://localhost:${port}`, `http://127.0.0.1:${sandbox}`, home, 'admin grant'])
      expect(said(started)).toContain(part);
    const directory = (await (await fetch(`http://127.0.0.1:${port}/api/communities`)).json()) as unknown[];
    expect(directory.length).toBeGreaterThanOrEqual(2);

    const [person] = await query(home, 'select telegram_user_id as id from users limit 1');
    const id = String(person?.['id']);
    expect(await operator(home, 'admin', 'grant', id)).toMatchObject({ code: 0 });
    expect(await query(home, `select role from users where telegram_user_id = ${id}`)).toEqual([{ role: 'admin' }]);
    expect(await operator(home, 'admin', 'revoke', id)).toMatchObject({ code: 0 });
    expect(await query(home, `select role from users where telegram_user_id = ${id}`)).toEqual([{ role: 'member' }]);
    expect(serversIn(home)).toHaveLength(1);

    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
    expect(serversIn(home)).toEqual([]);
    await until('the sandbox is gone', isDown(sandbox));
  });

  // Some containers have no IPv6.
  if (
    Object.values(networkInterfaces())
      .flat()
      .some((one) => one?.address === '::1')
  )
    it('does so at an IPv6 address too', async () => {
      const [port, sandbox] = [await freePort(), await freePort()];
      const env = { MUSTER_HOME: await madeHome(), HOST: '[::1]', PORT: String(port), SANDBOX_PORT: String(sandbox) };
      const started = begin('start', env);
      await until('the block is printed', () => said(started).includes('Ctrl-C'));
      expect(said(started)).not.toContain('could not be created');
      const directory = (await (await fetch(`http://[::1]:${port}/api/communities`)).json()) as unknown[];
      expect(directory.length).toBeGreaterThanOrEqual(2);
    });

  it('killed outright, its children notice and stop by themselves, also one that is about to say it is ready', async () => {
    const home = await madeHome();
    const [port, sandbox] = [await freePort(), await freePort()];
    const env = { MUSTER_HOME: home, PORT: String(port), SANDBOX_PORT: String(sandbox) };
    const started = begin('start', env);
    await until('the app is ready', isUp(port));
    started.child.kill('SIGKILL');
    await until('the app is gone', isDown(port));
    // The next start wants its port.
    await until('the sandbox is gone', isDown(sandbox));
    await until('the database is gone', () => serversIn(home).length === 0);

    const cluster = await startEmbedded({ home: join(home, 'postgres') });
    const holding = visit(home);
    await (await holding.reserve()).unsafe('begin; lock table users');
    const again = begin('start', env);
    await until('the app listens', isUp(port));
    again.child.kill('SIGKILL');
    await until('the sandbox is gone', isDown(sandbox));
    expect(await cluster.stop()).toBe(false);
    await holding.end({ timeout: 0 });
    await until('the app is gone', isDown(port));
    await until('the database is gone', () => serversIn(home).length === 0);
  });

  it('says what may have ended the app where somebody outside did', async () => {
    const home = await madeHome();
    const [port, sandbox] = [await freePort(), await freePort()];
    const started = begin('start', { MUSTER_HOME: home, PORT: String(port), SANDBOX_PORT: String(sandbox) });
    await until('the block is printed', () => said(started).includes('Ctrl-C'));
    const children = readFileSync(`/proc/${started.child.pid}/task/${started.child.pid}/children`, 'utf8').split(' ');
    const app = children.find((pid) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.js'));
    process.kill(Number(app), 'SIGKILL');
    expect(await started.ended).toBe(1);
    expect(said(started)).toMatch(/stopped from outside \(SIGKILL\): .*memory ran out.*npm start/);
    for (const pid of serversIn(home)) process.kill(pid, 'SIGINT');
    await until('the database is gone', () => serversIn(home).length === 0);
  });

  it('shows a secret of a file to nobody who reads environments, and gives none to the sandbox and the database', async () => {
    const home = await madeHome();
    const [port, sandbox] = [await freePort(), await freePort()];
    const file = join(home, 'key');
    writeFileSync(file, 'key-of-a-file\n', { mode: 0o600 });
    const started = begin('start', {
      ...{ MUSTER_HOME: home, PORT: String(port), SANDBOX_PORT: String(sandbox) },
      ...{ AI_BASE_URL: 'https://ai.example/v1', AI_API_KEY_FILE: file, AI_MODEL: 'one' },
      ...{
        PRICES_BASE_URL: 'https://prices.example/v3',
        PRICES_API_KEY: 'key-as-given',
        PRICES_APIKEY: 'misspelt',
      },
    });
    await until('the app is ready', isUp(port));
    // The log warns of the misspelt setting once.
    expect(started.lines.filter(({ setting }) => setting !== undefined)).toEqual([
      expect.objectContaining({ setting: 'PRICES_APIKEY', msg: expect.stringContaining('mean PRICES_API_KEY?') }),
    ]);
    const children = readFileSync(`/proc/${started.child.pid}/task/${started.child.pid}/children`, 'utf8').trim();
    const known = [started.child.pid, ...children.split(' '), ...serversIn(home)].map((pid) => ({
      name: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
      environment: readFileSync(`/proc/${pid}/environ`, 'utf8'),
    }));
    expect(known).toHaveLength(4);
    for (const { environment } of known) expect(environment).not.toContain('key-of-a-file');
    const others = known.filter(({ name }) => /sandbox\.js|postgres/.test(name));
    expect(others).toHaveLength(2);
    for (const { environment } of others) expect(environment).not.toContain('key-as-given');
  });

  it("ends when npm's shell was killed over its head", async () => {
    const home = await madeHome();
    const [port, sandbox] = [await freePort(), await freePort()];
    const shell = spawn('/bin/sh', ['-c', `"${process.execPath}" "${join(built.directory, 'start.js')}"; true`], {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        npm_lifecycle_event: 'start',
        MUSTER_HOME: home,
        PORT: String(port),
        SANDBOX_PORT: String(sandbox),
      },
    });
    await until('the app is ready', isUp(port));
    shell.kill('SIGTERM');
    await until('the app is gone', isDown(port));
    await until('the database is gone', () => serversIn(home).length === 0);
  });

  it.each(['PORT', 'SANDBOX_PORT'])('says when %s is taken, before it starts anything', async (name) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const home = folder();
    const env = { PORT: String(await freePort()), SANDBOX_PORT: String(await freePort()), MUSTER_HOME: home };
    const started = begin('start', { ...env, [name]: String(port) });
    expect(await started.ended).toBe(1);
    expect(said(started)).toMatch(new RegExp(`Port ${port} is taken.*${name}=\\d+ npm start`));
    expect(serversIn(home)).toEqual([]);
    taken.close();
  });
});

describe('the operator', () => {
  it('is told how to use the command, and what is missing', async () => {
    const home = folder();
    expect(await operator(home)).toMatchObject({ code: 64, said: expect.stringContaining('admin grant') });
    expect(await operator(home, 'admin', 'grant', 'ada')).toMatchObject({ code: 64 });
    const app = begin('main', { MUSTER_HOME: home, PORT: String(await freePort()) });
    await until('there is an instance', () => app.lines.some((line) => line['msg'] === 'listening'));
    app.child.kill('SIGTERM');
    await app.ended;
    expect(await operator(home, 'migrate')).toMatchObject({ code: 0, said: 'The schema is up to date.' });
    expect(await operator(home, 'admin', 'grant', '1001')).toMatchObject({
      code: 1,
      said: expect.stringContaining('Sign in once'),
    });
    expect(await operator(home, '--help')).toMatchObject({ code: 0, said: expect.stringContaining('admin grant') });
    const [file, other] = [join(home, 'muster.backup'), folder()];
    const whose = `Instance: ${home} (MUSTER_HOME), `;
    expect(await operator(home, 'backup', file)).toEqual({
      code: 1,
      said: expect.stringMatching(/^Nobody has ever signed in to this instance.*--allow-empty/),
    });
    expect((await operator(home, 'backup', file)).said).toContain(`${whose}0 people`);
    expect(existsSync(file)).toBe(false);
    expect(await operator(home, 'backup', file, '--allow-empty')).toMatchObject({ code: 0 });
    rmSync(file);
    await runWith(home, `insert into users (telegram_user_id, display_name) values (1001, 'Ada')`);
    expect(await operator(home, 'admin', 'grant', '1001')).toEqual({
      code: 0,
      said: `Ada (1001) is now an administrator.\n${whose}1 person`,
    });
    expect(await operator(home, 'backup')).toMatchObject({ code: 64, said: expect.stringContaining('Name the file') });
    expect(await operator(home, 'backup', file)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/holds \d+ rows[\s\S]*, 1 person$/),
    });
    expect(await operator(folder(), 'backup', '--verify', file)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/is whole: \d+ rows of \d+ tables, 1 person/),
    });
    expect(await operator(home, 'backup', file)).toMatchObject({
      code: 1,
      said: expect.stringContaining('there already'),
    });
    expect(await operator(other, 'restore', file)).toMatchObject({
      code: 0,
      said: expect.stringContaining('is restored'),
    });
    expect(await operator(other, 'migrate')).toMatchObject({ code: 0, said: 'The schema is up to date.' });
    expect(await operator(home, 'config', 'check')).toMatchObject({ code: 0, said: expect.stringContaining(home) });
    expect(serversIn(home)).toEqual([]);
  });
});

describe('an operator who names another folder than the service has', () => {
  it.each([
    ['admin', 'grant', '1001'],
    ['admin', 'revoke', '1001'],
    ['backup', 'FILE'],
    ['backup', 'FILE', '--allow-empty'],
    ['ledger', 'check'],
    ['vapid', 'rotate'],
    ['logs'],
    ['logs', 'regroup', '--apply'],
    ['migrate'],
  ])('is told so by %s %s %s, and nothing is made there', async (...words) => {
    const above = folder();
    const home = join(above, 'another');
    const args = words
      .filter((word) => typeof word === 'string')
      .map((word) => word.replace('FILE', join(above, 'file')));
    expect(await operator(home, ...args)).toEqual({
      code: 1,
      said: expect.stringMatching(new RegExp(`^There is no instance in ${home}, and none was made.*MUSTER_HOME=`)),
    });
    expect(readdirSync(above)).toEqual([]);
  });

  it('and an empty database is not filled, but by who migrates or restores', async () => {
    const empty = await createEmptyDatabase();
    const run = (...args: string[]) => operatorWith({ MUSTER_HOME: folder(), DATABASE_URL: empty.url }, ...args);
    for (const args of [
      ['admin', 'grant', '1001'],
      ['ledger', 'check'],
      ['backup', join(folder(), 'file')],
    ])
      expect(await run(...args)).toMatchObject({ code: 1, said: expect.stringContaining('database of DATABASE_URL') });
    expect(await empty.sql`select from pg_class where relnamespace = 'public'::regnamespace`).toHaveLength(0);
    expect(await run('migrate')).toMatchObject({ code: 0, said: expect.stringContaining('applied') });
    await empty.drop();
  });
});

const said = (started: Started) => started.lines.map((line) => line['text'] ?? '').join('\n');
