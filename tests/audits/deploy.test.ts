import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../support/instance.ts';
import { canPlay } from '../support/programs.ts';

const root = resolve(import.meta.dirname, '../..');
const deploy = join(root, 'server/deploy');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const MINUTES = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'muster-deploy-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const archive = join(root, 'release', `muster-${version}-linux-${process.arch}.tar.gz`);
const makeRelease = () => {
  if (existsSync(archive)) return;
  // A build inside Vitest takes the words of tests.
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  execFileSync('npm', ['run', '--silent', 'release'], { cwd: root, env });
};
const textOf = (file: string) => readFileSync(join(deploy, file), 'utf8');

test('the service is exposed to 2.0 at most, as systemd counts it, and every word of it is one of systemd’s', () => {
  if (!canPlay('systemd’s own look at the unit', 'systemd-analyze')) return;
  const unit = join(deploy, 'muster.service');
  const { status, stdout } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--threshold=20', '--no-pager', unit],
    { encoding: 'utf8' },
  );
  expect(status, stdout).toBe(0);
  // It takes an unknown word for nothing, and says so.
  const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((line) => line.includes('muster.service:'))).toEqual([]);
});

/** The names of a filter of the unit's, as this machine's systemd knows them. */
function callsOf(name: string): string[] {
  const [, ...lines] = execFileSync('systemd-analyze', ['syscall-filter', name], { encoding: 'utf8' }).split('\n');
  const names = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  return names.flatMap((one) => (one.startsWith('@') ? callsOf(one) : one));
}

