import { HttpError } from '../../base/http-error.ts';
import { ANSWER_MS } from '../../contract/limits.ts';
import { logError } from '../errors.ts';
import type { Step } from '../request-context.ts';
import type { Route } from '../route-table.ts';
import { sendError } from '../send.ts';

/**
 * Answers 503 when a route's time is over, whatever it waits for. Work in progress may still complete: a command that
 * is sent again under its key counts once. The time restarts once the body is read.
 */
export function deadline({ declaration }: Route): Step {
  const withinMs = declaration.answerMs ?? ANSWER_MS;
  return (req, res, next) => {
    const { context } = res.locals;
    const over = new AbortController();
    const timer = setTimeout(() => {
      // Streams end themselves.
      if (res.headersSent) return;
      context.isLate = true;
      over.abort();
      const late = new HttpError(503, 'TOO_SLOW', 'The server took too long to answer. Try again in a moment.', {
        retryAfterSeconds: 5,
      });
      logError(context, late, late);
      sendError(req, res, late, context.requestId);
    }, withinMs);
    res.once('close', () => {
      clearTimeout(timer);
      over.abort();
    });
    context.over = over.signal;
    context.bodyRead = () => void timer.refresh();
    next();
  };
}
