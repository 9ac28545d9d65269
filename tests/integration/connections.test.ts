import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { proxiesOf } from '../../server/connections.ts';
import { type Listening, listen } from '../../server/listen.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function serve(env: Record<string, string>, isProxy?: (address: string) => boolean): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const config = readConfig({ PORT: String(port), ...env });
  const listening: Listening = await listen((_req, res) => void res.end('here'), config, isProxy);
  undo.push(() => listening.drain(0));
  return port;
}

/** A connection, and how long the server left it open, in ms. */
function open(port: number): { socket: Socket; closed: Promise<number> } {
  const begun = performance.now();
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  undo.push(() => socket.destroy());
  socket.resume();
  return { socket, closed: once(socket, 'close').then(() => performance.now() - begun) };
}
const isOpen = (closed: Promise<number>): Promise<boolean> =>
  Promise.race([closed.then(() => false), new Promise<boolean>((late) => setTimeout(late, 500, true))]);
/** Not by `fetch`, which goes on trying where nothing was sent yet. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get({ port, host: '127.0.0.1', agent: false }, (answer) =>
      resolve(answer.resume().statusCode === 200),
    );
    asked.on('error', () => resolve(false));
  });

test('one address has so many connections, and a place is free again when one is closed', async () => {
  const port = await serve({ CONNECTIONS_PER_ADDRESS: '6' }, () => false);
  const mine = Array.from({ length: 6 }, () => open(port));
  await Promise.all(mine.map(({ socket }) => once(socket, 'connect')));
  expect(await isOpen(open(port).closed)).toBe(false);
  expect(await answers(port)).toBe(false);
  expect(await isOpen(mine[0]?.closed ?? Promise.resolve(0))).toBe(true);
  mine[0]?.socket.destroy();
  await expect.poll(() => answers(port)).toBe(true);
});

test('a proxy has them for everybody behind it, and the process has an end', async () => {
  const port = await serve({ CONNECTIONS_PER_ADDRESS: '6', MAX_CONNECTIONS: '10' });
  const mine = Array.from({ length: 10 }, () => open(port));
  await Promise.all(mine.map(({ socket }) => once(socket, 'connect')));
  expect(await Promise.all(mine.map(({ closed }) => isOpen(closed)))).toEqual(Array(10).fill(true));
  expect(await isOpen(open(port).closed)).toBe(false);
});

test('a proxy is who was named, and who is on this machine', () => {
  const isProxy = proxiesOf(['10.0.0.0/8', '2001:db8::7']);
  for (const proxy of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.2.3.4', '::ffff:10.2.3.4', '2001:db8::7'])
    expect(isProxy(proxy), proxy).toBe(true);
  for (const other of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::8', ''])
    expect(isProxy(other), other).toBe(false);
});

test('who drips is cut off soon after the time for headers is over', { timeout: 30_000 }, async () => {
  const port = await serve({});
  const [dripping, silent] = [open(port), open(port)];
  dripping.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
  const drip = setInterval(() => dripping.socket.write('X-A: b\r\n'), 500);
  undo.push(() => clearInterval(drip));
  for (const ms of await Promise.all([dripping.closed, silent.closed])) {
    expect(ms).toBeGreaterThan(9_000);
    expect(ms).toBeLessThan(13_000);
  }
});

test('an idle connection is kept as long as the setting says, longer than usual proxies keep theirs', async () => {
  expect(readConfig({}).connections.keepAliveS).toBe(75);
  const port = await serve({ KEEP_ALIVE_SECONDS: '2' });
  const { socket, closed } = open(port);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const ms = await closed;
  expect(ms).toBeGreaterThan(1_900);
  expect(ms).toBeLessThan(5_000);
});
