import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import type { Request, Response } from 'express';
import { HttpError } from '../base/http-error.ts';
import type { Runtime } from '../base/runtime.ts';
import { MINI_APP_PATH } from '../contract/pages.ts';
import { BUILD_HEADER, VISITOR_MARK } from '../contract/sw-messages.ts';
import { lru } from '../domain/lru.ts';
import { compress, type Encoding } from './compress.ts';
import { readCookies, sessionCookie } from './cookies.ts';
import { framedBy, headersOfAll } from './headers.ts';
import { acceptedEncoding, namesHtml } from './negotiate.ts';
import { type Preview, withPreview } from './preview.ts';
import { fromShelf, type Shelved } from './retained-assets.ts';
import { etagOf, isFresh, sendBytes } from './send.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const COMPRESSIBLE = new Set(['.css', '.html', '.ico', '.js', '.json', '.svg', '.txt', '.webmanifest']);
const NAMED = new Set(['.html', '.webmanifest']);
/** Tabs of another build ask for the same few. */
const SHELVED_IN_MEMORY = 200;
/** Paid once per file and start. */
const EFFORT = 9;

const IMMUTABLE = 'public, max-age=31536000, immutable';
const A_DAY = 'public, max-age=86400';
const REVALIDATE = 'no-cache';

type File = {
  type: string;
  cache: string;
  etag: string;
  bytes: Buffer;
  compressed: Map<Encoding, Promise<Buffer>> | null;
  /** Headers that a 304 need not repeat: the tag covers them (RFC 9110, section 15.4.5). */
  headers304: Headers;
  /** Replaces the common headers. */
  own?: Headers;
};
type Headers = ReturnType<typeof headersOfAll>;
type Written = Pick<Runtime, 'config' | 'build'> & { headers: Headers };

export type Client = {
  /** Folder of the built client. */
  dir: string;
  /** Folder of other builds' hashed files, see `retainAssets`. */
  shelf?: string;
  /** Link preview of a path; null: the product's default. */
  preview?: (path: string) => Promise<Preview | null>;
};

/**
 * Serves the built client from memory. Files are listed once at start, so no path can leave the folder. Hashed files
 * under /assets never change; all others are revalidated. HTML and manifest contain `%PRODUCT_NAME%`, `%PRODUCT_SLUG%`,
 * `%PUBLIC_HOST%` and `%BUILD%`. Navigations without a file get the app's page; a missing asset is a plain 404.
 * Visitors get the prerendered page where there is one; for members the app renders it. `express.static` and `sirv` do
 * not fit: the product's name is written into files, a tag covers the headers too, and a navigation's page depends on a
 * cookie.
 */
export function serveClient(
  client: Client,
  runtime: Pick<Runtime, 'config' | 'build'>,
): (req: Request, res: Response) => Promise<void> {
  const written = { ...runtime, headers: headersOfAll(runtime).filter(([name]) => name !== BUILD_HEADER) };
  const files = readFiles(client.dir, written);
  const ofOthers = shelfReader(client.shelf, written);
  const off = files.get('/sw-off.js');
  files.delete('/sw-off.js');
  if (!runtime.config.serviceWorker && off) files.set('/sw.js', off);
  const page = files.get('/app.html') ?? files.get('/index.html');
  if (page) files.set(MINI_APP_PATH, miniApp(page, written));
  return async (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.setHeader('Allow', 'GET, HEAD');
      throw new HttpError(405, 'METHOD_NOT_ALLOWED', `${req.method} is not possible here; GET is.`);
    }
    const path = pathOf(req);
    // A person typed the address or followed a broken link: the app's page shows that it does not exist.
    if (path === null && page && isNavigation(req, '/')) return sendFile(req, res, page);
    if (path === null) throw new HttpError(400, 'BAD_PATH', 'The address does not decode.');
    const file = files.get(path) ?? (await ofOthers(path));
    if (file) return sendFile(req, res, file);
    if (path !== '/' && !isNavigation(req, path)) return sendMissing(req, res);
    const drawn = files.get(path === '/' ? '/index.html' : `${path}.html`);
    if (drawn) res.setHeader('Vary', 'Cookie');
    const isOfVisitor = isVisitor(req, runtime.config);
    if (isOfVisitor) res.setHeader('Server-Timing', VISITOR_MARK);
    const found = drawn && isOfVisitor ? drawn : page;
    const preview = found && found === page ? await client.preview?.(path) : null;
    if (page && preview) {
      const html = withPreview(page.bytes.toString('utf8'), preview, runtime.config.productName);
      res.setHeader('Cache-Control', REVALIDATE);
      return sendBytes(req, res, page.type, Buffer.from(html));
    }
    if (found) return sendFile(req, res, found);
    sendMissing(req, res);
  };
}

/**
 * The app's page as Telegram's web clients may frame it: the only document that others may frame (threat model, row
 * I1).
 */
function miniApp(page: File, { config, headers }: Written): File {
  const own = framedBy(headers, config.telegram.webOrigins);
  return { ...page, own, headers304: own, etag: etagOf(Buffer.concat([page.bytes, Buffer.from(JSON.stringify(own))])) };
}

