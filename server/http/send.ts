import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { HttpError } from '../base/http-error.ts';
import type { CacheClass, Declaration } from '../contract/route.ts';
import { MEMBER_HEADER } from '../contract/sw-messages.ts';
import { compress } from './compress.ts';
import { codeOf, errorBody } from './errors.ts';
import type { CachedJson, FileAnswer, Stream } from './handler.ts';
import type { StoredAnswer } from './idempotency.ts';
import { acceptedEncoding } from './negotiate.ts';
import { hasBody } from './request-parts.ts';

/** Smaller answers do not get smaller. */
const COMPRESS_FROM_BYTES = 1_024;
const EFFORT = 4;
/** Public answers may be cached for this long. */
const PUBLIC = 'public, max-age=60';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Weak, because one tag is used for plain and compressed bytes. */
export const etagOf = (bytes: Buffer | string): string =>
  `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/**
 * Whether the caller's copy (`If-None-Match`) is current (RFC 9110, weak comparison). Express's `req.fresh` does not
 * serve: it sends everything again when a fetch that sets the tag itself adds `Cache-Control: no-cache`.
 */
export function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const bare = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === bare);
}

/** The answer to a command: to a repeat the stored one, but for a secret, which is shown once. */
export function sendStored(
  req: Request,
  res: Response,
  { shownOnce, cache }: Declaration,
  stored: StoredAnswer & { replayed: boolean },
): Promise<void> {
  if (stored.replayed && shownOnce !== undefined) {
    throw new HttpError(409, 'SHOWN_ONCE', 'This was done, and its secret is shown only once.', {
      details: stored.json,
    });
  }
  if (stored.replayed) res.setHeader('Idempotency-Replayed', 'true');
  return sendJson(req, res, { ...stored, cache });
}

/** Sends bytes, compressed when that helps and the caller can read it. */
export async function sendBytes(req: Request, res: Response, type: string, bytes: Buffer): Promise<void> {
  res.setHeader('Content-Type', type);
  const encoding = bytes.length >= COMPRESS_FROM_BYTES ? acceptedEncoding(req) : null;
  if (bytes.length >= COMPRESS_FROM_BYTES) res.setHeader('Vary', 'Accept-Encoding');
  const body = encoding ? await compress(bytes, encoding, EFFORT) : bytes;
  if (encoding) res.setHeader('Content-Encoding', encoding);
  res.setHeader('Content-Length', body.length);
  res.end(req.method === 'HEAD' ? undefined : body);
}

const CACHED_EFFORT = 9;

/** Compresses JSON once for many requests. */
export async function cachedJson(json: unknown): Promise<CachedJson> {
  const plain = Buffer.from(JSON.stringify(json));
  const [br, gzip] = await Promise.all([compress(plain, 'br', CACHED_EFFORT), compress(plain, 'gzip', CACHED_EFFORT)]);
  return { etag: etagOf(plain), plain, compressed: { br, gzip } };
}

/** Sends it; anyone may cache it but must revalidate. */
export function sendCached(req: Request, res: Response, { etag, plain, compressed }: CachedJson): void {
  res.setHeader('Cache-Control', 'no-cache');
  res.setHeader('ETag', etag);
  res.setHeader('Vary', 'Accept-Encoding');
  if (isFresh(req.headers['if-none-match'], etag)) {
    res.statusCode = 304;
    res.end();
    return;
  }
  const encoding = acceptedEncoding(req);
  const bytes = encoding ? compressed[encoding] : plain;
  res.setHeader('Content-Type', JSON_TYPE);
  if (encoding) res.setHeader('Content-Encoding', encoding);
  res.setHeader('Content-Length', bytes.length);
  res.end(req.method === 'HEAD' ? undefined : bytes);
}

/** Sends a success. Only `private` answers may be cached, by the member's own device, which revalidates. */
export async function sendJson(
  req: Request,
  res: Response,
  answer: { status: number; json: unknown; cache: CacheClass },
): Promise<void> {
  const text = JSON.stringify(answer.json);
  res.statusCode = answer.status;
  if (answer.cache === 'no-store' && text.length < COMPRESS_FROM_BYTES / 3) {
    // As text it leaves in one write with the headers; bytes need two.
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Content-Type', JSON_TYPE);
    res.setHeader('Content-Length', Buffer.byteLength(text));
    res.end(req.method === 'HEAD' ? undefined : text);
    return;
  }
  const bytes = Buffer.from(text);
  if (answer.cache !== 'no-store') {
    const etag = etagOf(bytes);
    res.setHeader('Cache-Control', answer.cache === 'public' ? PUBLIC : 'private, no-cache');
    res.setHeader('ETag', etag);
    if (answer.status === 200 && isFresh(req.headers['if-none-match'], etag)) {
      res.statusCode = 304;
      res.end();
      return;
    }
  } else res.setHeader('Cache-Control', 'no-store');
  await sendBytes(req, res, JSON_TYPE, bytes);
}

/**
 * Sends a file. A browser never sniffs or runs it: it is saved under its name, or shown in a sandbox as the given type.
 */
export async function sendFile(
  req: Request,
  res: Response,
  { file, cache }: { file: FileAnswer; cache: CacheClass },
): Promise<void> {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Security-Policy', file.policy ?? "default-src 'none'; sandbox");
  const saved = `attachment; filename="${file.name?.replace(/[^\w.-]/g, '-') ?? ''}"`;
  res.setHeader('Content-Disposition', file.name === null ? 'inline' : saved);
  res.setHeader('Cache-Control', { public: PUBLIC, private: 'private, no-cache', 'no-store': 'no-store' }[cache]);
  const type = file.type.startsWith('text/') ? `${file.type}; charset=utf-8` : file.type;
  if (!Buffer.isBuffer(file.content)) {
    res.setHeader('Content-Type', type);
    await pipeline(Readable.from(file.content), res).catch((error: unknown) => {
      // The caller is gone: nothing failed here.
      if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
    return;
  }
  if (cache !== 'no-store') {
    const etag = etagOf(file.content);
    res.setHeader('ETag', etag);
    if (isFresh(req.headers['if-none-match'], etag)) {
      res.statusCode = 304;
      res.end();
      return;
    }
  }
  await sendBytes(req, res, type, file.content);
}

/** Sends pieces as they come, no faster than the caller takes them, until they end or the caller is gone. */
export async function sendStream(req: Request, res: Response, { stream, type }: Stream): Promise<void> {
  res.setHeader('Content-Type', type);
  // Proxies must not hold pieces back.
  res.setHeader('X-Accel-Buffering', 'no');
  res.flushHeaders();
  if (req.method === 'HEAD') return void res.end();
  for await (const piece of stream) {
    if (res.destroyed) return;
    if (!res.write(piece)) await new Promise<void>((next) => res.once('drain', next).once('close', next));
  }
  res.end();
}

/** Sends an error response that must not be cached. Headers that the failed handler had set are removed. */
export function sendError(req: Request, res: Response, error: HttpError, requestId: string): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  takeBack(res);
  const bytes = Buffer.from(JSON.stringify(errorBody(error, requestId)));
  res.statusCode = error.status;
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Content-Type', JSON_TYPE);
  res.setHeader('Content-Length', bytes.length);
  if (error.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(error.retryAfterSeconds));
  if (hasBody(req) && !req.complete) endOnceRead(req, res, bytes);
  else res.end(req.method === 'HEAD' ? undefined : bytes);
}

/**
 * The caller is still sending. Closing the connection now would replace our answer by a connection error, so the rest
 * is read first, within the time of a request.
 */
function endOnceRead(req: Request, res: Response, bytes: Buffer): void {
  res.write(bytes);
  const end = () => void res.end();
  req.once('end', end).once('close', end).resume();
}

/** Sends a person whose browser was refused to a page that explains it. */
export function sendBack(res: Response, location: string): void {
  takeBack(res);
  res.statusCode = 302;
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Location', location);
  res.end();
}

function takeBack(res: Response): void {
  for (const name of [
    'ETag',
    'Content-Disposition',
    'Set-Cookie',
    'Location',
    'Content-Encoding',
    'Vary',
    'Clear-Site-Data',
    MEMBER_HEADER,
  ]) {
    res.removeHeader(name);
  }
}
