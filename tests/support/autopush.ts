import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { PushWorld } from '../../server/integrations/push/send.ts';
import { certificate } from './certificate.mjs';
import { checkVapid } from './push-endpoint.ts';

/** A push service for one real browser: what it says, and what tests make it do. */
export type PushService = {
  /** The open internet in which the known push services are this one. */
  world: PushWorld;
  /** How the browser is started so that it asks here. */
  prefs: Record<string, string | boolean | number>;
  args: string[];
  /** Messages that were taken for delivery. */
  taken(): number;
  /** The service forgets every subscription. */
  forget(): void;
  close(): Promise<void>;
};

type Agent = { id: string; socket: WebSocket | null; queue: Waiting[] };
type Channel = { agent: Agent; id: string; key: string | undefined; gone: boolean };
type Waiting = { channelID: string; version: string; ttl: number; data: string | null; encoding: string };
type PushMessage = {
  messageType: string;
  uaid?: string;
  channelID?: string;
  key?: string;
  updates?: { version: string }[];
};

const HOST = 'updates.push.services.mozilla.com';
const base64url = (text: string | undefined) => text?.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** Mozilla's push service: its WebSocket protocol towards a Firefox, RFC 8030 towards the server. */
export async function startAutopush(): Promise<PushService> {
  const { key, cert } = certificate(HOST);
  const agents = new Map<string, Agent>();
  const channels = new Map<string, Channel>();
  let taken = 0;

  const say = (agent: Agent, message: object) => agent.socket?.send(JSON.stringify(message));
  const deliver = (agent: Agent, { encoding, data, ...rest }: Waiting) =>
    say(agent, { messageType: 'notification', ...rest, ...(data === null ? {} : { data, headers: { encoding } }) });

  const near = createServer((_request, response) => response.writeHead(426).end());
  const sockets = new WebSocketServer({ server: near, handleProtocols: () => 'push-notification' });
  sockets.on('connection', (socket) => {
    let agent: Agent = { id: randomBytes(16).toString('hex'), socket: null, queue: [] };
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (agent.socket === socket) agent.socket = null;
    });
    socket.on('message', (raw) => {
      const text = String(raw);
      if (text === '{}') return socket.send('{}');
      const said = JSON.parse(text) as PushMessage;
      if (said.messageType === 'hello') {
        agent = agents.get(said.uaid ?? '') ?? agent;
        agents.set(agent.id, agent);
        agent.socket = socket;
        say(agent, { messageType: 'hello', status: 200, uaid: agent.id, use_webpush: true, broadcasts: {} });
        for (const one of agent.queue) deliver(agent, one);
      } else if (said.messageType === 'register') {
        const token = randomBytes(24).toString('base64url');
        const id = said.channelID ?? '';
        channels.set(token, { agent, id, key: base64url(said.key), gone: false });
        const pushEndpoint = `https://${HOST}/wpush/v2/${token}`;
        say(agent, { messageType: 'register', status: 200, channelID: id, pushEndpoint });
      } else if (said.messageType === 'unregister') {
        for (const channel of channels.values()) if (channel.id === said.channelID) channel.gone = true;
        say(agent, { messageType: 'unregister', status: 200, channelID: said.channelID });
      } else if (said.messageType === 'ack') {
        const read = new Set(said.updates?.map(({ version }) => version));
        agent.queue = agent.queue.filter(({ version }) => !read.has(version));
      } else if (said.messageType === 'broadcast_subscribe') {
        say(agent, { messageType: 'broadcast', broadcasts: {} });
      }
    });
  });

  const far = createSecureServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const channel = channels.get(request.url?.split('/').at(-1) ?? '');
      const vapid = checkVapid(request.headers.authorization, `https://${HOST}`, Date.now());
      if (!channel) return void response.writeHead(404).end();
      if (channel.gone) return void response.writeHead(410).end();
      if ('problem' in vapid || vapid.key !== channel.key)
        return void response.writeHead(403).end(JSON.stringify(vapid));
      const body = Buffer.concat(chunks);
      const message: Waiting = {
        channelID: channel.id,
        version: randomBytes(18).toString('base64url'),
        ttl: Number(request.headers['ttl']),
        data: body.length > 0 ? body.toString('base64url') : null,
        encoding: String(request.headers['content-encoding']),
      };
      taken += 1;
      channel.agent.queue.push(message);
      deliver(channel.agent, message);
      response.writeHead(201, { location: `https://${HOST}/m/${message.version}` }).end();
    });
  });
  near.listen(0, '127.0.0.1');
  far.listen(0, '127.0.0.1');
  await Promise.all([once(near, 'listening'), once(far, 'listening')]);
  const { port } = far.address() as AddressInfo;
  return {
    world: { ca: cert, through: { host: '127.0.0.1', port }, isAllowed: () => true },
    prefs: { 'dom.push.serverURL': `ws://127.0.0.1:${(near.address() as AddressInfo).port}/` },
    args: [],
    taken: () => taken,
    forget() {
      for (const channel of channels.values()) channel.gone = true;
      agents.clear();
      for (const socket of sockets.clients) socket.terminate();
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      near.closeAllConnections();
      far.closeAllConnections();
      await Promise.all([new Promise((done) => near.close(done)), new Promise((done) => far.close(done))]);
    },
  };
}
