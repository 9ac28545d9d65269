import { createDecipheriv, createECDH, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { PushPayload } from '../../server/contract/push.ts';
import type { PushWorld } from '../../server/integrations/push/send.ts';
import { certificate } from './certificate.mjs';
import type { Reply, TestServer } from './server.ts';

/** What VAPID (RFC 8292) says of a request, or why it does not hold. */
export function checkVapid(
  header: string | undefined,
  origin: string,
  now: number,
): { key: string } | { problem: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  if (signature === '') return { problem: `no VAPID: ${header}` };
  const json = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
  const { aud, exp, sub } = json(claims);
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
    format: 'jwk',
  });
  const text = Buffer.from(`${head}.${claims}`);
  const isSigned = verify(
    'sha256',
    text,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (json(head)['alg'] !== 'ES256' || !isSigned) return { problem: 'signature' };
  if (aud !== origin) return { problem: `aud ${aud} is not ${origin}` };
  const left = Number(exp) - now / 1_000;
  if (!(left > 0 && left <= 24 * 3_600)) return { problem: `exp in ${left} s` };
  if (!/^(mailto:|https:)/.test(String(sub))) return { problem: 'sub' };
  return { key };
}

/** A browser's side of RFC 8291: keys to subscribe with, and what it reads. `given` are keys of an example. */
export function makeReader(given?: { privateKey: Buffer; auth: Buffer }) {
  const ecdh = createECDH('prime256v1');
  if (given) ecdh.setPrivateKey(given.privateKey);
  else ecdh.generateKeys();
  const point = ecdh.getPublicKey();
  const auth = given?.auth ?? randomBytes(16);
  return {
    keys: { p256dh: point.toString('base64url'), auth: auth.toString('base64url') },
    read(body: Buffer): string {
      const hmac = (key: Buffer, ...parts: (Buffer | string)[]) => {
        const mac = createHmac('sha256', key);
        for (const part of parts) mac.update(part);
        return mac.digest();
      };
      const [salt, sender, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
      const shared = ecdh.computeSecret(sender);
      const secret = hmac(salt, hmac(hmac(auth, shared), 'WebPush: info\0', point, sender, '\x01'));
      const key = hmac(secret, 'Content-Encoding: aes128gcm\0\x01').subarray(0, 16);
      const nonce = hmac(secret, 'Content-Encoding: nonce\0\x01').subarray(0, 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce);
      decipher.setAuthTag(sealed.subarray(-16));
      const record = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      return record.subarray(0, record.lastIndexOf(2)).toString();
    },
  };
}

export type Arrived = { host: string; token: string; headers: IncomingHttpHeaders; body: Buffer };
export type PushEndpoint = {
  /** Messages that were taken (201), the earliest first. */
  arrived: Arrived[];
  /** Every request, whatever it was answered. */
  requests(): number;
  connections(): number;
  /** How a request is answered in place of 201; null takes it. */
  answer(how: (token: string, response: ServerResponse) => 'answered' | null): void;
  /** The open internet in which every known push service is this one. */
  world: PushWorld;
  /** A browser that subscribed here. */
  browser(host?: string): Browser;
  close(): Promise<void>;
};
export type Browser = {
  token: string;
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** Everything that came for this browser, decrypted. */
  got(): PushPayload[];
};

export const SERVICES = ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'] as const;

/** A push service (RFC 8030) on 127.0.0.1 that speaks TLS under the names of the known ones. */
export async function startPushEndpoint(): Promise<PushEndpoint> {
  const { key, cert } = certificate(...SERVICES);
  const arrived: Arrived[] = [];
  let requests = 0;
  let connections = 0;
  let how: Parameters<PushEndpoint['answer']>[0] = () => null;
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests += 1;
      const token = request.url?.split('/').at(-1) ?? '';
      if (how(token, response) === 'answered') return;
      const host = request.headers.host ?? '';
      const vapid = checkVapid(request.headers.authorization, `https://${host}`, Date.now());
      const body = Buffer.concat(chunks);
      const problem = 'problem' in vapid ? vapid.problem : problemOf(request.headers, body);
      if (problem !== null) return void response.writeHead(400).end(problem);
      arrived.push({ host, token, headers: request.headers, body });
      response.writeHead(201, { location: `https://${host}/m/${requests}` }).end();
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    arrived,
    requests: () => requests,
    connections: () => connections,
    answer(next) {
      how = next;
    },
    world: { ca: cert, through: { host: '127.0.0.1', port }, isAllowed: () => true },
    browser(host = SERVICES[0]) {
      const token = randomBytes(12).toString('base64url');
      const reader = makeReader();
      return {
        token,
        subscription: { endpoint: `https://${host}/send/${token}`, keys: reader.keys },
        got: () =>
          arrived.filter((one) => one.token === token).map(({ body }) => JSON.parse(reader.read(body)) as PushPayload),
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Makes this browser the one on which who holds the cookie is told. */
export async function subscribe(server: TestServer, cookie: string, { subscription }: Browser): Promise<void> {
  const saved = await server.request('POST', '/api/pwa/subscribe', { cookie, body: { subscription } });
  if (saved.status !== 200) throw new Error(`the subscription was not saved: ${saved.text}`);
}
/** What a member chooses about being told. */
export const settle = (server: TestServer, cookie: string, change: object): Promise<Reply> =>
  server.request('PUT', '/api/user/notifications', {
    cookie,
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: { quiet: null, dailyCap: 50, collapse: true, choices: [], ...change },
  });

function problemOf(headers: IncomingHttpHeaders, body: Buffer): string | null {
  if (!/^\d+$/.test(String(headers['ttl']))) return 'TTL';
  if (headers['content-encoding'] !== 'aes128gcm') return 'Content-Encoding';
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(String(headers['topic']))) return 'Topic';
  return body.length > 4_096 ? 'too large' : null;
}
