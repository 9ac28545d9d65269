import { writeSync } from 'node:fs';
import { type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';
import { maskTokens } from './base/jwt.ts';

const SECRET_NAMES = [
  ...[
    'cookie',
    'cookies',
    'authorization',
    'set-cookie',
    'token',
    'botToken',
    'accessToken',
    'refreshToken',
    'id_token',
  ],
  ...['access_token', 'refresh_token', 'initData', 'code', 'codeVerifier', 'state', 'clientSecret', 'webhookSecret'],
  ...['password', 'databaseUrl'],
  // PostgreSQL's: the whole row that it did not take, with what people wrote.
  'detail',
];

/** An error as it is written down. What kind it is, `ECONNREFUSED` or `23505`, is no sign-in's `code`. */
function shownError(error: unknown) {
  if (!(error instanceof Error)) return error;
  const { code, ...shown } = stdSerializers.err(error);
  return code === undefined ? shown : { ...shown, errorCode: code };
}

/**
 * Never in a log: a bot's token, a bearer token, what providers put into a callback's query, a URL's password. Strangers
 * write parts of a line, so each pattern takes time as the line is long, no more.
 */
const SECRET_FORMS: readonly [RegExp, string][] = [
  [/\d{6,12}:[A-Za-z0-9_-]{30,}/g, '[bot token]'],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 [hidden]'],
  [/([?&](?:code|state|token|hash|access_token|tgWebAppData|initData)=)[^&\s"'\\]+/gi, '$1[hidden]'],
  [/(postgres(?:ql)?:\/\/[^:@\s/]+:)[^@\s/]+@/gi, '$1[hidden]@'],
];

/** What a terminal or a log viewer would obey or show as something else: C1, line separators, bidi (threat model, E4). */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** One line of JSON as it may leave the process. */
export function safeLine(line: string): string {
  let safe = maskTokens(line, '[token]');
  for (const [form, replacement] of SECRET_FORMS) safe = safe.replace(form, replacement);
  return safe.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON lines on standard output, secrets taken out by name and by form. */
export function createLog(level: string, destination?: { write(line: string): void }): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (name: string) => ({ level: name }) },
    redact: {
      paths: SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[hidden]',
    },
    serializers: { err: shownError },
    hooks: { streamWrite: safeLine },
  };
  return pino(options, destination ?? standardOutput());
}

const HELD_CHARACTERS = 16_000;
/** Who reads the log may take so long to make room, a moment each. Then what is held is lost: nobody waits for them. */
const MOMENT_MS = 20;
const MOMENTS = 25;

/**
 * Standard output. All lines of one turn of the event loop leave in one write: under load, a write for each costs more
 * than the line. Not pino's own destination (sonic-boom 4.2.1), which retries for ever when its reader is gone.
 */
function standardOutput(): { write(line: string): void; flushSync(): void } {
  let held = '';
  let isDue = false;
  let isGone = false;
  const flushSync = () => {
    isDue = false;
    const bytes = Buffer.from(held);
    held = '';
    if (!isGone) isGone = !writeAll(bytes);
  };
  process.on('exit', flushSync);
  return {
    write(line) {
      held += line;
      if (held.length >= HELD_CHARACTERS) return flushSync();
      if (isDue) return;
      isDue = true;
      setImmediate(flushSync);
    },
    flushSync,
  };
}

/** False where nobody reads any more. */
function writeAll(bytes: Buffer): boolean {
  let rest = bytes;
  for (let moments = 0; rest.length > 0 && moments < MOMENTS; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
      moments = 0;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MOMENT_MS);
      moments += 1;
    }
  }
  return true;
}