/** Null: it does not decode. */
function pathOf(req: Request): string | null {
  const path = req.url?.split('?', 1)[0] ?? '/';
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function isVisitor(req: Request, config: Pick<Runtime['config'], 'publicOrigin'>): boolean {
  const cookies = readCookies(req.headers.cookie);
  return (['web', 'mini_app'] as const).every((kind) => cookies[sessionCookie(config, kind)] === undefined);
}

/** Programs that take anything (monitors, previews of links) name no destination; parts of a page always do. */
function isNavigation(req: Request, path: string): boolean {
  const takesAnything = req.accepts().join() === '*/*' && req.headers['sec-fetch-dest'] === undefined;
  return (namesHtml(req) || takesAnything) && !path.startsWith('/assets/') && posix.extname(path) === '';
}

function readFiles(folder: string, written: Written): Map<string, File> {
  const files = new Map<string, File>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const url = `/${path.slice(folder.length).split(/[\\/]/).filter(Boolean).join('/')}`;
    const type = TYPES[extname(entry.name)];
    // Source maps, build notes and the like are not for the public.
    if (!entry.isFile() || !type || url.includes('/.')) continue;
    files.set(url, readOne(path, url, type, written));
  }
  return files;
}

/** Files of other builds, the last ones asked for from memory. A process may meet as many as there were deploys in its life. */
function shelfReader(shelf: string | undefined, written: Written): (path: string) => Promise<File | undefined> {
  const kept = lru<File>(SHELVED_IN_MEMORY);
  return async (path) => {
    const type = TYPES[extname(path)];
    const known = kept.get(path);
    if (known || shelf === undefined || !type) return known;
    const found = await fromShelf(shelf, path);
    return found ? kept.set(path, fileOf(path, type, found, written)) : undefined;
  };
}

function readOne(path: string, url: string, type: string, written: Written): File {
  const kind = extname(path);
  const raw = readFileSync(path);
  if (NAMED.has(kind)) {
    const bytes = Buffer.from(named(raw.toString('utf8'), kind, written));
    return fileOf(url, type, { bytes, brotli: null }, written);
  }
  return fileOf(url, type, { bytes: raw, brotli: readIfThere(`${path}.br`) }, written);
}

function fileOf(url: string, type: string, { bytes, brotli }: Shelved, written: Written): File {
  const compressed = COMPRESSIBLE.has(extname(url)) ? new Map<Encoding, Promise<Buffer>>() : null;
  if (brotli) compressed?.set('br', Promise.resolve(brotli));
  const etag = etagOf(Buffer.concat([bytes, Buffer.from(JSON.stringify(written.headers))]));
  return { type, cache: cacheOf(url), etag, bytes, compressed, headers304: written.headers };
}

function readIfThere(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}

function cacheOf(url: string): string {
  if (url.startsWith('/assets/')) return IMMUTABLE;
  return /^\/(icons|screenshots)\//.test(url) ? A_DAY : REVALIDATE;
}

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function named(text: string, kind: string, { config, build }: Written): string {
  const written = (value: string) =>
    kind === '.html'
      ? value.replace(/[&<>"']/g, (char) => HTML_ESCAPES[char] ?? char)
      : JSON.stringify(value).slice(1, -1);
  return text
    .replaceAll('%PRODUCT_NAME%', () => written(config.productName))
    .replaceAll('%PRODUCT_SLUG%', () => written(config.productSlug))
    .replaceAll('%PUBLIC_HOST%', () => written(new URL(config.publicOrigin).host))
    .replaceAll('%PRODUCTION_HOSTS%', () =>
      written([new URL(config.publicOrigin).host, ...config.productionHosts].join(',')),
    )
    .replaceAll('%BUILD%', () => written(build));
}

async function sendFile(req: Request, res: Response, file: File): Promise<void> {
  if (file.own) {
    res.removeHeader('X-Frame-Options');
    for (const [name, value] of file.own) res.setHeader(name, value);
  }
  res.setHeader('Cache-Control', file.cache);
  res.setHeader('ETag', file.etag);
  if (file.compressed) res.appendHeader('Vary', 'Accept-Encoding');
  if (isFresh(req.headers['if-none-match'], file.etag)) {
    res.statusCode = 304;
    // A visit that brings nothing new shall cost next to nothing.
    for (const [name] of file.headers304) res.removeHeader(name);
    res.end();
    return;
  }
  const encoding = file.compressed ? acceptedEncoding(req) : null;
  const bytes = encoding ? await encoded(file, encoding) : file.bytes;
  if (encoding) res.setHeader('Content-Encoding', encoding);
  res.setHeader('Content-Type', file.type);
  res.setHeader('Content-Length', bytes.length);
  res.end(req.method === 'HEAD' ? undefined : bytes);
}

function encoded(file: File, encoding: Encoding): Promise<Buffer> {
  const kept = file.compressed?.get(encoding);
  if (kept) return kept;
  const made = compress(file.bytes, encoding, EFFORT);
  file.compressed?.set(encoding, made);
  return made;
}

function sendMissing(req: Request, res: Response): void {
  res.statusCode = 404;
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Content-Type', 'text/plain; charset=utf-8');
  res.end(req.method === 'HEAD' ? undefined : 'Not found\n');
}
