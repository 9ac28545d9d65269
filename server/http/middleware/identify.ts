import { bearerOf } from '../api-key.ts';
import { readCookies } from '../cookies.ts';
import type { Step } from '../request-context.ts';
import type { Route } from '../route-table.ts';

/**
 * Who the request says it is from: its cookies or its API key. Nothing is looked up yet. A key goes before the cookies
 * beside it, which then count nothing.
 */
export function identify(route: Route): Step {
  return (req, res, next) => {
    const { context } = res.locals;
    context.route = route.key;
    context.bearer = bearerOf(req.headers.authorization);
    if (context.bearer === null && route.declaration.anySite === undefined)
      context.cookies = readCookies(req.headers.cookie);
    next();
  };
}
