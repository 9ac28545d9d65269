import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from './config.ts';
import { connectionLimit, proxiesOf } from './connections.ts';
import { EXPRESS_CLASSES } from './http/express.ts';

const HEADERS_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 30_000;
const DRAIN_WITHIN_MS = 5_000;
/** How long a drain waits for the first request of a connection: browsers open some ahead of need. */
const FIRST_REQUEST_WITHIN_MS = 1_000;
/**
 * Slow clients are checked at this interval; with Node's own 30 s each could drip three times as long as the limits
 * say.
 */
const CHECKED_EVERY_MS = 1_000;

/** Not the port, but what it is to be opened on: a name that nothing is known of, an address of another machine. */
const WRONG_HOST = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT']);

/** The port cannot be used; the message says the way out. */
export class PortError extends Error {
  constructor(name: 'PORT' | 'SANDBOX_PORT', { port, host }: { port: number; host: string }, code: string | undefined) {
    // The first 1024 are for root; the last ones leave no room above.
    const other = port < 1024 ? port + 8000 : port > 65_000 ? port - 100 : port + 100;
    const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${code})`;
    super(
      WRONG_HOST.has(code ?? '')
        ? `Nothing can listen on ${host} here (${code}). Choose an address of this machine: HOST=127.0.0.1, or HOST=0.0.0.0 for all of them`
        : `Port ${port} ${why}. Choose another one: ${name}=${other} npm start`,
    );
    this.name = 'PortError';
  }
}

export type Listening = {
  /** Goes on to serve, but each answer from now on ends its connection: proxies open the next one elsewhere. */
  letGo(): void;
  /** Takes no new connection, lets running requests finish for up to `withinMs`, then cuts what is left. */
  drain(withinMs?: number): Promise<void>;
};

type Settings = Pick<Config, 'host' | 'port' | 'trustedProxies' | 'connections'>;

/**
 * Listens on the configuration's host and port. Slow senders are cut off, and so is each connection more than the process,
 * or one address, may have. `isProxy` is another test than of `trustedProxies` only in tests. Throws `PortError`.
 */
export function listen(
  app: RequestListener,
  { host, port, trustedProxies, connections }: Settings,
  isProxy = proxiesOf(trustedProxies),
): Promise<Listening> {
  const timeouts = {
    headersTimeout: HEADERS_WITHIN_MS,
    requestTimeout: REQUEST_WITHIN_MS,
    connectionsCheckingInterval: CHECKED_EVERY_MS,
    // Longer than proxies keep theirs (nginx and Caddy 60 s or more): who ends first has no request on the way.
    keepAliveTimeout: connections.keepAliveS * 1_000,
  };
  const server = createServer({ ...EXPRESS_CLASSES, ...timeouts }, app);
  server.maxConnections = connections.most;
  const mayStay = connectionLimit(connections.perAddress, isProxy);
  // Each open connection with its unanswered requests. Node's own list lacks connections on which a browser has sent
  // nothing yet, and each of them would hold up the drain.
  const open = new Map<Socket, Set<ServerResponse>>();
  let isLeaving = false;
  let draining = false;
  server.on('connection', (socket) => {
    if (!mayStay(socket)) return;
    open.set(socket, new Set());
    socket.once('close', () => open.delete(socket));
  });
  // Before the app, which may answer at once.
  server.prependListener('request', ({ socket }, response) => {
    if (isLeaving) endsConnection(response);
    const answers = open.get(socket);
    answers?.add(response);
    response.once('close', () => {
      answers?.delete(response);
      if (draining && answers?.size === 0) socket.destroySoon();
    });
  });
  const letGo = () => {
    isLeaving = true;
    for (const answers of open.values()) for (const response of answers) endsConnection(response);
  };
  const drain = (withinMs = DRAIN_WITHIN_MS) =>
    new Promise<void>((resolve) => {
      letGo();
      // Right after the event loop took in who had connected: who waits to be taken in when the port closes is cut off.
      setImmediate(() => {
        draining = true;
        const cut = setTimeout(() => server.closeAllConnections(), withinMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        // Node has ended those that rest after a request. A new one may have its request on the way.
        setTimeout(() => {
          for (const [socket, answers] of open) if (answers.size === 0) socket.destroy();
        }, FIRST_REQUEST_WITHIN_MS).unref();
      });
    });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      // A name that is not known fails as it is looked up, before anything is listened on.
      reject(
        ['listen', 'getaddrinfo'].includes(error.syscall ?? '')
          ? new PortError('PORT', { port, host }, error.code)
          : error,
      ),
    );
    server.listen(port, host, () => resolve({ letGo, drain }));
  });
}

function endsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
