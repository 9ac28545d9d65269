/** Limits of a scrubbed value: characters of a string, nesting, and members of one object or list. */
export const LONGEST_STRING = 4_000;
const DEEPEST = 6;
const WIDEST = 50;
/** Values of one entry: what hangs on an element or a store has no end. */
const MOST_VALUES = 1_000;

/** Names of secrets: one ends with or contains one of these. */
const SECRET =
  'token|secret|passw(?:or)?d|cookie|authorization|credential|signature|api[-_]?key|session[-_]?id|init[-_]?data|tgwebappdata|tgauthresult';
const SECRET_NAME = new RegExp(`^(.*[-_.])?(auth|hash|code|state|pass|pwd|sig|session|sid|jwt|otp)$|${SECRET}`, 'i');
const MASK = '[removed]';

/**
 * A path begins at the first slash of a word. Its query and fragment are removed up to a stack frame's `:line:column`.
 */
const PATH = /\/[^\s()'"<>]+/g;
const QUERY = /[?#][^,]*?(?=(?::\d+){0,2}(?:,|$))/g;
/** Name and password before a URL's host. */
const USER_INFO = /:\/\/(?:[^\s/?#@"'<>()]{0,256}@)+/g;
/** Right behind "bot" in the addresses of Telegram's API. */
const TELEGRAM_TOKEN = /\d{6,12}:[A-Za-z0-9_-]{30,}/g;
const JWT = /\beyJ[\w-]{5,999}(?:\.[\w-]+){1,2}/g;
const BEARER = /\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi;
/** All cookies of a header, and all fields of what Telegram signed: they name a person, whatever they are called. */
const JAR = /((?:cookie|init_?data|tgwebappdata)["']?\s*[=:]\s*["']?)[^\s"';=]{1,99}=[^\s"';]*(?:;\s*[^\s"';]+)*/gi;
const PAIR = new RegExp(
  String.raw`((?:${SECRET}|\b(?:\w*[-_.])?(?:hash|sid)|\b(?:code|state))["']?\s*[=:]\s*["']?)(?!\[removed\])[^\s"'&;,})\]]+`,
  'gi',
);

/** Removes credentials and query strings from a text. Idempotent. */
export function scrubText(text: string): string {
  const clean = text
    .slice(0, LONGEST_STRING)
    .replace(PATH, (path) => path.replace(QUERY, ''))
    .replace(USER_INFO, '://')
    .replace(TELEGRAM_TOKEN, MASK)
    .replace(JWT, MASK)
    .replace(BEARER, `$1 ${MASK}`)
    .replace(JAR, `$1${MASK}`)
    .replace(PAIR, `$1${MASK}`);
  return clean.slice(0, LONGEST_STRING);
}

/**
 * Turns any value into plain JSON without secrets: bounded in depth, width and length, safe with cycles, getters
 * that throw, functions and errors.
 */
export function scrub(value: unknown, depth = 0, left = { values: MOST_VALUES }): unknown {
  left.values -= 1;
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string') return scrubText(value);
  if (typeof value !== 'object') return value === undefined ? null : scrubText(String(value));
  if (depth >= DEEPEST || left.values < 0) return '[deeper]';
  try {
    if (value instanceof Error)
      return {
        name: scrubText(value.name),
        message: scrubText(value.message),
        stack: scrubText(String(value.stack ?? '')),
      };
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (Array.isArray(value)) return value.slice(0, WIDEST).map((item) => scrub(item, depth + 1, left));
    return scrubMembers(value, depth, left);
  } catch {
    return '[unreadable]';
  }
}

function memberOf(of: object, name: string): unknown {
  try {
    return (of as Record<string, unknown>)[name];
  } catch {
    return '[unreadable]';
  }
}

function scrubMembers(value: object, depth: number, left: { values: number }): Record<string, unknown> {
  const clean: [string, unknown][] = Object.keys(value)
    .slice(0, WIDEST)
    .filter((name) => name !== '__proto__')
    .map((name) => [
      scrubText(name).slice(0, 100),
      SECRET_NAME.test(name) ? MASK : scrub(memberOf(value, name), depth + 1, left),
    ]);
  return Object.fromEntries(clean);
}
