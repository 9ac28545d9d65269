import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'vite';
import { LOGS } from './cases.ts';
import type { Device, Engine } from './engines.ts';
import { type FaultProxy, noFault, startProxy } from './proxy.ts';
import { holds, type Tab } from './tab.ts';
import type { Row } from './table.ts';
import { STORED_WITHIN_MS, until } from './truth.ts';

/** Another product's way of delivering entries, on a page and an intake of our own. */
export type Peer = {
  name: string;
  proxy: FaultProxy;
  hasWorker: boolean;
  /** How often each entry arrived. */
  arrived: Map<string, number>;
  close(): void;
};

const PAGE = '<!doctype html><meta charset="utf-8"><title>Peer</title><script type="module" src="/page.js"></script>';

async function bundle(folder: string, entries: Record<string, string>): Promise<string> {
  const outDir = join(folder, 'peers');
  for (const [name, entry] of Object.entries(entries))
    await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir,
        emptyOutDir: false,
        target: 'es2022',
        lib: { entry: resolve(import.meta.dirname, 'peers', entry), formats: ['es'], fileName: () => name },
      },
    });
  return outDir;
}

/** Names of the entries in a request: an envelope of Sentry's, or one entry of ours. */
function namesIn(path: string, body: string): string[] {
  if (path === '/intake') return [(JSON.parse(body) as { name: string }).name];
  return body.split('\n').flatMap((line) => {
    const item = line.startsWith('{"exception"') || line.includes('"exception":') ? JSON.parse(line) : {};
    return ((item as { exception?: { values: { value: string }[] } }).exception?.values ?? []).map(
      ({ value }) => value,
    );
  });
}

async function startPeer(name: string, folder: string, files: { page: string; worker?: string }): Promise<Peer> {
  const arrived = new Map<string, number>();
  const server = createServer(async (req, res) => {
    const path = new URL(req.url ?? '/', 'http://peer').pathname;
    if (req.method === 'POST') {
      let body = '';
      for await (const chunk of req.setEncoding('utf8')) body += chunk;
      for (const entry of namesIn(path, body)) arrived.set(entry, (arrived.get(entry) ?? 0) + 1);
      return void res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }
    const file = { '/page.js': files.page, '/worker.js': files.worker }[path];
    if (file)
      return void res.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(folder, file)));
    res.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const proxy = await startProxy(0, (server.address() as AddressInfo).port);
  return {
    name,
    proxy,
    hasWorker: files.worker !== undefined,
    arrived,
    close() {
      proxy.close();
      server.close();
    },
  };
}

export async function startPeers(folder: string): Promise<Peer[]> {
  const at = await bundle(folder, {
    'sentry-page.js': 'sentry-page.ts',
    'workbox-page.js': 'workbox-page.ts',
    'workbox-worker.js': 'workbox-worker.ts',
  });
  return [
    await startPeer('@sentry/browser', at, { page: 'sentry-page.js' }),
    await startPeer('workbox-background-sync', at, { page: 'workbox-page.js', worker: 'workbox-worker.js' }),
  ];
}

type Play = (scene: { engine: Engine; device: Device; peer: Peer; names: string[] }) => Promise<number>;

async function openPeer({ device, peer }: { device: Device; peer: Peer }): Promise<Tab> {
  const page = await device.open(`http://localhost:${peer.proxy.port}/`);
  await holds(page, () => 'raise' in globalThis, null);
  if (peer.hasWorker) await holds(page, () => navigator.serviceWorker.controller !== null, null);
  return page;
}
const raise = (page: Tab, names: string[]) =>
  page.evaluate((given) => (globalThis as unknown as { raise(names: string[]): Promise<void> }).raise(given), names);
/** Without a network, and the browser knows it: Workbox's sync would else fail at once and come again in five minutes. */
async function offline({ engine, device }: { engine: Engine; device: Device }): Promise<void> {
  await engine.cut(device);
  await sleep(2_500);
}
const now = () => performance.now();
const isWrite = (method: string) => method === 'POST';

