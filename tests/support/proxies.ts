import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { certificate } from './certificate.mjs';

const folder = resolve(import.meta.dirname, '../../server/deploy/proxies');

export type ProxyName = 'nginx';
type Places = { port: number; plain: number; processes: readonly [number, number] };

/** The file of the repository with this machine's places. Each of them stands there, or the test plays another file. */
function filled(file: string, places: readonly (readonly [from: string, to: string])[]): string {
  return places.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${file} has no "${from}"`);
      return text.replaceAll(from, to);
    },
    readFileSync(join(folder, file), 'utf8'),
  );
}

const upstreams = ({ processes }: Places) =>
  [
    ['127.0.0.1:3000', `127.0.0.1:${processes[0]}`],
    ['127.0.0.1:3001', `127.0.0.1:${processes[1]}`],
  ] as const;

/** Writes what the program needs into `home`, and answers how it is called. */
const PROGRAMS: Record<ProxyName, (home: string, places: Places) => string[]> = {
  nginx(home, places) {
    const site = filled('nginx.conf', [
      ...upstreams(places),
      ['listen 80;', `listen 127.0.0.1:${places.plain};`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${places.port} ssl http2;`],
      ['muster.example.org', 'localhost'],
      ['/etc/ssl/muster/fullchain.pem', join(home, 'cert.pem')],
      ['/etc/ssl/muster/privkey.pem', join(home, 'key.pem')],
    ]);
    writeFileSync(join(home, 'muster.conf'), site);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(home, name)};`,
    );
    writeFileSync(
      join(home, 'main.conf'),
      `user root; daemon off; worker_processes 1; pid ${join(home, 'pid')}; error_log stderr warn;
events { worker_connections 4096; }
http { access_log off; ${temporary.join(' ')} include ${join(home, 'muster.conf')}; }`,
    );
    return ['nginx', '-p', home, '-c', join(home, 'main.conf')];
  },
};

/** Whether Debian's package is there. */
export const isInstalled = (name: ProxyName): boolean => spawnSync('which', [name]).status === 0;

/** Plays the proxy with the file of the repository, on this machine alone. Answers what it said and how to end it. */
export async function startTlsProxy(
  name: ProxyName,
  places: Places,
): Promise<{ output(): string; stop(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), `muster-${name}-`));
  const { key, cert } = certificate('localhost');
  writeFileSync(join(home, 'key.pem'), key);
  writeFileSync(join(home, 'cert.pem'), cert);
  const [command = '', ...args] = PROGRAMS[name](home, places);
  const env = { PATH: process.env['PATH'], HOME: home };
  const child: ChildProcess = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
      output += String(text);
    });
  const ended = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(home, { recursive: true, force: true });
  };
  for (let tries = 0; !(await isOpen(places.port)); tries += 1) {
    if (child.exitCode === null && tries < 100) await new Promise((next) => setTimeout(next, 100));
    else {
      await stop();
      throw new Error(`${name} did not start:\n${output.slice(-3_000)}`);
    }
  }
  return { output: () => output, stop };
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false));
    socket.once('connect', () => socket.end());
  });