test(
  'the service may do all that Node and the embedded PostgreSQL ask the system for',
  async () => {
    const unit = textOf('muster.service');
    // Node writes the code that it runs; the database listens on a socket of Unix.
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
    expect(unit).toMatch(/^RestrictAddressFamilies=.*AF_UNIX/m);
    if (!canPlay('the service’s system calls', 'strace', 'systemd-analyze')) return;
    makeRelease();
    execFileSync('tar', ['xf', archive, '-C', folder]);
    const home = join(folder, 'traced');
    mkdirSync(home);
    const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    if (account.uid) execFileSync('chown', [`${account.uid}:${account.gid}`, home]);
    const port = await freePort();
    const trace = join(home, 'trace');
    const child = spawn('strace', ['-f', '-qq', '-o', trace, process.execPath, 'start.js'], {
      ...account,
      cwd: join(folder, `muster-${version}`),
      env: {
        NODE_ENV: 'production',
        PUBLIC_ORIGIN: 'https://muster.example',
        PORT: `${port}`,
        MUSTER_HOME: home,
        PATH: process.env['PATH'],
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isReady, { timeout: 3 * MINUTES, interval: 500 }).toBe(true);
    // The tracer itself hears no signal; its first line names who it looks at.
    process.kill(Number.parseInt(readFileSync(trace, 'utf8'), 10), 'SIGTERM');
    await new Promise((done) => child.once('exit', done));
    const asked = new Set([...readFileSync(trace, 'utf8').matchAll(/^\d+ +(\w+)\(/gm)].map(([, name = '']) => name));
    const [given = '', without = ''] = [...unit.matchAll(/^SystemCallFilter=~?(.*)$/gm)].map(([, names = '']) => names);
    const [allowed, refused] = [given, without].map((names) => new Set(names.split(' ').flatMap(callsOf)));
    // The engine does without keys for its pages where it gets none, as in every container.
    const lacks = [...asked].filter((name) => name !== 'pkey_alloc' && (!allowed?.has(name) || refused?.has(name)));
    expect(lacks).toEqual([]);
    expect(asked.size).toBeGreaterThan(50);
  },
  15 * MINUTES,
);

test('the Compose file is whole by its own schema, and each service is checked, read-only and kept from more rights', () => {
  expect(textOf('compose.yaml')).toContain(`muster:${version}}`);
  if (!canPlay('the Compose file', 'docker-compose')) return;
  cpSync(join(deploy, 'compose.yaml'), join(folder, 'compose.yaml'));
  writeFileSync(join(folder, '.env'), 'PUBLIC_HOST=muster.example\nTELEGRAM_CLIENT_ID=1\n');
  const whole = execFileSync('docker-compose', ['config'], { cwd: folder, encoding: 'utf8' });
  const services = whole.split(/^ {2}(?=\w+:$)/m).filter((part) => part.includes('image:'));
  expect(services.map((part) => part.split(':')[0])).toEqual(['app', 'database', 'proxy']);
  for (const service of services) {
    expect(service).toContain('read_only: true');
    expect(service).toContain('no-new-privileges:true');
  }
  expect(whole.match(/condition: service_healthy/g)).toHaveLength(2);
  // A secret is a file: no value of one stands in the configuration.
  expect(whole).not.toMatch(/(TOKEN|SECRET|PASSWORD|DATABASE_URL): /);
});

/** Of glibc, beside what Node links: what the database's programs do. */
const GLIBC = ['rt', 'dl', 'm', 'pthread', 'resolv', 'util'];

/** A base as small as one can be: glibc, this machine's Node, and the shell that initdb asks for. */
function makeBase(): string {
  const base = join(folder, 'base');
  for (const one of ['bin', 'usr/bin', 'etc', 'proc', 'dev', 'tmp']) mkdirSync(join(base, one), { recursive: true });
  const libraries = [process.execPath, '/bin/sh'].flatMap((program) =>
    [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(/g)].map(([, path = '']) => path),
  );
  const libc = libraries.find((path) => path.endsWith('/libc.so.6')) ?? '';
  const beside = readdirSync(dirname(libc)).filter((name) => GLIBC.some((one) => name.startsWith(`lib${one}.so.`)));
  for (const path of new Set([...libraries, ...beside.map((name) => join(dirname(libc), name))]))
    execFileSync('cp', ['--dereference', '--parents', path, base]);
  execFileSync('cp', ['--dereference', process.execPath, join(base, 'usr/bin/node')]);
  execFileSync('cp', ['--dereference', '/bin/sh', join(base, 'bin/sh')]);
  writeFileSync(join(base, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/:/bin/sh\n');
  writeFileSync(join(base, 'Containerfile'), 'FROM scratch\nCOPY . /\n');
  return base;
}

/** What a container engine does with an image, as far as a machine without one can: a root that nobody writes, a volume, a tmpfs. */
const CONTAINER = `
mount --bind "$ROOT" "$ROOT" && mount -o remount,ro,bind "$ROOT"
mount --bind "$HOME_OF_IT" "$ROOT/var/lib/muster" && mount -t tmpfs none "$ROOT/tmp" && chmod 1777 "$ROOT/tmp"
mount -t proc none "$ROOT/proc" && mount --rbind /dev "$ROOT/dev"
exec chroot --userspec=1000:1000 "$ROOT" /usr/bin/node "$@"
`;

test(
  'the image runs as nobody’s root on a root that it cannot write, is healthy by its own check, and stops in order',
  async () => {
    const needed = ['buildah', 'unshare', 'chroot', 'ldd', 'sh'];
    if (!canPlay('the image: built, started, asked for its health', ...needed)) return;
    if (!existsSync(join(root, 'release', `muster-${version}-linux-${process.arch}.tar.gz`)))
      execFileSync('npm', ['run', '--silent', 'release'], { cwd: root });
    const store = ['--storage-driver=vfs', `--root=${join(folder, 'store')}`, `--runroot=${join(folder, 'run')}`];
    const buildah = (...args: string[]) =>
      execFileSync('buildah', [...store, ...args], {
        encoding: 'utf8',
        cwd: join(root, 'release'),
        stdio: 'pipe',
      }).trim();
    buildah('build', '--tag=base', makeBase());
    const given = ['BASE=localhost/base', `VERSION=${version}`, `CPU=${process.arch}`].map(
      (one) => `--build-arg=${one}`,
    );
    buildah('build', '--format=docker', ...given, '--tag=muster', `--file=${join(deploy, 'Containerfile')}`, '.');
    type Image = {
      Docker: { config: { User: string; Env: string[]; WorkingDir: string; Healthcheck: { Test: string[] } } };
    };
    const { config } = (JSON.parse(buildah('inspect', '--type=image', 'muster')) as Image).Docker;
    expect(config).toMatchObject({ User: '1000:1000', Entrypoint: ['node'], Cmd: ['start.js'], StopSignal: 'SIGTERM' });
    expect(config).toMatchObject({ Labels: { 'org.opencontainers.image.version': version } });

    const mounted = buildah('mount', buildah('from', '--name=one', 'muster'));
    const home = join(folder, 'home');
    execFileSync('cp', ['--archive', join(mounted, 'var/lib/muster'), home]);
    const port = await freePort();
    const inside = { PORT: `${port}`, PUBLIC_ORIGIN: 'https://muster.example', PATH: '/usr/bin' };
    const env = { ...Object.fromEntries(config.Env.map((one) => one.split('=', 2))), ...inside };
    const run = (...args: string[]): ChildProcess =>
      spawn('/usr/bin/unshare', ['--mount', '/bin/sh', '-ec', CONTAINER, 'sh', ...args], {
        env: { ...env, ROOT: mounted, HOME_OF_IT: home, PATH: process.env['PATH'] },
        stdio: 'inherit',
      });
    const endOf = (child: ChildProcess) => new Promise<number | null>((done) => child.once('exit', done));
    const app = run(`${config.WorkingDir}/start.js`);
    const ended = endOf(app);
    const [, , ...check] = config.Healthcheck.Test;
    try {
      await expect.poll(() => endOf(run(...check)), { timeout: 2 * MINUTES, interval: 1_000 }).toBe(0);
      const write = `try { fs.writeFileSync('${config.WorkingDir}/x', ''); } catch ({ code }) { process.exit(code === 'EROFS' ? 0 : 1); } process.exit(2)`;
      expect(await endOf(run('-e', write))).toBe(0);
    } finally {
      app.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
  },
  15 * MINUTES,
);
