import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import express, { type ErrorRequestHandler, type NextFunction, type Request, type Response } from 'express';
import { botApi } from './bot-api.ts';
import { isLoopback } from './codes.ts';
import { control } from './control.ts';
import { loginWidget } from './login-widget.ts';
import { miniAppHost } from './mini-app.ts';
import { type Fault, freshState } from './state.ts';
import { telegramOidc } from './telegram-oidc.ts';
import type { NonceMode, World } from './world.ts';
import { xApi } from './x-api.ts';

export type SandboxOptions = {
  /** 0 picks a free port. */
  port: number;
  log?: (line: string) => void;
  /** The app's origin when it is not on this computer's loopback names; redirects go nowhere else. */
  appOrigin?: string;
  now?: () => Date;
  nonce?: NonceMode;
};

/**
 * Starts a stand-in for Telegram (OpenID provider, Bot API) and X (OAuth 2.0, users/me, oEmbed) on 127.0.0.1. Rejects
 * with `EADDRINUSE` when the port is taken.
 */
export async function startSandbox(options: SandboxOptions): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const held = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      held.delete(socket);
    });
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const world: World = {
    url: `http://127.0.0.1:${port}`,
    appOrigin: options.appOrigin,
    now: options.now ?? (() => new Date()),
    log: options.log ?? (() => undefined),
    nonce: options.nonce ?? 'absent',
    state: freshState(),
    releaseHeld() {
      for (const socket of held) socket.destroy();
    },
  };

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((req, res, next) => {
    // Another name that resolves to this computer is another site's page (DNS rebinding).
    if (!isLoopback(hostOf(req))) {
      return void res.status(421).send('the sandbox answers on loopback names only');
    }
    world.log(`${req.method} ${req.path.replace(/^\/bot[^/]+/, '/bot…')}`);
    res.set('cache-control', 'no-store').set('x-frame-options', 'DENY').set('referrer-policy', 'no-referrer');
    next();
  });
  app.use('/control', control(world));
  app.use((req, res, next) => fault(world, held, req, res, next));
  app.use(express.json());
  app.use(express.text({ type: 'application/x-www-form-urlencoded' }));
  app.use(loginWidget(world));
  app.use(telegramOidc(world));
  app.use(miniAppHost(world));
  app.use(botApi(world));
  app.use(xApi(world));
  app.use((_req, res) => {
    res.status(404).json({ error: 'not found' });
  });
  app.use(answerError(world));
  server.on('request', app);

  return {
    url: world.url,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The host name in the request; empty when invalid. */
function hostOf(req: Request): string {
  const url = `http://${req.headers.host ?? ''}`;
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/** JSON, not Express's page with its stack. Express recognizes an error handler by its four parameters. */
function answerError(world: World): ErrorRequestHandler {
  return (error: unknown, _req, res, next) => {
    if (res.headersSent) return next(error);
    const status = error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
    if (status >= 500) world.log(`failed: ${String(error)}`);
    const message = error instanceof Error && status < 500 ? error.message : 'the sandbox failed';
    res.status(status).json({ error: message });
  };
}

/** Spends the first fault whose `match` is part of `METHOD /path?query`. */
function fault(world: World, held: Set<Socket>, req: Request, res: Response, next: NextFunction): void {
  const line = `${req.method} ${req.originalUrl}`;
  const found = world.state.faults.find((one) => one.left > 0 && line.includes(one.match));
  if (!found) {
    next();
    return;
  }
  found.left -= 1;
  FAULTS[found.mode](world, held, req, res);
}

const RETRY_AFTER_SECONDS = 3;
const FAULTS: Record<Fault['mode'], (world: World, held: Set<Socket>, req: Request, res: Response) => void> = {
  '429'(world, _held, req, res) {
    res.status(429);
    if (req.path.startsWith('/bot')) {
      const description = `Too Many Requests: retry after ${RETRY_AFTER_SECONDS}`;
      res.json({ ok: false, error_code: 429, description, parameters: { retry_after: RETRY_AFTER_SECONDS } });
      return;
    }
    res.set('x-rate-limit-reset', String(Math.floor(world.now().getTime() / 1000) + RETRY_AFTER_SECONDS));
    res.json({ title: 'Too Many Requests', type: 'about:blank', status: 429, detail: 'Too Many Requests' });
  },
  '5xx'(_world, _held, _req, res) {
    res.status(502).type('html').send('<html><body>502 Bad Gateway</body></html>');
  },
  timeout(_world, held, req) {
    held.add(req.socket);
  },
  reset(_world, _held, req) {
    req.socket.resetAndDestroy();
  },
};
