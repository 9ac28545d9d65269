import { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express } from 'express';

/** Node's own classes, with Express's methods on their prototypes. */
class ExpressRequest extends IncomingMessage {}
class ExpressResponse extends ServerResponse {}
Object.defineProperties(ExpressRequest.prototype, Object.getOwnPropertyDescriptors(express.request));
Object.defineProperties(ExpressResponse.prototype, Object.getOwnPropertyDescriptors(express.response));

/**
 * For Node's `createServer`: requests and responses are created as Express's classes. For other servers (Vite's)
 * Express changes each prototype, which is slower (docs/decisions/http-and-routes.md).
 */
export const EXPRESS_CLASSES = { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse };

/** An application without what Express does unasked: our answers have their own tags, and queries their own checks. */
export function createExpress(): Express {
  const app = express();
  app.request = ExpressRequest.prototype as unknown as Express['request'];
  app.response = ExpressResponse.prototype as unknown as Express['response'];
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.use((req, res, next) => {
    // Express sets it on the prototype, which all applications share here.
    req.app = app;
    res.app = app;
    next();
  });
  return app;
}
