import type { IncomingMessage } from 'node:http';

/** A header that a repetition does not make a list of. */
export function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Whether a body comes with the request (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The query string without its question mark; empty without one. */
export function searchOf({ url = '' }: IncomingMessage): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** Proxies may send the whole URL (RFC 9112, section 3.2.2); everything else begins with a slash from here on. */
export function originForm(url = '/'): string {
  if (url.startsWith('/')) return url;
  if (!URL.canParse(url)) return `/${url}`;
  const { pathname, search } = new URL(url);
  return `${pathname.startsWith('/') ? '' : '/'}${pathname}${search}`;
}
