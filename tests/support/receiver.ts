import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { World } from '../../server/integrations/outward/post.ts';
import { certificate } from './certificate.mjs';

export type Received = { path: string; headers: IncomingHttpHeaders; body: string };
export type Receiver = {
  received: Received[];
  /** TCP connections that were ever made to it. */
  connections(): number;
  /** How it answers from now on. */
  answer(how: (response: ServerResponse) => void): void;
  /** The open internet in which every name of the certificate is this receiver. */
  world: World & { port: number };
  close(): Promise<void>;
};

/** A server on 127.0.0.1 that speaks TLS as `hooks.example.org`. */
export async function startReceiver(): Promise<Receiver> {
  const { key, cert } = certificate('hooks.example.org');
  const received: Received[] = [];
  let how = (response: ServerResponse): void => {
    response.writeHead(200).end('ok');
  };
  let connections = 0;
  const server = createServer({ key, cert }, (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      how(response);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    received,
    connections: () => connections,
    answer(next) {
      how = next;
    },
    world: { port, ca: cert, isAllowed: () => true, resolve: answering('127.0.0.1') },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A look-up that answers these addresses for every name, in this order. */
export function answering(...addresses: string[]): NonNullable<World['resolve']> {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_name, options, tell) => {
    const [first] = found;
    if (options.all) tell(null, found);
    else tell(null, first?.address ?? '', first?.family ?? 4);
  };
}
