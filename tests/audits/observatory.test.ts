import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp, request, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { certificate } from '../support/certificate.mjs';
import { type Instance, startInstance } from '../support/instance.ts';

/** Fetched for this test alone: it brings a server and a database client that nothing else here needs. */
const PACKAGE = '@mdn/mdn-http-observatory';
const VERSION = '1.4.8';
const tools = resolve(import.meta.dirname, '../.artifacts/observatory');

type Verdict = { grade: string; score: number; rows: { test: string; result: string | null; pass: boolean }[] };

/** The folder of the fetched package. */
function fetchObservatory(): string {
  const home = join(tools, 'node_modules', PACKAGE);
  if (!existsSync(home)) {
    mkdirSync(tools, { recursive: true });
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const quiet = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync(npm, ['install', ...quiet, '--prefix', tools, `${PACKAGE}@${VERSION}`], { stdio: 'inherit' });
  }
  return home;
}

const listen = (server: Server) =>
  new Promise<number>((done, fail) => {
    server.once('error', fail);
    server.listen(0, 'localhost', () => done((server.address() as AddressInfo).port));
  });

const folder = mkdtempSync(join(tmpdir(), 'muster-tls-'));
const tls = certificate('localhost');
const trusted = join(folder, 'cert.pem');
writeFileSync(trusted, tls.cert);
let home: string;
let instance: Instance;
let ports: string[];
const proxies: Server[] = [];

beforeAll(async () => {
  home = fetchObservatory();
  // In front of the server stands what an operator would put there: TLS, and a redirect from plain HTTP to it.
  const secure = createHttps(tls, (req, res) => {
    const upstream = request(`${instance.url}${req.url}`, { method: req.method, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(res);
    });
    upstream.once('error', () => res.destroy());
    req.pipe(upstream);
  });
  const origin = `https://localhost:${await listen(secure)}`;
  const plain = createHttp((req, res) => {
    res.writeHead(301, { location: `${origin}${req.url}` }).end();
  });
  proxies.push(secure, plain);
  ports = [String(await listen(plain)), new URL(origin).port];
  instance = await startInstance({ PUBLIC_ORIGIN: origin });
});
afterAll(async () => {
  for (const proxy of proxies) {
    proxy.close();
    proxy.closeAllConnections();
  }
  await instance?.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('HTTP Observatory grades A+, 120 or more', async () => {
  const script = resolve(import.meta.dirname, '../support/observatory.mjs');
  // The certificate is trusted by the scanner's process alone; it counts one that is not against the site.
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted };
  const { stdout } = await promisify(execFile)(process.execPath, [script, home, ...ports], { env });
  const { grade, score, rows } = JSON.parse(stdout) as Verdict;
  expect(rows.filter(({ pass }) => !pass)).toEqual([]);
  expect(grade, stdout).toBe('A+');
  expect(score, stdout).toBeGreaterThanOrEqual(120);
});
