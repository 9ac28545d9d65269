import { once } from 'node:events';
import { get, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../../server/config.ts';
import { proxiesOf } from '../../server/connections.ts';
import { type Listening, listen } from '../../server/listen.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

type Serve = { port: number } & Listening;
async function serve(
  env: Record<string, string>,
  isProxy?: (address: string) => boolean,
  app: RequestListener = (_req, res) => void res.end('here'),
): Promise<Serve> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const config = readConfig({ PORT: String(port), ...env });
  const listening: Listening = await listen(app, config, isProxy);
  undo.push(() => listening.drain(0));
  return { port, ...listening };
}

type Open = { socket: Socket; closed: Promise<unknown> };
function open(port: number): Open {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  undo.push(() => socket.destroy());
  socket.resume();
  return { socket, closed: once(socket, 'close') };
}
/** Whether the end is still to come after so long. The server runs in this process: what holds it up holds up this timer too. */
const lasts = (end: Promise<unknown>, ms = 500): Promise<boolean> =>
  Promise.race([end.then(() => false), new Promise<boolean>((late) => setTimeout(late, ms, true))]);
/** Not by `fetch`, which goes on trying where nothing was sent yet. */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get({ port, host: '127.0.0.1', agent: false }, (answer) =>
      resolve(answer.resume().statusCode === 200),
    );
    asked.on('error', () => resolve(false));
  });

test('one address has so many connections, and a place is free again when one is closed', async () => {
  const { port } = await serve({ CONNECTIONS_PER_ADDRESS: '6' }, () => false);
  const mine = Array.from({ length: 6 }, () => open(port));
  await Promise.all(mine.map(({ socket }) => once(socket, 'connect')));
  expect(await lasts(open(port).closed)).toBe(false);
  expect(await answers(port)).toBe(false);
  expect(await lasts(mine[0]?.closed ?? Promise.resolve())).toBe(true);
  mine[0]?.socket.destroy();
  await expect.poll(() => answers(port)).toBe(true);
});

test('a proxy has them for everybody behind it, and the process has an end', async () => {
  const { port } = await serve({ CONNECTIONS_PER_ADDRESS: '6', MAX_CONNECTIONS: '10' });
  const mine = Array.from({ length: 10 }, () => open(port));
  await Promise.all(mine.map(({ socket }) => once(socket, 'connect')));
  expect(await Promise.all(mine.map(({ closed }) => lasts(closed)))).toEqual(Array(10).fill(true));
  expect(await lasts(open(port).closed)).toBe(false);
});

test('a proxy is who was named, and who is on this machine', () => {
  const isProxy = proxiesOf(['10.0.0.0/8', '2001:db8::7']);
  for (const proxy of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.2.3.4', '::ffff:10.2.3.4', '2001:db8::7'])
    expect(isProxy(proxy), proxy).toBe(true);
  for (const other of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::8', ''])
    expect(isProxy(other), other).toBe(false);
});

test('who drips is cut off soon after the time for headers is over', { timeout: 30_000 }, async () => {
  const { port } = await serve({});
  const [dripping, silent] = [open(port), open(port)];
  dripping.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
  const drip = setInterval(() => dripping.socket.write('X-A: b\r\n'), 500);
  undo.push(() => clearInterval(drip));
  const each = (ms: number) => Promise.all([dripping, silent].map(({ closed }) => lasts(closed, ms)));
  expect(await each(9_000)).toEqual([true, true]);
  expect(await each(8_000)).toEqual([false, false]);
});

test('an idle connection is kept as long as the setting says, longer than usual proxies keep theirs', async () => {
  expect(readConfig({}).connections.keepAliveS).toBe(75);
  const { port } = await serve({ KEEP_ALIVE_SECONDS: '2' });
  const { socket, closed } = open(port);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(await lasts(closed, 1_900)).toBe(true);
  expect(await lasts(closed, 5_000)).toBe(false);
});

test('who is connected and sends nothing does not hold up the end', async () => {
  const { port, drain } = await serve({});
  const silent = open(port);
  await once(silent.socket, 'connect');
  expect(await answers(port)).toBe(true);
  expect(await lasts(drain(60_000), 5_000)).toBe(false);
});

test('told to let go it serves on, and each answer ends its connection: that which is on its way, too', async () => {
  let finish = () => {};
  const { port, letGo } = await serve({}, undefined, (req, res) => {
    if (req.url !== '/slow') return void res.end('here');
    finish = () => res.end('here');
  });
  const ask = async (path: string) => {
    const { socket, closed } = open(port);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    return { answer: () => answer, closed };
  };
  const before = await ask('/');
  await expect.poll(before.answer).toContain('Connection: keep-alive');
  const slow = await ask('/slow');
  // A whole exchange behind it: the slow request is in the server's hands now.
  expect(await answers(port)).toBe(true);
  letGo();
  const after = await ask('/');
  await after.closed;
  finish();
  await slow.closed;
  for (const one of [after, slow]) expect(one.answer()).toMatch(/Connection: close.*here$/s);
});

test('a connection whose first request is on its way when the port closes is answered, and ended with the answer', async () => {
  const { port, drain } = await serve({});
  const late = open(port);
  let answer = '';
  late.socket.on('data', (chunk) => {
    answer += chunk;
  });
  await once(late.socket, 'connect');
  // A whole exchange behind it: the connection is in the server's hands now.
  expect(await answers(port)).toBe(true);
  const ended = drain();
  await expect.poll(() => answers(port)).toBe(false);
  late.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await Promise.all([late.closed, ended]);
  expect(answer).toMatch(/Connection: close.*here$/s);
});
