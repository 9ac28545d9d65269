import type { Declaration } from '../contract/route.ts';
import { type Key, routes } from '../contract/routes.ts';
import type { Answer, Call, Guard, Handlers, Stream } from './handler.ts';

/** A handler with its key forgotten: the table holds them all; each gets exactly the call its declaration promises. */
export type AnyCall = { [K in keyof Call<Key>]: unknown };
type AnyAnswer = Answer<Key> | Stream;
export type AnyHandler = (call: AnyCall) => Promise<AnyAnswer> | AnyAnswer;

export type Route = {
  key: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  declaration: Declaration;
  /** Gives the handler of a call, after what the feature does before. */
  prepare(call: AnyCall): Promise<AnyHandler> | AnyHandler;
  guard?: Guard | undefined;
};

/**
 * Joins declarations and handlers. Throws, naming every one, when a declared route has no handler, a handler has no
 * declaration or two handlers, or a declaration cannot hold: so an undeclared route never answers.
 */
export function routeTable(
  handlers: readonly Handlers[],
  declarations: Readonly<Record<string, Declaration>> = routes,
): Route[] {
  const problems: string[] = [];
  const byKey = new Map<string, Pick<Route, 'prepare' | 'guard'>>();
  for (const [key, handler] of handlers.flatMap((feature) => Object.entries(feature))) {
    if (!Object.hasOwn(declarations, key)) problems.push(`${key} has a handler but no declaration`);
    if (byKey.has(key)) problems.push(`${key} has two handlers`);
    // Each handler was checked against its own key where it was written (`satisfies Handlers`).
    byKey.set(key, partsOf(handler as unknown as AnyHandler | AnyParts));
  }
  const table: Route[] = [];
  for (const [key, declaration] of Object.entries(declarations)) {
    const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(key) ?? [];
    const handling = byKey.get(key);
    problems.push(...faultsOf(key, path ?? '', declaration));
    if (!handling) problems.push(`${key} is declared but has no handler`);
    if (method && path && handling)
      table.push({ key, method: method as Route['method'], path, declaration, ...handling });
  }
  problems.push(...ambiguous(table));
  if (problems.length > 0) throw new Error(`routes and handlers do not fit:\n  ${problems.join('\n  ')}`);
  return table;
}

type AnyParts = { guard?: Guard; handle: AnyHandler } | Pick<Route, 'prepare'>;
function partsOf(given: AnyHandler | AnyParts): Pick<Route, 'prepare' | 'guard'> {
  if (typeof given === 'function') return { prepare: () => given };
  return 'prepare' in given ? given : { guard: given.guard, prepare: () => given.handle };
}

/** Paths that differ in the names of their parameters alone: only the first would ever be found. */
function ambiguous(table: readonly Route[]): string[] {
  const named = new Map(table.map(({ path }) => [path.replace(/:\w+/g, ':'), path]));
  return table
    .filter(({ path }) => named.get(path.replace(/:\w+/g, ':')) !== path)
    .map(({ key }) => `${key} names its parameters unlike another route of its path`);
}

const NEEDS_COMMUNITY = new Set(['member', 'moderator', 'leader']);

function faultsOf(key: string, path: string, declaration: Declaration): string[] {
  const faults: string[] = [];
  if (path === '') faults.push(`${key} is not "METHOD /path"`);
  if (NEEDS_COMMUNITY.has(declaration.access) && !path.includes('/:communityId')) {
    faults.push(`${key} is for a ${declaration.access} but names no community`);
  }
  if (declaration.idempotent && (declaration.access === 'public' || declaration.access === 'telegram'))
    faults.push(`${key} is idempotent but for nobody`);
  if (declaration.probe && declaration.access !== 'public') faults.push(`${key} is a probe but not for everybody`);
  if (declaration.bodyTypes && declaration.body) faults.push(`${key} takes bytes and JSON`);
  if (declaration.fileTypes && declaration.output) faults.push(`${key} answers a file and JSON`);
  if (key.startsWith('GET ') && (declaration.body || declaration.idempotent)) faults.push(`${key} changes something`);
  return faults;
}
