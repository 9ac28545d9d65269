import { refusable } from './browser.ts';
import { LONGEST_STRING, scrub } from './scrub.ts';

/** Longest message, and longest text before the frames of a long stack. */
const MESSAGE_MAX = 2_000;
const HEAD_MAX = 500;
/** Levels of nested causes, and inner errors of one error. */
const DEEPEST = 3;
const INNER_MAX = 5;

export type Described = {
  message: string;
  stack: string | null;
  /** What was given with it, and under `thrown` what an error carries besides: code or status, cause, inner errors. */
  additionalData?: unknown;
};
type Thrown = { message: string; stack: string | null; thrown?: Record<string, unknown> };

/** Getters and proxies may throw. */
const read = (from: unknown, name: string): unknown => refusable(() => (from as Record<string, unknown>)[name]);
const textIn = (from: unknown, name: string): string => {
  const value = read(from, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};
const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const classOf = (of: object): string => textIn(read(of, 'constructor'), 'name') || 'Object';
/** Works for an error of another realm too. */
const isError = (value: object): boolean =>
  typeof read(value, 'name') === 'string' && typeof read(value, 'message') === 'string';

/** Describes an event or a response: its type or status, target and URL. */
function factsOf(value: object): string {
  const target = read(value, 'target');
  const isEvent = typeof read(value, 'isTrusted') === 'boolean';
  const names = [isEvent ? 'type' : 'status', 'statusText', 'method', 'url', 'message'];
  const facts = names.map((name) => textIn(value, name));
  if (typeof target === 'object' && target !== null)
    facts.push(`on ${classOf(target)}`, textIn(target, 'url') || textIn(target, 'src') || textIn(target, 'href'));
  return facts.filter(Boolean).join(' ');
}

function wordsOf(thrown: unknown): string {
  if (typeof thrown === 'bigint') return `${thrown}n`;
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  if (isError(thrown)) return `${textIn(thrown, 'name')}: ${textIn(thrown, 'message')}`;
  const name = classOf(thrown);
  const isPlain = name === 'Object' || name === 'Array';
  const facts = isPlain ? '' : factsOf(thrown);
  if (facts !== '') return `${name}: ${facts}`;
  // A DOM element may hold a framework's whole tree.
  const fields = typeof read(thrown, 'nodeType') === 'number' ? '' : JSON.stringify(scrub(thrown));
  return isPlain ? fields : `${name} ${fields}`.trim();
}

/** The stack, cut to its limit. The text before the frames is shortened; the frames stay. */
function stackOf(thrown: unknown): string | null {
  const given = read(thrown, 'stack');
  const stack = Array.isArray(given) ? refusable(() => given.join('\n')) : given;
  if (typeof stack !== 'string' || stack.length <= LONGEST_STRING) return typeof stack === 'string' ? stack : null;
  const message = textIn(thrown, 'message');
  const at = message === '' ? -1 : stack.indexOf(message);
  const frames = at < 0 ? Math.max(0, stack.search(/^\s*at |^\S*@\S+:\d/m)) : at + message.length;
  return cut(stack.slice(0, frames), HEAD_MAX) + stack.slice(frames);
}

/** An error's fields, its cause and its inner errors, described recursively. */
function moreOf(thrown: unknown, depth: number): Record<string, unknown> | undefined {
  if (typeof thrown !== 'object' || thrown === null || depth >= DEEPEST) return undefined;
  const more: Record<string, unknown> = {};
  if (isError(thrown)) {
    for (const name of ['status', 'reason', 'requestId', 'url'])
      if (textIn(thrown, name) !== '') more[name] = textIn(thrown, name);
    // What is called `code` is taken for a secret.
    if (textIn(thrown, 'code') !== '') more['errorCode'] = textIn(thrown, 'code');
    if (textIn(thrown, 'name') === 'Error' && classOf(thrown) !== 'Error') more['class'] = classOf(thrown);
  }
  for (const name of ['cause', 'error', 'reason', 'detail']) {
    const inner = read(thrown, name);
    if (typeof inner === 'object' && inner !== null) more[name] = thrownOf(inner, depth + 1);
  }
  const errors = read(thrown, 'errors');
  if (Array.isArray(errors)) more['errors'] = errors.slice(0, INNER_MAX).map((inner) => thrownOf(inner, depth + 1));
  return Object.keys(more).length > 0 ? more : undefined;
}

function thrownOf(thrown: unknown, depth: number): Thrown {
  const message = cut(refusable(() => wordsOf(thrown)) ?? 'Something unreadable was thrown', MESSAGE_MAX);
  const more = refusable(() => moreOf(thrown, depth));
  return { message, stack: stackOf(thrown), ...(more && { thrown: more }) };
}

/**
 * Describes a thrown or rejected value of any type: an error with its cause and inner errors, an event with type and
 * target, a response with status and URL, a plain object with its fields. Bounded in depth and size; never throws.
 * @param given what the reporter knows besides
 */
export function describe(thrown: unknown, given?: unknown): Described {
  const { thrown: more, ...described } = thrownOf(thrown, 0);
  if (more === undefined) return given === undefined ? described : { ...described, additionalData: given };
  return {
    ...described,
    additionalData: typeof given === 'object' ? { ...given, thrown: more } : { given, thrown: more },
  };
}

/** Rendering engine by user agent. On iOS every browser is WebKit, whatever its name. */
export function engineOf(userAgent: string): string {
  if (/\bFirefox\//.test(userAgent)) return 'Gecko';
  if (/Chrom(e|ium)\//.test(userAgent)) return 'Chromium';
  return /AppleWebKit\//.test(userAgent) ? 'WebKit' : 'other';
}

type Scope = Pick<WorkerGlobalScope, 'addEventListener' | 'location' | 'navigator'>;

/**
 * Reports every uncaught error and rejection of a worker.
 * @param source part of the product that failed
 * @param append stores a log entry; it never throws, so a failure here cannot loop
 */
export function captureWorkerErrors(
  scope: Scope,
  source: string,
  build: string,
  append: (data: Record<string, unknown>) => void,
): void {
  const report = (thrown: unknown, additionalData?: object) =>
    append({
      ...describe(thrown, additionalData),
      source,
      timestamp: new Date().toISOString(),
      url: scope.location.origin + scope.location.pathname,
      userAgent: scope.navigator.userAgent,
      context: {
        build,
        connection: { online: scope.navigator.onLine },
        device: { engine: engineOf(scope.navigator.userAgent), lang: scope.navigator.language },
      },
    });
  scope.addEventListener('error', (event) => {
    const { error, message, filename, lineno, colno } = event as ErrorEvent;
    report(error ?? message, { file: filename, line: lineno, column: colno });
  });
  scope.addEventListener('unhandledrejection', (event) => report((event as PromiseRejectionEvent).reason));
}
