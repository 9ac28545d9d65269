import { createServer, type RequestListener, type Server } from 'node:http';
import type { Config } from './config.ts';

const HEADERS_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 30_000;
const DRAIN_WITHIN_MS = 10_000;
const IDLE_CHECK_MS = 50;

/** The port cannot be used; the message says the way out. */
export class PortError extends Error {
  constructor(name: 'PORT' | 'SANDBOX_PORT', port: number, code: string | undefined) {
    const why = code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be opened (${code})`;
    super(`Port ${port} ${why}. Choose another one: ${name}=${port + 100} npm start`);
    this.name = 'PortError';
  }
}

/** Listens on the configuration's host and port. Slow senders are cut off. Throws `PortError`. */
export function listen(app: RequestListener, { host, port }: Pick<Config, 'host' | 'port'>): Promise<Server> {
  const server = createServer({ headersTimeout: HEADERS_WITHIN_MS, requestTimeout: REQUEST_WITHIN_MS }, app);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.syscall === 'listen' ? new PortError('PORT', port, error.code) : error),
    );
    server.listen(port, host, () => resolve(server));
  });
}

/** Takes no new connection, lets running requests finish for up to 10 s, then cuts what is left. */
export function drain(server: Server, withinMs = DRAIN_WITHIN_MS): Promise<void> {
  return new Promise((resolve) => {
    // Kept-alive connections become idle one by one as their requests finish.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    const cut = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearInterval(idle);
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
