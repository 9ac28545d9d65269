import type { ServerResponse } from 'node:http';
import type { Sql, TransactionSql } from 'postgres';
import type { Runtime } from '../base/runtime.ts';
import { until } from '../storage/until.ts';
import { wayOf } from './caller.ts';
import { type CookieOptions, cookieLine, sessionCookie } from './cookies.ts';
import type { ReqRes } from './request-context.ts';
import type { AnyCall, Route } from './route-table.ts';

/** What the handler is given of a request; `sql` is the pool, or the transaction of a command. */
export function callOf(runtime: Runtime, route: Route, { req, res }: ReqRes, sql: Sql | TransactionSql): AnyCall {
  const { context } = res.locals;
  const { access, allowRevoked, stream } = route.declaration;
  // Public routes show the same to everyone, so a revoked member is treated as a stranger there, except on routes for
  // leaving or reporting a fault.
  const actor = access === 'public' && !allowRevoked ? context.asker : context.actor;
  const { community } = context;
  return {
    runtime,
    // A mutation completes even when its caller is gone: a repeat gets its answer.
    sql: route.method === 'GET' ? until(context.over, sql as Sql) : sql,
    params: context.params,
    body: context.body,
    query: context.query,
    actor,
    community,
    scope: {
      ...context.params,
      ...(community && { communityId: community.id, role: community.role }),
      userId: actor?.userId ?? null,
      now: runtime.now(),
    },
    requestId: context.requestId,
    userAgent: req.headers['user-agent'] ?? null,
    ip: context.ip,
    way: () => wayOf(req, runtime.config.trustedProxies),
    log: context.log,
    cookies: context.cookies,
    setCookie: (name: string, value: string, options: CookieOptions) =>
      void res.append('Set-Cookie', cookieLine(runtime.config, name, value, options)),
    clearCookie: (name: string) => {
      // A partitioned cookie is only cleared by a partitioned one.
      const framed = name === sessionCookie(runtime.config, 'mini_app');
      const gone: CookieOptions = { maxAgeMs: 0, sameSite: framed ? 'None' : 'Lax', partitioned: framed };
      res.append('Set-Cookie', cookieLine(runtime.config, name, '', gone));
    },
    setHeader: (name: string, value: string) => void res.setHeader(name, value),
    setStatus: (status: number) => {
      res.statusCode = status;
    },
    gone: stream ? goneOf(res) : NEVER,
    lastEvent: stream ? lastEventOf(req.headers['last-event-id']) : undefined,
  };
}

/** Accepts only an id that we sent; anything else counts as none. */
const lastEventOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && /^\d{1,18}$/.test(header) ? header : undefined;

const NEVER = new AbortController().signal;
function goneOf(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  // The caller hung up while the session was read.
  if (res.destroyed) gone.abort();
  res.once('close', () => gone.abort());
  return gone.signal;
}
