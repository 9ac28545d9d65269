import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Runtime } from '../base/runtime.ts';
import { callerReader } from './caller.ts';

const QUIET = new Set(['GET /livez', 'GET /readyz', 'GET /api/health']);

/** What is known of a request while it is answered. */
export type Exchange = {
  readonly requestId: string;
  /**
   * Names the request in every line. A function and no getter: an object literal with a getter is of a shape of its own,
   * which V8 keeps, and all that the request held with it, until the next full collection.
   */
  readonly log: () => Logger;
  /** Address of who asked; see `callerReader`. */
  readonly ip: string;
  /** Key of the route that answers, and who asked, once they are known. */
  route: string | null;
  userId: string | null;
};

/** Gives requests their id (`X-Request-Id` of the answer) and logger, and writes one line when one is over. */
export function requestLog(
  runtime: Pick<Runtime, 'log' | 'config'>,
): (req: IncomingMessage, res: ServerResponse) => Exchange {
  const callerOf = callerReader(runtime.config.trustedProxies);
  let isWarned = runtime.config.trustedProxies.length > 0;
  return (req, res) => {
    if (!isWarned && req.headers['x-forwarded-for'] !== undefined) {
      isWarned = true;
      runtime.log.warn(
        'A proxy names whom it asks for, but is not trusted: all of them count as one address. Set TRUSTED_PROXIES.',
      );
    }
    const requestId = randomUUID();
    const startedAt = performance.now();
    let log: Logger | null = null;
    const exchange: Exchange = {
      requestId,
      // Most requests write nothing but the line at their end, which needs no logger of its own.
      log: () => {
        log ??= runtime.log.child({ requestId });
        return log;
      },
      ip: callerOf(req),
      route: null,
      userId: null,
    };
    res.setHeader('X-Request-Id', requestId);
    res.once('close', () => {
      const { route, userId } = exchange;
      const level = route === null || QUIET.has(route) ? 'debug' : 'info';
      if (!runtime.log.isLevelEnabled(level)) return;
      const line = {
        requestId,
        method: req.method,
        route: route ?? 'none',
        // Never the query: codes and states travel there.
        path: req.url?.split('?', 1)[0]?.slice(0, 500),
        status: res.statusCode,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(userId === null ? {} : { userId }),
        ...(res.writableFinished ? {} : { aborted: true }),
      };
      runtime.log[level](line, 'request');
    });
    return exchange;
  };
}
