import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Runtime } from '../base/runtime.ts';
import { callerReader, isFromProxy } from './caller.ts';
import { createMetrics } from './metrics.ts';
import { newContext, type Step } from './request-context.ts';

const QUIET = new Set(['GET /livez', 'GET /readyz', 'GET /api/health']);

/** What a proxy may call a request: nothing that a log or an answer would read as something else. */
const ID = /^[\w.:-]{8,128}$/;
/** W3C Trace Context, version 00: trace, caller's span, flags. No id is all zeros. */
const TRACE = /^00-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/**
 * Gives requests their context and id, and writes one line when one is over. A trusted proxy's `X-Request-Id` and
 * `traceparent` are taken on, and stand in the answer as well.
 */
export function requestLog(runtime: Pick<Runtime, 'log' | 'config' | 'own'>): Step {
  const callerOf = callerReader(runtime.config.trustedProxies);
  const isProxied = isFromProxy(runtime.config.trustedProxies);
  const metrics = runtime.own(createMetrics);
  let isWarned = runtime.config.trustedProxies.length > 0;
  return (req, res, next) => {
    if (!isWarned && req.headers['x-forwarded-for'] !== undefined) {
      isWarned = true;
      runtime.log.warn(
        'A proxy names whom it asks for, but is not trusted: all of them count as one address. Set TRUSTED_PROXIES.',
      );
    }
    const given = isProxied(req) ? req.headers : {};
    const requestId = [given['x-request-id']].flat().find((id) => ID.test(id ?? '')) ?? randomUUID();
    const traceparent = [given['traceparent']].flat()[0] ?? '';
    const traceId = TRACE.exec(traceparent)?.[1];
    const ids = { requestId, ...(traceId === undefined ? {} : { traceId }) };
    const startedAt = performance.now();
    let log: Logger | null = null;
    // Most requests only write their last line, which needs no child logger.
    const ownLog = () => {
      log ??= runtime.log.child(ids);
      return log;
    };
    const context = newContext({ requestId, log: ownLog, ip: callerOf(req) });
    res.locals.context = context;
    res.setHeader('X-Request-Id', requestId);
    if (traceId !== undefined) res.setHeader('traceparent', traceparent);
    res.once('close', () => {
      const { route, userId } = context;
      const isStream = String(res.getHeader('content-type')).startsWith('text/event-stream');
      metrics?.request(route, res.statusCode, isStream ? null : (performance.now() - startedAt) / 1_000);
      const level = route === null || QUIET.has(route) ? 'debug' : 'info';
      if (!runtime.log.isLevelEnabled(level)) return;
      const line = {
        ...ids,
        method: req.method,
        route: route ?? 'none',
        // Never the query: codes and states travel there.
        path: req.url.split('?', 1)[0]?.slice(0, 500),
        // Who left got no answer, whatever was to be said.
        ...(res.writableFinished ? { status: res.statusCode } : { aborted: true }),
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(userId === null ? {} : { userId }),
      };
      runtime.log[level](line, 'request');
    });
    next();
  };
}
