import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { PUSH_TIMEOUT_MS } from '../../server/contract/limits.ts';
import { createSender, type PushWorld, type Result } from '../../server/integrations/push/send.ts';
import { makeVapidKey, vapidHeader } from '../../server/integrations/push/vapid.ts';
import { buildServer } from '../support/built-server.ts';
import { ofFile } from '../support/of-file.ts';
import { makeReader, startPushEndpoint } from '../support/push-endpoint.ts';
import type { Order, Report } from '../support/push-sender.ts';
import { answering } from '../support/receiver.ts';
import { startProcess } from '../support/storage-processes.ts';

const [canary, built] = await Promise.all([
  ofFile(startPushEndpoint()),
  ofFile(buildServer({ sender: 'tests/support/push-sender.ts' })),
]);
afterEach(() => canary.answer(() => null));

const key = makeVapidKey();
/** What is no address at all is not called, so that its header does not matter. */
const originOf = (url: string): string => {
  const origin = URL.canParse(url) ? new URL(url).origin : 'null';
  return origin === 'null' ? 'https://nowhere.example' : origin;
};
/** Sends one message to each address and gives what came of it, in their order. */
async function send(world: PushWorld, urls: readonly string[], hosts: readonly string[] = []): Promise<Result[]> {
  const sender = createSender({ hosts, world });
  const targets = urls.map((endpoint, index) => {
    const { keys } = makeReader();
    const [p256dh, auth] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')];
    return { id: String(index), endpoint, p256dh, auth, authorization: index };
  });
  const authorizations = urls.map((url) => vapidHeader(key, originOf(url), 'mailto:a@example.org'));
  try {
    const batch = { text: '{}', ttl: 60, urgency: 'normal', topic: 't', targets, authorizations, resting: [] } as const;
    const results = await sender.send(batch);
    return results.sort((a, b) => Number(a.id) - Number(b.id));
  } finally {
    sender.close();
  }
}
/** Only the port and the certificate are the test's: addresses are judged as they are on the open internet. */
function open(resolve?: PushWorld['resolve']): PushWorld {
  const { ca = '', through } = canary.world;
  return { ca, port: through?.port ?? 0, ...(resolve ? { resolve } : {}) };
}

