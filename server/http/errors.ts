import type { Logger } from 'pino';
import { HttpError } from '../base/http-error.ts';
import type { ApiError } from '../contract/errors.ts';
import { isStorageAway, outOf } from '../storage/away.ts';
import { BUSY } from '../storage/deadline.ts';

/**
 * PostgreSQL cancelled a statement: it took too long, or its caller is gone. Now and then a cancel request hits the
 * next statement.
 */
export const CANCELLED = '57014';
/** PostgreSQL gave up on a race; the same request will do a moment later. */
const RACE_LOST = new Set(['40001', '40P01', '55P03', CANCELLED]);

/** `code` of a Node or PostgreSQL error; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : undefined;
}

/**
 * Turns any thrown value into the caller's error response. Only a `HttpError` keeps its message; others would leak
 * internals.
 */
export function httpErrorOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (isStorageAway(error)) return storageAway();
  if (codeOf(error) === BUSY) {
    return new HttpError(503, 'STORAGE_BUSY', 'The server is busy, so nothing was changed. Try again in a moment.', {
      retryAfterSeconds: 2,
    });
  }
  const lacking = outOf(error);
  if (lacking !== null) return storageFull(lacking);
  if (RACE_LOST.has(codeOf(error))) {
    return new HttpError(503, 'TRY_AGAIN', 'The server was busy with the same thing. Nothing was changed.', {
      retryAfterSeconds: 1,
    });
  }
  // The router's own: a path that does not decode.
  if (error instanceof URIError || statusOf(error) === 400) {
    return new HttpError(400, 'BAD_PATH', 'The address does not decode.');
  }
  return new HttpError(500, 'INTERNAL', 'Something went wrong on the server. It has been written down.');
}

/** The connection failed during the command, so it is unknown whether it was written. Sending it again is safe. */
export const storageAway = (): HttpError =>
  new HttpError(503, 'STORAGE_AWAY', 'The server cannot reach its storage just now. Try again in a moment.', {
    details: { cause: 'unreachable' },
    retryAfterSeconds: 5,
  });

/** Storage answers but is full: nothing was written. */
export const storageFull = (cause: 'disk' | 'memory'): HttpError =>
  new HttpError(
    503,
    'STORAGE_FULL',
    `The server has no ${cause === 'disk' ? 'disk space' : 'memory'} left, so nothing was changed. Try again in a moment.`,
    { details: { cause }, retryAfterSeconds: 15 },
  );

/** The one shape of every error response. */
export function errorBody(error: HttpError, requestId: string): ApiError {
  return {
    status: error.status,
    reason: error.reason,
    message: error.message,
    ...(error.details === undefined ? {} : { details: error.details }),
    requestId,
  };
}

/** What a process says to proxies once it was told to stop: no failure. */
export const serverGoing = (): HttpError =>
  new HttpError(503, 'SERVER_GOING', 'This process is about to stop. Another one answers in a moment.', {
    retryAfterSeconds: 1,
  });

/** While something is down or full, one error in this interval is logged with its stack. */
const LOGGED_EVERY_MS = 10_000;
const LASTING = new Set(['STORAGE_AWAY', 'STORAGE_BUSY', 'STORAGE_FULL', 'TOO_SLOW']);
const loggedAt = new Map<string, number>();
function wasLogged(reason: string): boolean {
  const now = performance.now();
  if (now - (loggedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < LOGGED_EVERY_MS) return true;
  loggedAt.set(reason, now);
  return false;
}

/**
 * Logs the error with its stack under the request's id. Errors that repeat for every request while something is down
 * get one stack per interval; each request still has its own line.
 */
export function logError(context: { readonly log: () => Logger }, error: unknown, { status, reason }: HttpError): void {
  if (status < 500 || reason === 'SERVER_GOING' || (LASTING.has(reason) && wasLogged(reason))) return;
  context.log().error({ err: error, reason }, 'request failed');
}
