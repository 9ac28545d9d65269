import { isDeepStrictEqual } from 'node:util';
import type { Runtime } from '../../base/runtime.ts';
import { callOf } from '../call.ts';
import type { CachedJson, FileAnswer } from '../handler.ts';
import { type Command, once, type StoredAnswer } from '../idempotency.ts';
import type { ReqRes, Step } from '../request-context.ts';
import type { AnyCall, AnyHandler, Route } from '../route-table.ts';
import { sendCached, sendFile, sendJson, sendStored, sendStream } from '../send.ts';
import type { Streams } from '../streams.ts';

/** Runs the handler and sends what it gives. A command's answer is stored in the transaction of its effect. */
export function answer(runtime: Runtime, streams: Streams, route: Route): Step {
  return (req, res) => {
    const reqRes = { req, res };
    const { command } = res.locals.context;
    if (command) return answerCommand(runtime, route, reqRes, command);
    return answerPlain(route, reqRes, callFor(runtime, streams, route, reqRes));
  };
}

async function answerCommand(runtime: Runtime, route: Route, reqRes: ReqRes, id: Command): Promise<void> {
  const { shownOnce } = route.declaration;
  const handler = await route.prepare(callOf(runtime, route, reqRes, runtime.sql));
  const stored = await once(runtime.sql, id, runtime.now(), {
    run: (sql) => runForAnswer(route, handler, callOf(runtime, route, reqRes, sql)),
    toStore: (json) => (shownOnce === undefined ? json : without(json, shownOnce)),
  });
  if (reqRes.res.locals.context.isLate) return;
  return sendStored(reqRes.req, reqRes.res, route.declaration, stored);
}

async function runForAnswer(route: Route, handler: AnyHandler, call: AnyCall): Promise<StoredAnswer> {
  let status: number = route.declaration.status ?? 200;
  const setStatus = (next: number) => {
    status = next;
  };
  const answered = await handler({ ...call, setStatus });
  if (!('json' in answered)) throw new Error(`${route.key} is idempotent and must answer JSON`);
  checkAnswer(route, answered.json);
  return { status, json: answered.json };
}

/** The answer without its secret: what is shown once is stored nowhere. */
function without(json: unknown, field: string): unknown {
  return Object.fromEntries(Object.entries(json as object).filter(([name]) => name !== field));
}

/** Opens the stream's slot before anything listens. */
function callFor(runtime: Runtime, streams: Streams, route: Route, reqRes: ReqRes): AnyCall {
  const call = callOf(runtime, route, reqRes, runtime.sql);
  if (!route.declaration.stream) return call;
  const { actor, community } = reqRes.res.locals.context;
  const over = streams.open(reqRes.res, { actor, community, declaration: route.declaration });
  return { ...call, gone: AbortSignal.any([call.gone as AbortSignal, over]) };
}

async function answerPlain(route: Route, { req, res }: ReqRes, call: AnyCall): Promise<void> {
  const { status, cache } = route.declaration;
  res.statusCode = status ?? 200;
  const handler = await route.prepare(call);
  const answered = await handler(call);
  if (res.locals.context.isLate) return;
  if ('json' in answered) {
    checkAnswer(route, answered.json);
    return sendJson(req, res, { status: res.statusCode, json: answered.json, cache });
  }
  if ('cached' in answered) return sendCached(req, res, answered.cached as CachedJson);
  if ('file' in answered) return sendFile(req, res, { file: answered.file as FileAnswer, cache });
  res.setHeader('Cache-Control', 'no-store');
  if ('stream' in answered) return sendStream(req, res, answered);
  if ('redirect' in answered) {
    res.statusCode = 302;
    res.setHeader('Location', answered.redirect);
  } else res.statusCode = 204;
  res.end();
}

/** In development and tests an answer that does not match its contract is an error. A build does not check. */
function checkAnswer(route: Route, json: unknown): void {
  if (!import.meta.env.DEV) return;
  const sent: unknown = JSON.parse(JSON.stringify(json ?? null));
  const result = route.declaration.output?.safeParse(sent);
  if (!result) throw new Error(`${route.key} answers JSON but declares none`);
  if (!result.success) throw new Error(`${route.key} breaks its contract: ${JSON.stringify(result.error.issues)}`);
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(result.data ?? null)), sent)) {
    throw new Error(
      `${route.key} answers fields that its contract does not know: ${JSON.stringify(sent).slice(0, 2_000)}`,
    );
  }
}