/** The nine faults that say something about entries alone; each answers when the network was whole again. */
export const PLAYS: Record<string, Play> = {
  'offline, then online': async (scene) => {
    const page = await openPeer(scene);
    await offline(scene);
    await raise(page, scene.names);
    await sleep(500);
    await scene.engine.mend(scene.device);
    return now();
  },
  'page closed while offline': async (scene) => {
    const { engine, device, names } = scene;
    const page = await openPeer(scene);
    await offline(scene);
    await raise(page, names);
    await sleep(500);
    await device.tab('about:blank');
    await page.close();
    await sleep(3_000);
    await engine.mend(device);
    if (!engine.hasBackgroundSync || !scene.peer.hasWorker) await openPeer(scene);
    return now();
  },
  'browser killed after the last write': async (scene) => {
    const { engine, device, names } = scene;
    const page = await openPeer(scene);
    await offline(scene);
    await raise(page, names);
    await device.kill();
    await engine.mend(device);
    await device.start();
    await openPeer(scene);
    return now();
  },
  '503 for 10 s': async (scene) => {
    const page = await openPeer(scene);
    scene.peer.proxy.rule = (method) => (isWrite(method) ? { answer: 503 } : null);
    await raise(page, scene.names);
    await sleep(10_000);
    scene.peer.proxy.rule = noFault;
    return now();
  },
  '429, Retry-After 5': async (scene) => {
    const page = await openPeer(scene);
    const end = now() + 5_000;
    scene.peer.proxy.rule = (method) =>
      isWrite(method) && now() < end
        ? { answer: 429, headers: { 'retry-after': String(Math.ceil((end - now()) / 1000)) } }
        : null;
    await raise(page, scene.names);
    await sleep(end - now());
    scene.peer.proxy.rule = noFault;
    return now();
  },
  'cut after commit': async (scene) => {
    const page = await openPeer(scene);
    scene.peer.proxy.rule = (method) => (isWrite(method) ? { cutAfterCommit: () => undefined } : null);
    await raise(page, scene.names);
    await sleep(3_000);
    scene.peer.proxy.rule = noFault;
    return now();
  },
  'flapping link, 700 ms': async (scene) => {
    const { engine, device, names } = scene;
    const page = await openPeer(scene);
    for (let part = 0; part < 6; part += 1) {
      await engine.cut(device);
      if (part < 4) await raise(page, names.slice((part * LOGS) / 4, ((part + 1) * LOGS) / 4));
      await sleep(700);
      await engine.mend(device);
      await sleep(700);
    }
    return now();
  },
  'two tabs': async (scene) => {
    const { engine, device, names } = scene;
    const first = await openPeer(scene);
    const second = await openPeer(scene);
    await offline(scene);
    await raise(first, names.slice(0, LOGS / 2));
    await raise(second, names.slice(LOGS / 2));
    await sleep(500);
    await engine.mend(device);
    return now();
  },
  'server killed between commit and answer': async (scene) => {
    const page = await openPeer(scene);
    let writes = 0;
    scene.peer.proxy.rule = (method) => {
      if (!isWrite(method)) return null;
      writes += 1;
      return writes === 4 ? { cutAfterCommit: () => scene.peer.proxy.cut() } : null;
    };
    await raise(page, scene.names);
    await sleep(1_000);
    scene.peer.proxy.rule = noFault;
    scene.peer.proxy.mend();
    return now();
  },
};

let cases = 0;

/** Plays the nine faults with one peer. A page opened again, and one entry more, are its last chances. */
export async function runPeer(
  peer: Peer,
  engine: Engine,
  wanted: (name: string) => boolean,
  tell: (row: Row) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, play] of Object.entries(PLAYS)) {
    if (!wanted(name)) continue;
    cases += 1;
    const names = Array.from({ length: LOGS }, (_, at) => `peer${cases}-${String(at).padStart(2, '0')}`);
    const device = await engine.newDevice();
    const base = { engine: engine.name, subject: peer.name, name, dropped: 0, foreign: 0, first: null };
    const stored = () => names.filter((entry) => peer.arrived.has(entry)).length;
    const isAll = async () => stored() === LOGS;
    try {
      const back = await play({ engine, device, peer, names });
      const drained = await until(isAll, STORED_WITHIN_MS);
      const seconds = drained ? (performance.now() - back) / 1000 : null;
      if (!drained) {
        await raise(await openPeer({ device, peer }), [`peer${cases}-again`]);
        await until(isAll, 10_000);
      }
      await sleep(1_500);
      const twice = names.reduce((sum, entry) => sum + Math.max(0, (peer.arrived.get(entry) ?? 0) - 1), 0);
      rows.push({ ...base, raised: LOGS, stored: stored(), lost: LOGS - stored(), twice, seconds });
    } catch (error) {
      const trouble = error instanceof Error ? error.message : String(error);
      rows.push({ ...base, raised: LOGS, stored: 0, lost: 0, twice: 0, seconds: null, trouble });
    } finally {
      const last = rows.at(-1);
      if (last) tell(last);
      await device.close();
      peer.proxy.rule = noFault;
      peer.proxy.mend();
      await engine.mend(device).catch(() => undefined);
    }
  }
  return rows;
}
