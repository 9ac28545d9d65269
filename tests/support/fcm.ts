import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { PushService } from './autopush.ts';
import { certificate } from './certificate.mjs';
import { checkVapid } from './push-endpoint.ts';

// As much of protocol buffers as Google's push needs.
const varint = (value: number | bigint): Buffer => {
  const bytes: number[] = [];
  let rest = BigInt(value);
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Buffer.from(bytes);
};
const number = (field: number, value: number | bigint) => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field: number, value: string | Buffer) => {
  const content = Buffer.from(value);
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
};
const fixed = (field: number, value: bigint) => {
  const content = Buffer.alloc(8);
  content.writeBigUInt64LE(value);
  return Buffer.concat([varint((field << 3) | 1), content]);
};
function readVarint(buffer: Buffer, from: number): { value: number; next: number } | null {
  let value = 0n;
  for (let at = from, shift = 0n; at < buffer.length; at += 1, shift += 7n) {
    const byte = buffer[at] ?? 0;
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return { value: Number(value), next: at + 1 };
  }
  return null;
}
/** The length-delimited fields of a message, by number. */
function fieldsOf(message: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at);
    if (!tag) break;
    const kind = tag.value & 7;
    const size = kind === 2 || kind === 0 ? readVarint(message, tag.next) : null;
    if (kind === 2 && size) {
      fields.set(tag.value >>> 3, message.subarray(size.next, size.next + size.value));
      at = size.next + size.value;
    } else at = kind === 0 && size ? size.next : tag.next + (kind === 1 ? 8 : 4);
  }
  return fields;
}

const LOGIN = 2;
const PING = 0;
const HOSTS = ['fcm.googleapis.com', 'jmt17.google.com'];
type Token = { device: string; app: string; category: string; sender: string; gone: boolean };
type Waiting = { token: Token; id: string; ttl: number; encoding: string; body: Buffer };

/** Google's push service: check-in, registration and message channel towards a Chromium, RFC 8030 towards the server. */
export async function startFcm(): Promise<PushService> {
  const { key, cert } = certificate('localhost', ...HOSTS);
  const tokens = new Map<string, Token>();
  const devices = new Map<string, { socket: TLSSocket; stream: number }>();
  let queue: Waiting[] = [];
  let taken = 0;

  const frame = (tag: number, content: Buffer) => Buffer.concat([Buffer.of(tag), varint(content.length), content]);
  function deliver(message: Waiting): void {
    const device = devices.get(message.token.device);
    if (!device) return void queue.push(message);
    device.stream += 1;
    const detail = (name: string, value: string) => bytes(7, Buffer.concat([bytes(1, name), bytes(2, value)]));
    const content = Buffer.concat([
      bytes(2, message.id.slice(0, 8)),
      bytes(3, message.token.sender),
      bytes(5, message.token.category),
      detail('content-encoding', message.encoding),
      detail('subtype', message.token.app),
      bytes(9, message.id),
      number(10, device.stream),
      number(17, message.ttl),
      number(18, Date.now()),
      bytes(21, message.body),
    ]);
    device.socket.write(frame(8, content));
  }

  const control = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', () => {
      const own = () => BigInt(`0x${randomBytes(7).toString('hex')}`) | 1n;
      if (request.url?.startsWith('/checkin')) {
        response.writeHead(200, { 'content-type': 'application/x-protobuf' });
        const answer = [number(1, 1), number(3, Date.now()), fixed(7, own()), fixed(8, own()), bytes(11, 'v1')];
        return void response.end(Buffer.concat(answer));
      }
      const form = new URLSearchParams(text);
      const app = form.get('X-subtype') ?? form.get('app') ?? '';
      if ([form.get('delete'), form.get('X-delete')].includes('true')) {
        for (const token of tokens.values()) if (token.app === app) token.gone = true;
        return void response.end(`token=${app}`);
      }
      const name = `${randomBytes(11).toString('base64url')}:${randomBytes(60).toString('base64url')}`;
      const [device, category, sender] = ['device', 'app', 'sender'].map((field) => form.get(field) ?? '');
      tokens.set(name, { device: device ?? '', category: category ?? '', sender: sender ?? '', app, gone: false });
      response.end(`token=${name}`);
    });
  });

  const channel = createTlsServer({ key, cert }, (socket) => {
    let buffer = Buffer.alloc(0);
    let isOpen = false;
    let user = '';
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (devices.get(user)?.socket === socket) devices.delete(user);
    });
    socket.on('data', (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      if (!isOpen && buffer.length > 0) {
        isOpen = true;
        buffer = buffer.subarray(1);
      }
      for (;;) {
        const size = buffer.length < 2 ? null : readVarint(buffer, 1);
        if (!size || buffer.length < size.next + size.value) return;
        const [tag] = buffer;
        const message = buffer.subarray(size.next, size.next + size.value);
        buffer = buffer.subarray(size.next + size.value);
        if (tag === PING) socket.write(frame(1, Buffer.alloc(0)));
        if (tag !== LOGIN) continue;
        user = fieldsOf(message).get(3)?.toString() ?? '';
        devices.set(user, { socket, stream: 1 });
        const hello = [bytes(1, 'chrome-1'), bytes(2, `${user}@mcs.android.com`), number(5, 1), number(8, Date.now())];
        socket.write(Buffer.concat([Buffer.of(41), frame(3, Buffer.concat(hello))]));
        const waiting = queue;
        queue = [];
        for (const one of waiting) deliver(one);
      }
    });
  });

  const web = createSecureServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const token = tokens.get(decodeURIComponent(request.url?.split('/').at(-1) ?? ''));
      const vapid = checkVapid(request.headers.authorization, `https://${request.headers.host}`, Date.now());
      if (!token) return void response.writeHead(404).end();
      if (token.gone) return void response.writeHead(410).end();
      if ('problem' in vapid || vapid.key !== token.sender.replace(/=+$/, '')) {
        return void response.writeHead(403).end(JSON.stringify(vapid));
      }
      taken += 1;
      const id = `0:${Date.now()}%${randomBytes(6).toString('hex')}`;
      const encoding = String(request.headers['content-encoding']);
      deliver({ token, id, ttl: Number(request.headers['ttl']), encoding, body: Buffer.concat(chunks) });
      response.writeHead(201, { location: `https://${request.headers.host}/m/${encodeURIComponent(id)}` }).end();
    });
  });

  const portOf = async (server: typeof control | typeof channel | typeof web) => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const [a, b, c] = [await portOf(control), await portOf(channel), await portOf(web)];
  return {
    world: { ca: cert, through: { host: '127.0.0.1', port: c }, isAllowed: () => true },
    prefs: {},
    args: [
      `--gcm-checkin-url=http://127.0.0.1:${a}/checkin`,
      `--gcm-registration-url=http://127.0.0.1:${a}/register`,
      `--gcm-mcs-endpoint=https://localhost:${b}`,
      '--ignore-certificate-errors',
    ],
    taken: () => taken,
    forget() {
      for (const token of tokens.values()) token.gone = true;
    },
    async close() {
      for (const { socket } of devices.values()) socket.destroy();
      control.closeAllConnections();
      web.closeAllConnections();
      await Promise.all([control, channel, web].map((server) => new Promise((done) => server.close(done))));
    },
  };
}
