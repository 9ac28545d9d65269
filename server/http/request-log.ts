import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Runtime } from '../base/runtime.ts';
import { callerReader } from './caller.ts';
import { newContext, type Step } from './request-context.ts';

const QUIET = new Set(['GET /livez', 'GET /readyz', 'GET /api/health']);

/** Gives requests their context and id (`X-Request-Id` of the answer), and writes one line when one is over. */
export function requestLog(runtime: Pick<Runtime, 'log' | 'config'>): Step {
  const callerOf = callerReader(runtime.config.trustedProxies);
  let isWarned = runtime.config.trustedProxies.length > 0;
  return (req, res, next) => {
    if (!isWarned && req.headers['x-forwarded-for'] !== undefined) {
      isWarned = true;
      runtime.log.warn(
        'A proxy names whom it asks for, but is not trusted: all of them count as one address. Set TRUSTED_PROXIES.',
      );
    }
    const requestId = randomUUID();
    const startedAt = performance.now();
    let log: Logger | null = null;
    // Most requests only write their last line, which needs no child logger.
    const ownLog = () => {
      log ??= runtime.log.child({ requestId });
      return log;
    };
    const context = newContext({ requestId, log: ownLog, ip: callerOf(req) });
    res.locals.context = context;
    res.setHeader('X-Request-Id', requestId);
    res.once('close', () => {
      const { route, userId } = context;
      const level = route === null || QUIET.has(route) ? 'debug' : 'info';
      if (!runtime.log.isLevelEnabled(level)) return;
      const line = {
        requestId,
        method: req.method,
        route: route ?? 'none',
        // Never the query: codes and states travel there.
        path: req.url.split('?', 1)[0]?.slice(0, 500),
        status: res.statusCode,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(userId === null ? {} : { userId }),
        ...(res.writableFinished ? {} : { aborted: true }),
      };
      runtime.log[level](line, 'request');
    });
    next();
  };
}
