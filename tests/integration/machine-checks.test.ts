import { once } from 'node:events';
import { createServer as plain } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { checkCertificate, checkClock } from '../../server/features/admin/check-machine.ts';
import { checkSize } from '../../server/features/admin/check-storage.ts';
import { certificateOf } from '../../server/integrations/certificate.ts';
import { upstreamClock } from '../../server/integrations/upstream-clock.ts';
import { certificate } from '../support/certificate.mjs';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { community } from '../support/world.ts';

const DAY_MS = 86_400_000;
const HOST = 'muster.example.org';
const server = await ofFile(testServer({ config: { publicOrigin: `https://${HOST}` } }));

test('a clock that differs from the database’s is told by how much', async () => {
  expect(await checkClock(server.runtime)).toMatchObject({ state: 'fine', facts: { databaseS: 0 } });
  server.advance(20_000);
  expect(await checkClock(server.runtime)).toMatchObject({ state: 'attention', facts: { databaseS: 20 } });
  server.advance(-140_000);
  expect(await checkClock(server.runtime)).toMatchObject({ state: 'failed', facts: { databaseS: -120 } });
  server.advance(120_000);
});

test('a clock that is wrong with the database’s is seen by Telegram’s answers, whatever asked', async () => {
  await checkClock(server.runtime);
  await server.runtime.telegram.botUsername();
  const found = await checkClock(server.runtime);
  expect(found).toMatchObject({ state: 'fine', facts: { upstream: new URL(server.sandboxUrl).host } });
  const late = plain((_, res) => void res.writeHead(200, { date: new Date(Date.now() - 90_000).toUTCString() }).end());
  await once(late.listen(0, '127.0.0.1'), 'listening');
  afterAll(() => late.close());
  const host = `127.0.0.1:${(late.address() as AddressInfo).port}`;
  const [clock, strict] = [
    upstreamClock([host], server.runtime.now),
    upstreamClock(['other.example'], server.runtime.now),
  ];
  await fetch(`http://${host}/`);
  expect(Math.round((clock.ahead()?.ms ?? 0) / 1_000)).toBeGreaterThanOrEqual(89);
  expect(strict.ahead()).toBeNull();
  server.advance(61 * 60_000);
  expect(clock.ahead()).toBeNull();
  server.advance(-61 * 60_000);
  clock.close();
  strict.close();
});

test('a certificate is good for its days, refused where browsers refuse it, and unknown where nobody answers', async () => {
  const { key, cert } = certificate(HOST);
  const proxy = createServer({ key, cert });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const world = { address: '127.0.0.1', port: (proxy.address() as AddressInfo).port };
  const look = (more: object) => () => certificateOf(new URL(`https://${HOST}`), 2_000, { ...world, ...more });
  const found = (more = {}) => checkCertificate(server.runtime, look({ ca: cert, ...more }));
  // It is made for two days.
  expect(await found()).toMatchObject({ state: 'failed', facts: { daysLeft: 1, refused: null, host: HOST } });
  server.advance(-9 * DAY_MS);
  expect(await found()).toMatchObject({ state: 'attention', facts: { daysLeft: 10 } });
  server.advance(-9 * DAY_MS);
  expect(await found()).toMatchObject({ state: 'fine', facts: { daysLeft: 19 } });
  server.advance(18 * DAY_MS);
  const refused = await checkCertificate(server.runtime, look({}));
  expect(refused).toMatchObject({ state: 'failed', facts: { refused: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
  await new Promise((done) => proxy.close(done));
  await expect(found()).rejects.toThrow('ECONNREFUSED');
});

test('receivers of webhooks whose certificate was refused are named with it', async () => {
  const { userId } = await server.person();
  const { id } = await community(server, userId);
  const [hook] = await server.sql<[{ id: string }]>`
    insert into webhooks (community_id, url, events, secret, created_by)
    values (${id}, 'https://a.example/x?secret=1', '{member.joined}', '\\x00', ${userId}) returning id`;
  await server.sql`
    insert into webhook_deliveries (webhook_id, event, body, state, created_at, last_try_at, error)
    values (${hook.id}, 'member.joined', '{}', 'waiting', now(), now(), 'TLS')`;
  const good = async () => ({ validTo: new Date(Date.now() + 90 * DAY_MS), refused: null });
  expect(await checkCertificate(server.runtime, good)).toMatchObject({
    state: 'attention',
    facts: { upstreams: ['a.example'] },
  });
});

test('a database of the operator’s own is held against what it may take; without a word its room is not known', async () => {
  const sized = (databaseLimitMb: number | null) =>
    checkSize({ ...server.runtime, config: { ...server.runtime.config, databaseLimitMb } });
  expect(await sized(null)).toMatchObject({ state: 'fine', facts: { limitBytes: null, isBeside: false } });
  expect(await sized(1)).toMatchObject({ state: 'failed', facts: { limitBytes: 1_000_000 } });
  const { facts } = await sized(1_000);
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  await server.sql`
    insert into health_days (name, day, state, figure) values ('size', ${day(10)}, 'fine', ${facts.bytes - 900_000_000})`;
  expect(await sized(1_000)).toMatchObject({ state: 'attention', facts: { fullOn: expect.any(String) } });
});
