import { bearerOf } from '../api-key.ts';
import { readCookies } from '../cookies.ts';
import type { Step } from '../request-context.ts';
import type { Route } from '../route-table.ts';

/** Reads who the request claims to be from: cookies or API key. Nothing is looked up yet. A key wins over cookies. */
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
