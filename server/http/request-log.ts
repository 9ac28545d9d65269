import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Runtime } from './handler.ts';
import type { Locals } from './serve.ts';

const QUIET = new Set(['GET /livez', 'GET /readyz', 'GET /api/health']);

/** Gives the request its id (`X-Request-Id` of the answer) and logger, and writes one line when it is over. */
export function requestLog(runtime: Pick<Runtime, 'log' | 'config'>): RequestHandler {
  let isWarned = runtime.config.trustedProxies.length > 0;
  return (req, res, next) => {
    if (!isWarned && req.headers['x-forwarded-for'] !== undefined) {
      isWarned = true;
      runtime.log.warn(
        'A proxy names whom it asks for, but is not trusted: all of them count as one address. Set TRUSTED_PROXIES.',
      );
    }
    const requestId = randomUUID();
    const locals = res.locals as Partial<Locals>;
    const log = runtime.log.child({ requestId });
    const startedAt = performance.now();
    locals.requestId = requestId;
    locals.log = log;
    res.setHeader('X-Request-Id', requestId);
    res.once('close', () => {
      const route = locals.route ?? 'none';
      const line = {
        method: req.method,
        route,
        // Never the query: codes and states travel there.
        path: req.originalUrl.split('?', 1)[0]?.slice(0, 500),
        status: res.statusCode,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(locals.userId ? { userId: locals.userId } : {}),
        ...(res.writableFinished ? {} : { aborted: true }),
      };
      log[QUIET.has(route) || route === 'none' ? 'debug' : 'info'](line, 'request');
    });
    next();
  };
}
