import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { HttpError } from '../base/http-error.ts';
import { isStorable } from '../base/text.ts';
import { JSON_BODY_BYTES, JSON_DEPTH, JSON_VALUES } from '../contract/limits.ts';
import type { Declaration } from '../contract/route.ts';
import { shapeCounter } from './json-shape.ts';
import { hasBody } from './request-parts.ts';

/** From the declaration: the largest body, and whether the feature repairs text itself. */
type BodyRules = Pick<Declaration, 'bodyBytes' | 'lenientBody'>;

const FORBIDDEN_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

const tooLarge = (limit: number): HttpError =>
  new HttpError(
    413,
    'BODY_TOO_LARGE',
    `That is larger than the ${Math.floor(limit / 1024)} kB there is room for. Make it smaller and send it again.`,
    { details: { limit } },
  );

/**
 * The request's JSON, or `undefined` when it has no body.
 * Throws 413 over the limit, 415 for anything but plain UTF-8 JSON, 400 for JSON that does not parse,
 * nests deeper than `JSON_DEPTH`, is of more than `JSON_VALUES` values, or holds a name or text that is refused.
 * Not `express.json`: it counts nothing before it parses, takes bytes that are no UTF-8, and answers in its own words.
 */
export async function readJson(req: IncomingMessage, rules: BodyRules): Promise<unknown> {
  const limit = rules.bodyBytes ?? JSON_BODY_BYTES;
  if (!hasBody(req)) return undefined;
  if (Number(req.headers['content-length']) > limit) throw tooLarge(limit);
  checkType(req);
  const shape = shapeCounter({ depth: JSON_DEPTH, values: JSON_VALUES });
  const bytes = await readBytes(req, limit, rules.lenientBody ? () => undefined : shape);
  if (bytes.length === 0) return undefined;
  const value = parse(decode(bytes));
  if (!rules.lenientBody) checkContent(value, '');
  return value;
}

/**
 * The request's bytes as they are, for routes that take a file, with their digest (SHA-256). Throws 415 for another type
 * than one of `types`, 413 over the limit, 400 for no bytes at all. What the bytes really are is for the route to find out.
 */
export async function readRaw(
  req: IncomingMessage,
  { types, limit }: { types: readonly string[]; limit: number },
): Promise<{ type: string; bytes: Buffer; digest: string }> {
  const type = (req.headers['content-type'] ?? '').toLowerCase().trim();
  if (Number(req.headers['content-length']) > limit) throw tooLarge(limit);
  const isPlain = (req.headers['content-encoding'] ?? 'identity') === 'identity';
  if (!types.includes(type) || !isPlain) {
    throw new HttpError(415, 'TYPE_NOT_TAKEN', `The body must be ${types.join(' or ')}, not compressed.`);
  }
  const hash = createHash('sha256');
  const bytes = await readBytes(req, limit, (piece) => hash.update(piece));
  if (bytes.length === 0) throw new HttpError(400, 'INVALID_INPUT', 'The body is empty.');
  return { type, bytes, digest: hash.digest('hex') };
}

function checkType(req: IncomingMessage): void {
  if (req.headers['content-type'] === 'application/json' && req.headers['content-encoding'] === undefined) return;
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith('charset='));
  const plain = req.headers['content-encoding'] === undefined || req.headers['content-encoding'] === 'identity';
  if (type.trim() !== 'application/json' || !plain || (charset && !/^charset="?utf-8"?$/.test(charset))) {
    throw new HttpError(415, 'JSON_ONLY', 'The body must be application/json in UTF-8, not compressed.');
  }
}

/**
 * Reads all bytes of a body and shows each piece to `look`; if it throws, the rest is rejected unread. The result has
 * its own memory, so it can be moved to a thread.
 */
function readBytes(req: IncomingMessage, limit: number, look: (piece: Buffer) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // With a declared length the pieces are written straight into place. A wrong length allocates no more than the
    // limit.
    const declared = Number(req.headers['content-length']);
    let bytes = Buffer.allocUnsafeSlow(Number.isSafeInteger(declared) && declared <= limit ? declared : 0);
    let size = 0;
    const settle = (finish: () => void) => {
      req.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost);
      finish();
    };
    const refuse = (error: unknown) => {
      req.pause();
      settle(() => reject(error));
    };
    const onData = (piece: Buffer) => {
      if (size + piece.length > limit) return refuse(tooLarge(limit));
      try {
        look(piece);
      } catch (error) {
        return refuse(error);
      }
      if (size + piece.length > bytes.length) bytes = grown(bytes, { to: size + piece.length, limit });
      size += piece.copy(bytes, size);
    };
    const onEnd = () => settle(() => resolve(size === bytes.length ? bytes : grown(bytes, { to: size, limit: size })));
    const onLost = () =>
      settle(() => reject(new HttpError(400, 'BODY_CUT_OFF', 'The body ended before it was whole.')));
    req.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
  });
}

/** The same bytes with room for `to`, and for as many to come as there are, up to the limit. */
function grown(bytes: Buffer, { to, limit }: { to: number; limit: number }): Buffer<ArrayBuffer> {
  const next = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(to, 2 * bytes.length)));
  bytes.copy(next);
  return next;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new HttpError(400, 'MALFORMED_JSON', 'The body is not UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError(400, 'MALFORMED_JSON', 'The body is not JSON.');
  }
}

function checkContent(value: unknown, path: string): void {
  if (typeof value === 'string') checkText(value, path);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (FORBIDDEN_NAMES.has(name)) {
      throw new HttpError(400, 'FORBIDDEN_NAME', `No field may be called ${name}.`, { details: { field: name } });
    }
    checkText(name, path);
    checkContent(inner, path === '' ? name : `${path}.${name}`);
  }
}

/** Throws `BAD_TEXT` for text that storage cannot store. */
export function checkText(text: string, field: string): void {
  if (isStorable(text)) return;
  throw new HttpError(400, 'BAD_TEXT', 'Text may not hold NUL characters or halves of surrogate pairs.', {
    details: { field: field.slice(0, 200) },
  });
}
