import findMyWay from 'find-my-way';
import type { Route } from './route-table.ts';

export type Found<T> =
  | { is: 'route'; route: T; params: Record<string, string> }
  | { is: 'wrong method'; allowed: string };
/** What is at a path, or null. Throws `URIError` for a parameter that does not decode. */
export type Router<T> = (method: string, path: string) => Found<T> | null;

/** Longer parameters lead nowhere: no name or id of ours is as long. */
const PARAMETER_MOST = 500;

/**
 * Finds routes by their path, where a fixed segment goes before a parameter. Letters and slashes count as they are;
 * `HEAD` is answered as `GET`.
 */
export function createRouter<T>(table: readonly Route[], served: (route: Route) => T): Router<T> {
  const ways = findMyWay({
    caseSensitive: true,
    ignoreTrailingSlash: false,
    maxParamLength: PARAMETER_MOST,
    onBadUrl: () => undefined,
  });
  // A path is found whatever the method, so that a wrong one can be told which there are.
  const places = new Map<string, Map<string, T>>();
  for (const route of table) {
    const methods = places.get(route.path) ?? new Map<string, T>();
    if (methods.size === 0) ways.on('GET', route.path, () => undefined, methods);
    places.set(route.path, methods.set(route.method, served(route)));
  }
  return (method, path) => {
    const found = ways.find('GET', path);
    if (!found) return null;
    const methods: Map<string, T> | null = found.store;
    if (methods === null) throw new URIError(`${path} does not decode`);
    const params = found.params as Record<string, string>;
    if (Object.values(params).includes('')) return null;
    const route = methods.get(method === 'HEAD' ? 'GET' : method);
    return route === undefined ? { is: 'wrong method', allowed: allowedBy(methods) } : { is: 'route', route, params };
  };
}

const allowedBy = (methods: ReadonlyMap<string, unknown>): string =>
  [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
