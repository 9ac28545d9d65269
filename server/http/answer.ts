import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HttpError } from '../base/http-error.ts';
import type { CacheClass } from '../contract/route.ts';
import { MEMBER_HEADER } from '../contract/sw-messages.ts';
import { acceptedEncoding, compress } from './compress.ts';
import { codeOf, errorBody } from './errors.ts';
import type { FileAnswer, Stream } from './handler.ts';

/** Smaller answers do not get smaller. */
const COMPRESS_FROM_BYTES = 1_024;
const EFFORT = 4;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Weak, because the same tag stands for the plain and the compressed bytes. */
export const etagOf = (bytes: Buffer | string): string =>
  `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;

/** Whether the caller's copy, named by `If-None-Match`, is still this one (RFC 9110, weak comparison). */
export function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const bare = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === bare);
}

/** Sends bytes, compressed when that helps and the caller can read it. */
export async function sendBytes(req: IncomingMessage, res: ServerResponse, type: string, bytes: Buffer): Promise<void> {
  res.setHeader('Content-Type', type);
  const encoding = bytes.length >= COMPRESS_FROM_BYTES ? acceptedEncoding(req.headers['accept-encoding']) : null;
  if (bytes.length >= COMPRESS_FROM_BYTES) res.setHeader('Vary', 'Accept-Encoding');
  const body = encoding ? await compress(bytes, encoding, EFFORT) : bytes;
  if (encoding) res.setHeader('Content-Encoding', encoding);
  res.setHeader('Content-Length', body.length);
  res.end(req.method === 'HEAD' ? undefined : body);
}

/** Sends a success. Only `private` answers may be kept, by the member's own device, and are asked for again each time. */
export async function sendJson(
  req: IncomingMessage,
  res: ServerResponse,
  answer: { status: number; json: unknown; cache: CacheClass },
): Promise<void> {
  const text = JSON.stringify(answer.json);
  res.statusCode = answer.status;
  if (answer.cache === 'no-store' && text.length < COMPRESS_FROM_BYTES / 3) {
    // As text it leaves in one piece with the headers; of bytes they are two.
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('Content-Type', JSON_TYPE);
    res.setHeader('Content-Length', Buffer.byteLength(text));
    res.end(req.method === 'HEAD' ? undefined : text);
    return;
  }
  const bytes = Buffer.from(text);
  if (answer.cache === 'private') {
    const etag = etagOf(bytes);
    res.setHeader('Cache-Control', 'private, no-cache');
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
 * Sends a file. Whatever its bytes are, a browser neither sniffs nor runs them: they are saved under their name, or
 * shown as the type that is said, in a sandbox.
 */
export async function sendFile(
  req: IncomingMessage,
  res: ServerResponse,
  { file, cache }: { file: FileAnswer; cache: CacheClass },
): Promise<void> {
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  const saved = `attachment; filename="${file.name?.replace(/[^\w.-]/g, '-') ?? ''}"`;
  res.setHeader('Content-Disposition', file.name === null ? 'inline' : saved);
  res.setHeader('Cache-Control', cache === 'private' ? 'private, no-cache' : 'no-store');
  const type = file.type.startsWith('text/') ? `${file.type}; charset=utf-8` : file.type;
  if (!Buffer.isBuffer(file.content)) {
    res.setHeader('Content-Type', type);
    await pipeline(Readable.from(file.content), res).catch((error: unknown) => {
      // Who asked went away: nothing failed here.
      if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    });
    return;
  }
  if (cache === 'private') {
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
export async function sendStream(req: IncomingMessage, res: ServerResponse, { stream, type }: Stream): Promise<void> {
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

/** Sends a refusal; nobody may keep one. Headers that the refused work had set are taken back. */
export function sendRefusal(req: IncomingMessage, res: ServerResponse, refusal: HttpError, requestId: string): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  takeBack(res);
  const bytes = Buffer.from(JSON.stringify(errorBody(refusal, requestId)));
  res.statusCode = refusal.status;
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', bytes.length);
  if (refusal.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(refusal.retryAfterSeconds));
  res.end(req.method === 'HEAD' ? undefined : bytes);
}

/** Sends a person whose browser was refused to a page that explains it. */
export function sendBack(res: ServerResponse, location: string): void {
  takeBack(res);
  res.statusCode = 302;
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Location', location);
  res.end();
}

function takeBack(res: ServerResponse): void {
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
