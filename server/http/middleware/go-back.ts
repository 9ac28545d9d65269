import type { Declaration } from '../../contract/route.ts';
import { httpErrorOf, logError } from '../errors.ts';
import { namesHtml } from '../negotiate.ts';
import type { ErrorStep } from '../request-context.ts';
import { sendBack } from '../send.ts';

/** Sends a person whose browser was refused back to a page that explains it; a program gets the error itself. */
export function goBack(backTo: NonNullable<Declaration['backTo']>): ErrorStep {
  return (error: unknown, req, res, next) => {
    if (!namesHtml(req)) return next(error);
    const httpError = httpErrorOf(error);
    logError(res.locals.context, error, httpError);
    sendBack(res, `${backTo}=${httpError.reason}`);
  };
}