/** Sixty addresses that no message may go to: by what they say, or by where their name leads. */
const BY_ADDRESS = [
  'https://127.0.0.1/x',
  'https://127.0.0.1/x.google.com/',
  'https://127.1/x',
  'https://0x7f.1/x',
  'https://0177.0.0.1/x',
  'https://2130706433/x',
  'https://0x7f000001/x',
  'https://0.0.0.0/x',
  'https://10.0.0.1/x',
  'https://172.16.0.1/x',
  'https://172.31.255.255/x',
  'https://192.168.1.1/x',
  'https://100.64.0.1/x',
  'https://169.254.169.254/latest/meta-data/',
  'https://198.18.0.1/x',
  'https://224.0.0.1/x',
  'https://255.255.255.255/x',
  'https://[::1]/x',
  'https://[::]/x',
  'https://[::ffff:127.0.0.1]/x',
  'https://[::ffff:7f00:1]/x',
  'https://[0:0:0:0:0:ffff:127.0.0.1]/x',
  'https://[64:ff9b::7f00:1]/x',
  'https://[2002:7f00:1::]/x',
  'https://[fe80::1]/x',
  'https://[fd00:ec2::254]/x',
  'https://[fc00::1]/x',
  'https://localhost/x',
  'https://metadata.google.internal/computeMetadata/v1/',
  // Look-alikes.
  'https://fcm.googleapis.com.evil.example/x',
  'https://evil.example/fcm.googleapis.com',
  'https://evil.example?fcm.googleapis.com',
  'https://evil.example#fcm.googleapis.com',
  'https://xfcm.googleapis.com/x',
  'https://fcm-googleapis.com/x',
  'https://fcm.googleapis.com./x',
  'https://fcm.gооgleapis.com/x',
  'https://push.services.mozilla.com.evil.example/x',
  'https://evilpush.apple.com/x',
  'https://notify.windows.com/x',
  'https://evil-notify.windows.com/x',
  'https://web.push.apple.com.evil.example/x',
  // User names, ports, schemes, fragments.
  'https://fcm.googleapis.com@127.0.0.1/x',
  'https://user:pass@fcm.googleapis.com/x',
  'https://user@fcm.googleapis.com/x',
  'https://fcm.googleapis.com\\@127.0.0.1/x',
  'https://127.0.0.1\\@fcm.googleapis.com/x',
  'https://fcm.googleapis.com:22/x',
  'https://fcm.googleapis.com:8443/x',
  'https://fcm.googleapis.com:80/x',
  'https://fcm.googleapis.com:0/x',
  'http://fcm.googleapis.com/x',
  'http://fcm.googleapis.com:443/x',
  'ftp://fcm.googleapis.com/x',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'https://fcm.googleapis.com/x#y',
  'https://fcm.googleapis.com/\r\nHost: 127.0.0.1',
  'https:///x',
  'nonsense',
];
const BY_NAME: readonly (readonly string[])[] = [
  ['127.0.0.1'],
  ['::1'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['::ffff:127.0.0.1'],
  ['1.1.1.1', '127.0.0.1'],
  ['127.0.0.1', '1.1.1.1'],
  ['2606:4700::1111', 'fd00::1'],
  ['64:ff9b::7f00:1'],
  [],
];

test('sixty hostile addresses, and names that lead inside: none is connected to', async () => {
  expect(BY_ADDRESS).toHaveLength(60);
  const world = open(answering('127.0.0.1'));
  for (const result of await send(world, BY_ADDRESS)) {
    expect(result, BY_ADDRESS[Number(result.id)]).toMatchObject({ error: 'ADDRESS' });
  }
  for (const addresses of BY_NAME) {
    const [result] = await send(open(answering(...addresses)), ['https://fcm.googleapis.com/x']);
    expect(result, addresses.join()).toMatchObject({ error: 'ADDRESS' });
  }
  expect(canary.connections()).toBe(0);
});

test('a name that leads outside when it is checked and inside a moment later', async () => {
  let asked = 0;
  const [outside, inside] = [answering('127.0.0.2'), answering('127.0.0.1')];
  const world: PushWorld = {
    ...open((...args) => {
      asked += 1;
      (asked === 1 ? outside : inside)(...args);
    }),
    // 127.0.0.2 plays the open internet: nobody listens there.
    isAllowed: (address) => address === '127.0.0.2',
  };
  expect(await send(world, ['https://fcm.googleapis.com/x'])).toMatchObject([{ error: 'CONNECTION' }]);
  expect(canary.connections()).toBe(0);
});

test("an operator's own service is called at its port and nowhere else", async () => {
  const world = { ...canary.world, through: canary.world.through ?? { host: '', port: 0 } };
  const hosts = ['push.club.example:8443', 'other.example'];
  const results = await send(world, ['https://push.club.example:8444/x', 'https://push.club.example/x'], hosts);
  for (const result of results) expect(result).toMatchObject({ error: 'ADDRESS' });
  // Named with its port: it may stand at an address of a club's own network. Its certificate must fit all the same.
  expect(await send(world, ['https://push.club.example:8443/x'], hosts)).toMatchObject([{ error: 'TLS' }]);
});

describe('a push service that', () => {
  const fill = (response: ServerResponse) => {
    response.writeHead(201);
    const more = () => {
      for (let sent = 0; sent < 200; sent += 1) {
        if (response.destroyed) return;
        if (!response.write(Buffer.alloc(1_000_000))) return void response.once('drain', more);
      }
    };
    more();
  };
  const drip = (response: ServerResponse) => {
    response.writeHead(201);
    const timer = setInterval(() => response.write('.'), 200);
    response.on('close', () => clearInterval(timer));
  };
  const peers: [string, (response: ServerResponse) => void, object][] = [
    ['hangs', () => undefined, { error: 'TIMEOUT' }],
    ['drips', drip, { error: 'TIMEOUT' }],
    ['resets', (response) => response.socket?.destroy(), { error: 'CONNECTION' }],
    [
      'cuts its answer',
      (response) => response.writeHead(201, { 'content-length': 9 }).write('x', () => response.socket?.destroy()),
      { error: 'CONNECTION' },
    ],
    ['sends 200 MB', fill, { status: 201 }],
    [
      'sends us on',
      (response) => response.writeHead(307, { location: 'https://fcm.googleapis.com/y' }).end(),
      { status: 307 },
    ],
  ];
  test('hangs, drips, resets, cuts, fills or sends us on frees its slot within eleven seconds, in little memory', async () => {
    canary.answer((token, response) => {
      const peer = peers[Number(token)];
      peer?.[1](response);
      return peer ? 'answered' : null;
    });
    // Each five times over: nobody stands in another's way.
    const urls = peers.flatMap((_, index) => Array(5).fill(`https://fcm.googleapis.com/send/${index}`) as string[]);
    const first = Array(60).fill('https://fcm.googleapis.com/send/kind') as string[];
    const { ca = '', through = { host: '', port: 0 } } = canary.world;
    const order: Order = { ca, through, first, urls };
    const asked = canary.requests();
    const sender = startProcess(join(built.directory, 'sender.js'), { env: {}, args: [JSON.stringify(order)] });
    const { results, ms, before, peak, after } = (await sender.line('results')) as Report;
    expect(ms).toBeLessThan(PUSH_TIMEOUT_MS + 1_000);
    const grown = (now: number, then: number) => Math.round((now - then) / 1e6);
    const growth = {
      rss: grown(peak.rss, before.rss),
      used: grown(peak.heap + peak.external, before.heap + before.external),
      kept: grown(after.heap + after.external, before.heap + before.external),
    };
    console.log(`grown by ${JSON.stringify(growth)} MB from ${grown(before.rss, 0)} MB in ${Math.round(ms)} ms`);
    for (const megabytes of Object.values(growth)) expect(megabytes, JSON.stringify(growth)).toBeLessThan(20);
    for (const result of results) {
      const [name, , what] = peers[Math.floor(Number(result.id) / 5)] ?? [];
      expect(result, name).toMatchObject(what ?? {});
    }
    expect(results).toHaveLength(urls.length);
    expect(canary.requests()).toBe(asked + first.length + urls.length);
    expect(await sender.ended).toBe(0);
  });
});
