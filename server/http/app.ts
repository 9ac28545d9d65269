import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { HttpError } from '../base/http-error.ts';
import type { Runtime } from '../base/runtime.ts';
import type { Declaration } from '../contract/route.ts';
import { sendRefusal } from './answer.ts';
import { checkOrigin } from './csrf.ts';
import { noteError, refusalOf } from './errors.ts';
import type { Handlers } from './handler.ts';
import { headersOfAll } from './headers.ts';
import { type Exchange, requestLog } from './request-log.ts';
import { routeTable } from './route-table.ts';
import { createRouter } from './router.ts';
import { serve } from './serve.ts';
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
export function createApp(runtime: Runtime, handlers: readonly Handlers[], options: AppOptions = {}): RequestListener {
  const router = createRouter(routeTable(handlers, options.declarations), (route) => serve(runtime, route));
  const client = options.client ? serveClient(options.client, runtime) : nothingHere;
  const begin = requestLog(runtime);
  const headers = headersOfAll(runtime);
  const sweepWhenDue = sweepNowAndThen(runtime);

  async function answer(req: IncomingMessage, res: ServerResponse, exchange: Exchange): Promise<void> {
    const method = req.method ?? 'GET';
    checkOrigin(method, req.headers, runtime.config.publicOrigin);
    sweepWhenDue();
    const path = pathOf(req.url ?? '/');
    const found = router(method, path);
    if (found?.is === 'route') return found.route(req, res, exchange, found.params);
    if (found) {
      res.setHeader('Allow', found.allowed);
      throw new HttpError(405, 'METHOD_NOT_ALLOWED', `${method} is not possible here; ${found.allowed} is.`);
    }
    if (path === '/api' || path.startsWith('/api/')) nothingHere();
    return client(req, res);
  }

  return (req, res) => {
    // Proxies may send the whole URL (RFC 9112, section 3.2.2).
    if (req.url?.startsWith('http')) req.url = originForm(req.url);
    const exchange = begin(req, res);
    for (const [name, value] of headers) res.setHeader(name, value);
    answer(req, res, exchange).catch((error: unknown) => {
      const refusal = refusalOf(error);
      noteError(exchange, error, refusal);
      sendRefusal(req, res, refusal, exchange.requestId);
    });
  };
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

function originForm(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

function nothingHere(): never {
  throw new HttpError(404, 'NOT_FOUND', 'There is nothing at this address.');
}
