import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createWatch } from '../../server/features/admin/watch.ts';
import { deliver } from '../../server/features/client-logs/deliver.ts';
import { signature } from '../../server/integrations/outward/sign.ts';
import { connectTo } from '../../server/storage/connect.ts';
import { readiness } from '../../server/storage/ready.ts';
import { createTestDatabase } from '../support/database.ts';
import { hangingDatabase } from '../support/hanging-database.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { startReceiver } from '../support/receiver.ts';
import { testServer } from '../support/server.ts';

const MINUTE_MS = 60_000;
const CHAT = '-1002';
const home = folderOfFile();

/** A service that calls the operator once nobody asks it any more. */
let beats = 0;
let status = 200;
const beatService = createServer((_, response) => {
  beats += 1;
  response.writeHead(status).end();
});
await once(beatService.listen(0, '127.0.0.1'), 'listening');
afterAll(() => beatService.close());
const HEARTBEAT_URL = `http://127.0.0.1:${(beatService.address() as AddressInfo).port}/ping/s3cret`;

const database = await createTestDatabase();
const between = await hangingDatabase(database.url);
afterAll(() => between.close());
const server = await ofFile(
  testServer({ database, env: { ALERTS_TELEGRAM_CHAT: CHAT, HEARTBEAT_URL, MUSTER_HOME: home } }),
);
const runtime = { ...server.runtime, sql: connectTo(between.url) };
afterAll(() => runtime.sql.end({ timeout: 0 }));

const told = async (): Promise<string[]> =>
  ((await server.control('GET', '/outbox')) as { method: string; body: { text: string } }[])
    .filter(({ method }) => method === 'sendMessage')
    .map(({ body }) => body.text.split('\n', 1)[0] ?? '');

/** The real ports, but for the answer of a database that hangs, which takes its second and a half only once. */
let silence = 0;
const ports = (given = server.runtime) => ({
  look: async () => {
    if (!between.hangs()) return readiness(runtime);
    silence += 1;
    return silence === 1 ? readiness(runtime) : ('away' as const);
  },
  send: (channel: Parameters<typeof deliver>[1], message: Parameters<typeof deliver>[2]) =>
    deliver(given, channel, message),
  beat: (url: string) => fetch(url),
});

test('a database that hangs is told once by whichever process notices, and the heartbeat stops until it answers again', async () => {
  const [one, other] = [createWatch(runtime, ports()), createWatch(runtime, ports())];
  const round = async (minutes: number) => {
    server.advance(minutes * MINUTE_MS);
    await one.look();
    await other.look();
  };
  await round(0);
  expect(beats).toBe(2);
  await round(0.5);
  expect(beats).toBe(2);
  await round(0.6);
  expect(beats).toBe(4);
  between.hang();
  await round(1);
  expect(await told()).toEqual([]);
  for (let time = 0; time < 3; time += 1) await round(1.1);
  expect(beats).toBe(4);
  expect(await told()).toEqual([expect.stringContaining('Database: The database does not answer.')]);
  between.recover();
  runtime.sql = connectTo(between.url);
  // Killed in the meantime, and started again: what was told is known, and only its end is left to tell.
  const started = createWatch(runtime, ports());
  for (let time = 0; time < 3; time += 1) {
    server.advance(1.1 * MINUTE_MS);
    await started.look();
  }
  await round(3);
  await round(3);
  expect((await told()).slice(1)).toEqual([expect.stringContaining('Database: well again')]);
  expect(beats).toBeGreaterThan(4);
  expect(existsSync(join(home, 'database-told'))).toBe(false);
});

test('what no channel takes is sent as soon as one does, the first first; a home that cannot be written keeps nobody silent', async () => {
  let isDeaf = true;
  const sent: string[] = [];
  let found: 'away' | 'ready' = 'away';
  const own = { ...server.runtime, config: { ...server.runtime.config, home: '/proc/nowhere', heartbeatUrl: null } };
  const watch = createWatch(own, {
    look: async () => found,
    send: async (_, { title }) => {
      if (isDeaf) throw new Error('no way out');
      sent.push(title);
    },
    beat: () => Promise.reject(new Error('no heart')),
  });
  const round = async () => {
    server.advance(3 * MINUTE_MS);
    await watch.look();
  };
  await round();
  await round();
  await round();
  found = 'ready';
  await round();
  await round();
  expect(sent).toEqual([]);
  isDeaf = false;
  await round();
  await round();
  expect(sent).toEqual(['Database: The database does not answer.', 'Database: well again']);
});

test('a heartbeat that is not taken ends nothing, and is tried again a minute later', async () => {
  status = 500;
  const watch = createWatch({ ...server.runtime, config: { ...server.runtime.config, heartbeatUrl: HEARTBEAT_URL } });
  const before = beats;
  await watch.look();
  server.advance(MINUTE_MS);
  await watch.look();
  expect(beats - before).toBe(2);
});

test('an alert to a webhook is signed as the product’s others are', async () => {
  const receiver = await startReceiver();
  const secret = 'a-secret-of-the-operator';
  const config = { ...server.runtime.config, alerts: { telegramChat: null, webhook: null, secret } };
  const message = {
    rule: 'Checks',
    kind: 'check' as const,
    title: 'Disk',
    text: 'full',
    url: 'https://a.example/admin',
  };
  const channel = { kind: 'webhook' as const, url: 'https://hooks.example.org/x' };
  await deliver({ ...server.runtime, config }, channel, message, receiver.world);
  await receiver.close();
  const [got] = receiver.received;
  const body = got?.body ?? '';
  const signed = String(got?.headers['muster-signature']);
  expect(JSON.parse(body)).toEqual(message);
  const at = new Date(Number(/^t=(\d+)/.exec(signed)?.[1]) * 1_000);
  expect(signed).toBe(signature(Buffer.from(secret), body, at));
});
