import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import type { Declaration } from '../contract/route.ts';
import { BUILD_HEADER } from '../contract/sw-messages.ts';
import { sendRefusal } from './answer.ts';
import { checkOrigin } from './csrf.ts';
import { noteError, refusalOf } from './errors.ts';
import type { Handlers, Runtime } from './handler.ts';
import { securityHeaders } from './headers.ts';
import { Refusal } from './refusal.ts';
import { requestLog } from './request-log.ts';
import { type Route, routeTable } from './route-table.ts';
import { type Locals, serve } from './serve.ts';
import { type Client, serveClient } from './static.ts';
import { sweepNowAndThen } from './sweep.ts';

export type AppOptions = {
  /** The built client; absent in development, where Vite serves it. */
  client?: Client;
  /** The route list; another one than the contract's only in tests of this function. */
  declarations?: Readonly<Record<string, Declaration>>;
};

/**
 * The whole HTTP surface: every route of the contract, and the built client.
 * Throws when routes and handlers do not fit (see `routeTable`).
 */
export function createApp(runtime: Runtime, handlers: readonly Handlers[], options: AppOptions = {}): express.Express {
  const table = routeTable(handlers, options.declarations);
  const app = express();
  for (const setting of ['x-powered-by', 'etag', 'query parser']) app.disable(setting);
  app.set('trust proxy', runtime.config.trustedProxies);
  app.enable('strict routing');
  app.enable('case sensitive routing');

  app.use(requestLog(runtime));
  app.use(...securityHeaders(runtime.config));
  app.use((_req, res, next) => {
    res.setHeader(BUILD_HEADER, runtime.build);
    next();
  });
  app.use((req, _res, next) => {
    checkOrigin(req.method, req.headers, runtime.config.publicOrigin);
    next();
  });
  app.use(sweepNowAndThen(runtime));
  for (const [path, routes] of byPath(table)) {
    const entry = app.route(path);
    for (const route of routes) entry[verbOf(route)](serve(runtime, route));
    entry.all(wrongMethod(routes));
  }
  app.use('/api', nothingHere);
  if (options.client) app.use(serveClient(options.client, runtime));
  app.use(nothingHere);
  app.use(answerError(runtime));
  return app;
}

function byPath(table: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  // A fixed segment goes before a parameter in the same place.
  const ordered = [...table].sort((a, b) => (rank(a.path) < rank(b.path) ? -1 : 1));
  for (const route of ordered) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return paths;
}

const rank = (path: string): string => path.replaceAll(':', '\uffff');

const verbOf = (route: Route): 'get' | 'post' | 'put' | 'patch' | 'delete' =>
  route.method.toLowerCase() as Lowercase<Route['method']>;

function wrongMethod(routes: readonly Route[]) {
  const allowed = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return (req: Request, res: Response) => {
    res.setHeader('Allow', allowed);
    throw new Refusal(405, 'METHOD_NOT_ALLOWED', `${req.method} is not possible here; ${allowed} is.`);
  };
}

function nothingHere(): never {
  throw new Refusal(404, 'NOT_FOUND', 'There is nothing at this address.');
}

/** Express tells an error handler by its four parameters. */
function answerError(runtime: Runtime): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const { requestId, log } = res.locals as Locals;
    const refusal = refusalOf(error);
    noteError(log ?? runtime.log, error, refusal);
    sendRefusal(req, res, refusal, requestId);
  };
}
