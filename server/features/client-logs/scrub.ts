import { maskTokens } from '../../base/jwt.ts';
import { storable } from '../../base/text.ts';
import { lru } from '../../domain/lru.ts';

const REMOVED = '[removed]';
/** Deepest stored nesting; deeper values are named only. */
const DEPTH_MAX = 10;
const FIELDS_MAX = 64;
const ITEMS_MAX = 100;
const NAME_MAX = 128;
/** Characters stored of a field, by its name; the rest is counted at its end. */
const LENGTHS: ReadonlyMap<string, number> = new Map([
  ['message', 4_000],
  ['stack', 8_000],
  ['url', 1_000],
  ['source', 1_000],
]);
const LENGTH = 4_000;

const SECRET_NAMES = new Set(['auth', 'hash', 'code', 'state', 'sig', 'session', 'sid', 'jwt', 'otp', 'pass', 'pwd']);
const SECRET_PARTS =
  /token|secret|password|passwd|passphrase|cookie|authorization|credential|signature|apikey|privatekey|sessionid|initdata|tgwebappdata|tgauthresult/;
function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[-_]/g, '');
  return SECRET_NAMES.has(plain) || SECRET_PARTS.test(plain);
}

type Field = { name: string; isSecret: boolean };
/** The same few dozen names are in nearly every entry. */
const fields = lru<Field>(1_000);
const FIELD_REMEMBERED = 40;

/** The storable name, and whether it marks a secret. */
function fieldOf(field: string): Field {
  if (field.length > FIELD_REMEMBERED) return { name: scrubText(field, NAME_MAX), isSecret: isSecretName(field) };
  return fields.get(field) ?? fields.set(field, { name: scrubText(field, NAME_MAX), isSecret: isSecretName(field) });
}

/**
 * Runs between spaces, quotes and brackets. Strangers write these texts, so every pattern here must be linear:
 * `tests/unit/hostile-text.test.ts` times them all.
 */
const WORD = /[^\s"'<>()]+/g;
/** Start of a URL or path within a word. */
const ADDRESS = /^\/|=\/|:\/\//;
const POSITION = /(?::\d{1,9}){1,2}$/;

/** A word without its URL's query and fragment; a stack's `:line:column` stays. */
function withoutQuery(word: string): string {
  const address = word.search(ADDRESS);
  if (address < 0) return word;
  const length = word.slice(address).search(/[?#]/);
  if (length < 0) return word;
  const end = address + length;
  return word.slice(0, end) + (POSITION.exec(word.slice(end))?.[0] ?? '');
}

/** Name and password before a URL's host. */
const USER_INFO = /:\/\/(?:[^\s/?#@"'<>()]{0,256}@)+/g;
const SECRETS: readonly RegExp[] = [
  /\b(?:Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  // Telegram bot token; right behind "bot" in the addresses of its API
  /\d{6,12}:[A-Za-z0-9_-]{30,}/g,
];
/** Between such a name and its value, also where it is JSON in JSON. */
const IS = String.raw`\\{0,3}["']?\s*[=:]\s*\\{0,3}["']?`;
/** All cookies of a header, and all fields of what Telegram signed: they name a person, whatever they are called. */
const JARS: readonly RegExp[] = [
  new RegExp(String.raw`(cookie${IS})[^\s"';,=]{1,100}=[^\s"';]*(?:;\s*[^\s"';]+)*`, 'gi'),
  new RegExp(String.raw`((?:init_?data|tgwebappdata)${IS})[^\s"']{3,}`, 'gi'),
];
/** `name=value` or `name: value` where the name, or its end, marks a secret. */
const NAMES =
  'token|authorization|init_?data|tgwebappdata|tgauthresult|secret|password|passwd|cookie|api[-_]?key|session_?id';
const PAIR = new RegExp(String.raw`((?:${NAMES})${IS})[^\s&"',;}\\]{3,}`, 'gi');
/** Sign-in parameters in text without a URL. */
const PARAMETER = /((?:^|[\s&?#"',;(-])(?:hash|code|state|signature|session|sid)=)[^\s&"';]{8,}/gi;

/**
 * Finds something in every text that a pattern above could change, or storage could refuse. Most texts hold nothing of
 * it, and this one look at them proves it.
 */
const SUSPECT = new RegExp(
  String.raw`[?#\0\ud800-\udfff]|\d{6}:|eyJ|(?:bearer|basic)\s|(?:${NAMES})\\{0,3}["']?\s*[=:]|(?:hash|code|state|signature|session|sid)=|${USER_INFO.source}`,
  'i',
);

/** Text without query strings, tokens and unstorable characters, cut to `length` characters. */
export function scrubText(text: string, length: number = LENGTH): string {
  if (text.length <= length && !SUSPECT.test(text)) return text;
  // Cut generously first: the patterns below see at most twice the stored length.
  let clean = storable(text.slice(0, length * 2));
  if (/[?#]/.test(clean)) clean = clean.replace(WORD, withoutQuery);
  clean = maskTokens(clean.replace(USER_INFO, '://'), REMOVED);
  for (const secret of SECRETS) clean = clean.replace(secret, REMOVED);
  for (const value of [...JARS, PAIR, PARAMETER]) clean = clean.replace(value, `$1${REMOVED}`);
  const over = text.length - length;
  return over > 0 ? `${storable(clean.slice(0, length))}… (${over} more characters)` : clean;
}

/** A value of an entry as it may be stored: scrubbed, bounded in depth, breadth and length. */
export function scrub(value: unknown, name = '', depth = 0): unknown {
  if (typeof value === 'string') return scrubText(value, LENGTHS.get(name) ?? LENGTH);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return '[deeper than is kept]';
  if (Array.isArray(value)) {
    const result = value.slice(0, ITEMS_MAX).map((item) => scrub(item, '', depth + 1));
    return value.length > ITEMS_MAX ? [...result, `[${value.length - ITEMS_MAX} more]`] : result;
  }
  return scrubFields(value as Readonly<Record<string, unknown>>, depth);
}

function scrubFields(value: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const given = Object.keys(value);
  for (const field of given.length > FIELDS_MAX ? given.slice(0, FIELDS_MAX) : given) {
    const inner = value[field];
    const { name, isSecret } = fieldOf(field);
    const clean = isSecret && inner !== null ? REMOVED : scrub(inner, field, depth + 1);
    // Set like any other, this one would be the object's prototype.
    if (name === '__proto__') Object.defineProperty(result, name, { value: clean, enumerable: true });
    else result[name] = clean;
  }
  if (given.length > FIELDS_MAX) result['…'] = `${given.length - FIELDS_MAX} more fields`;
  return result;
}
