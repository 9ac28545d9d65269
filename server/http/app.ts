import type { RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import { notFound } from '../base/http-error.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Declaration } from '../contract/route.ts';
import { SHARED } from '../contract/sw-messages.ts';
import { chainOf } from './chain.ts';
import { checkOrigin } from './csrf.ts';
import { CANCELLED, codeOf, httpErrorOf, logError } from './errors.ts';
import { createExpress } from './express.ts';
import type { Handlers } from './handler.ts';
import { headersOfAll } from './headers.ts';
import { mountRoutes } from './mount.ts';
import { createRateLimiter } from './rate-limiter.ts';
import type { ErrorStep } from './request-context.ts';
import { requestLog } from './request-log.ts';
import { originForm } from './request-parts.ts';
import { routeTable } from './route-table.ts';
import { sendError } from './send.ts';
import { type Client, serveClient } from './static.ts';
import { createStreams } from './streams.ts';
import { countLandings } from './visits.ts';

export type AppOptions = {
  /** The built client; absent in development, where Vite serves it. */
  client?: Client;
  /** Answers `/metrics`; absent where nobody asks. */
  metrics?: RequestListener | null;
  /** The route list; another one than the contract's only in tests of this function. */
  declarations?: Readonly<Record<string, Declaration>>;
  /** How often the sessions of open streams are checked. Tests set another interval. */
  streamCheckMs?: number;
};

/**
 * The whole HTTP surface: every route of the contract, and the built client.
 * Throws when routes and handlers do not fit (see `routeTable`).
 */
export function createApp(runtime: Runtime, handlers: readonly Handlers[], options: AppOptions = {}): RequestListener {
  const app = createExpress();
  const limiter = createRateLimiter();
  const streams = createStreams(runtime, options.streamCheckMs);
  app.use(requestLog(runtime), everyAnswer(runtime));
  app.post(SHARED, shareMissed);
  app.use(sameSite(runtime));
  if (options.metrics) app.get('/metrics', options.metrics);
  mountRoutes(app, routeTable(handlers, options.declarations), (route) =>
    chainOf(runtime, { limiter, streams }, route),
  );
  app.use('/api', nothingHere);
  if (options.client) app.use(countLandings(runtime));
  app.use(options.client ? serveClient(options.client, runtime) : nothingHere);
  app.use(answerError);
  return (req, res) => {
    req.url = originForm(req.url);
    app(req, res);
  };
}

function everyAnswer(runtime: Runtime): RequestHandler {
  const headers = headersOfAll(runtime);
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}

/**
 * The system's share sheet posts to the service worker. Without one the form arrives here, with Fetch Metadata `none`:
 * the body is not read, and the page asks the member to share again.
 */
const shareMissed: RequestHandler = (_req, res) => res.redirect(303, `${SHARED}?lost=missed`);

/** No change that another site could have caused. */
function sameSite({ config }: Runtime): RequestHandler {
  return (req, _res, next) => {
    checkOrigin(req.method, req.headers, config.publicOrigin);
    next();
  };
}

function nothingHere(): never {
  throw notFound('address');
}

/** Express recognizes an error handler by its four parameters. */
const answerError: ErrorStep = (error: unknown, req, res, _next) => {
  const { context } = res.locals;
  const httpError = httpErrorOf(error);
  // A request whose caller is gone is cancelled: that is no failure.
  if (!(context.over.aborted && codeOf(error) === CANCELLED)) logError(context, error, httpError);
  if (context.isLate) return;
  sendError(req, res, httpError, context.requestId);
};
