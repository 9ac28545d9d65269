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
