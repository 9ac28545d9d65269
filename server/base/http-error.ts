import type { ErrorDetails, Missing } from '../contract/refusals.ts';

/** A typed error response: the only way for product code to answer an error. `message` is for people. */
export class HttpError extends Error {
  readonly status: number;
  readonly reason: string;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    reason: string,
    message: string,
    extra: { details?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.reason = reason;
    this.details = extra.details;
    this.retryAfterSeconds = extra.retryAfterSeconds;
  }
}

/** 404 `NOT_FOUND`: also for things that exist but that the caller may not know of. */
export const notFound = (what: Missing): HttpError =>
  new HttpError(404, 'NOT_FOUND', `There is no such ${what} here.`, { details: { what } });

/** 403 `NOT_ALLOWED`: a leader may do what a moderator may. */
export const notAllowed = (needs: ErrorDetails['NOT_ALLOWED']['needs']): HttpError =>
  new HttpError(403, 'NOT_ALLOWED', `Only a ${needs} of this community may do this.`, { details: { needs } });
