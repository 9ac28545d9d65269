import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { HttpError } from '../../base/http-error.ts';

export const TIMEOUT_MS = 8_000;
/** What is waited at most where X limits us: its windows are a quarter of an hour. */
const LIMITED_MAX_S = 15 * 60;

/** X's answer as JSON, or its status where it is a refusal (4xx but 429). Throws 503 `X_UNAVAILABLE` for anything else. */
export type Answer = { json: unknown } | { refused: number };

/** Calls X's API. Neither tokens nor answers are logged. */
export function apiCaller(apiRoot: string, log: Logger) {
  return async (path: string, init: RequestInit): Promise<Answer> => {
    const [route = ''] = path.split('?');
    let answer: Response;
    try {
      answer = await fetch(new URL(path, apiRoot), {
        ...init,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (answer.ok) return { json: await answer.json() };
      await answer.body?.cancel();
    } catch (error) {
      log.warn({ path: route, problem: error instanceof Error ? error.name : 'unknown' }, 'X did not answer');
      throw away();
    }
    log.warn({ path: route, status: answer.status }, 'X refused');
    if (answer.status === 429) throw away(limitedFor(answer.headers));
    if (answer.status >= 500) throw away();
    return { refused: answer.status };
  };
}
export type ApiCall = ReturnType<typeof apiCaller>;

/** Seconds until X answers again: `x-rate-limit-reset` is a moment, `retry-after` a time. */
function limitedFor(headers: Headers): number {
  const [reset, after] = [Number(headers.get('x-rate-limit-reset')), Number(headers.get('retry-after'))];
  const seconds = reset > 0 ? reset - Date.now() / 1_000 : after;
  return Math.min(LIMITED_MAX_S, Math.max(5, Math.ceil(seconds || 5)));
}

/** X's answer in the expected shape. Throws 503 `X_UNAVAILABLE` for any other. */
export function understood<S extends z.ZodMiniType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw away();
  return parsed.data;
}

export const away = (retryAfterSeconds = 5) =>
  new HttpError(503, 'X_UNAVAILABLE', 'X cannot be reached just now. Please try again in a moment.', {
    retryAfterSeconds,
  });

export const xId = z.string().check(z.regex(/^\d{1,20}$/));
export const bearer = (access: string): RequestInit => ({ headers: { authorization: `Bearer ${access}` } });
