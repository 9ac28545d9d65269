import type { Route } from './route-table.ts';

/** A path of the table with what answers it, by method. `names` are those of its parameters, from left to right. */
type Place<T> = { names: readonly string[]; methods: Map<string, T> };
type Node<T> = { fixed: Map<string, Node<T>>; named: Node<T> | null; place: Place<T> | null };

export type Found<T> =
  | { is: 'route'; route: T; params: Record<string, string> }
  | { is: 'wrong method'; allowed: string };
/** What is at a path, or null. Throws `URIError` for a parameter that does not decode. */
export type Router<T> = (method: string, path: string) => Found<T> | null;

const emptyNode = <T>(): Node<T> => ({ fixed: new Map(), named: null, place: null });

/**
 * Finds routes by their path: one look for a path without parameters, else segment by segment, where a fixed segment
 * goes before a parameter. Letters and slashes count as they are; `HEAD` is answered as `GET`.
 */
export function createRouter<T>(table: readonly Route[], served: (route: Route) => T): Router<T> {
  const root = emptyNode<T>();
  const whole = new Map<string, Place<T>>();
  for (const route of table) {
    const place = placeFor(root, route.path);
    place.methods.set(route.method, served(route));
    if (place.names.length === 0) whole.set(route.path, place);
  }
  return (method, path) => {
    const values: string[] = [];
    const place = whole.get(path) ?? find(root, path.split('/'), 1, values);
    if (!place) return null;
    const route = place.methods.get(method === 'HEAD' ? 'GET' : method);
    if (route === undefined) return { is: 'wrong method', allowed: allowedBy(place) };
    const params: Record<string, string> = {};
    place.names.forEach((name, at) => {
      params[name] = decodeURIComponent(values[at] ?? '');
    });
    return { is: 'route', route, params };
  };
}

function placeFor<T>(root: Node<T>, path: string): Place<T> {
  const names: string[] = [];
  let node = root;
  for (const segment of path.split('/').slice(1)) {
    if (segment.startsWith(':')) {
      names.push(segment.slice(1));
      node.named ??= emptyNode();
      node = node.named;
    } else {
      const next = node.fixed.get(segment) ?? emptyNode<T>();
      node.fixed.set(segment, next);
      node = next;
    }
  }
  node.place ??= { names, methods: new Map() };
  return node.place;
}

function find<T>(node: Node<T>, segments: readonly string[], at: number, values: string[]): Place<T> | null {
  const segment = segments[at];
  if (segment === undefined) return node.place;
  const fixed = node.fixed.get(segment);
  const place = fixed ? find(fixed, segments, at + 1, values) : null;
  if (place || !node.named || segment === '') return place;
  values.push(segment);
  const named = find(node.named, segments, at + 1, values);
  if (!named) values.pop();
  return named;
}

const allowedBy = ({ methods }: Place<unknown>): string =>
  [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
