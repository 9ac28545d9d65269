import type { Express } from 'express';
import { HttpError } from '../base/http-error.ts';
import { goBack } from './middleware/go-back.ts';
import type { Step } from './request-context.ts';
import type { Route } from './route-table.ts';

/**
 * Registers every route with its middlewares. Express answers HEAD as GET. Another method than a path's gets 405 with
 * the allowed ones. A path that does not decode is passed on as a `URIError`.
 */
export function mountRoutes(app: Express, table: readonly Route[], chain: (route: Route) => Step[]): void {
  for (const { path, routes } of routesByPath(table)) {
    const handlers = app.route(path);
    for (const route of routes) {
      const { backTo } = route.declaration;
      const verb = route.method.toLowerCase() as Lowercase<Route['method']>;
      handlers[verb](...chain(route));
      if (backTo !== undefined) handlers[verb](goBack(backTo));
    }
    const allowed = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    handlers.all((req, res) => {
      res.setHeader('Allow', allowed);
      throw new HttpError(405, 'METHOD_NOT_ALLOWED', `${req.method} is not possible here; ${allowed} is.`);
    });
  }
}

type PathRoutes = { path: string; routes: Route[] };

/**
 * Routes by path in matching order: a fixed segment before a parameter, so `/things/newest` is never the thing called
 * `newest`.
 */
function routesByPath(table: readonly Route[]): PathRoutes[] {
  const byPath = new Map<string, PathRoutes>();
  for (const route of table) {
    const entry = byPath.get(route.path) ?? { path: route.path, routes: [] };
    entry.routes.push(route);
    byPath.set(route.path, entry);
  }
  // No fixed segment is behind the last character there is, whatever a parameter is called.
  const rank = ({ path }: PathRoutes) => path.replace(/:\w+/g, '\uffff');
  return [...byPath.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}
