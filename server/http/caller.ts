import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from 'proxy-addr';

/** An address as proxies write it: some add the port, and brackets where that is of IPv6 (RFC 7239, section 6). */
const addressIn = (text = ''): string =>
  /^\s*(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?\s*$/.exec(text)?.slice(1).find(Boolean) ?? text.trim();

/**
 * Reads the caller's address: the connection's, or, behind a trusted proxy (addresses and networks such as
 * `10.0.0.0/8`), the last untrusted address in `X-Forwarded-For`. Addresses further left can be forged and are ignored;
 * without any, the proxy's own counts. Express's `req.ip` does not handle ports and brackets.
 */
export function callerReader(trusted: readonly string[]): (req: IncomingMessage) => string {
  if (trusted.length === 0) return (req) => req.socket.remoteAddress ?? '';
  const isProxy = proxyAddress.compile([...trusted]);
  return (req) => {
    const way = proxyAddress.all(req, (address, hop) => isProxy(addressIn(address), hop)).map(addressIn);
    return way.findLast((address) => isIP(address) !== 0) ?? '';
  };
}

/** Whether a request comes from a trusted proxy, whose other headers are believed as well. */
export function isFromProxy(trusted: readonly string[]): (req: IncomingMessage) => boolean {
  const isProxy = proxyAddress.compile([...trusted]);
  return ({ socket }) => isProxy(socket.remoteAddress ?? '', 0);
}

/** How a request came: from the caller, by a trusted proxy that says whose it is, or by one that is not trusted. */
export type Way = 'direct' | 'proxy' | 'unknown-proxy';

export function wayOf(req: IncomingMessage, trusted: readonly string[]): Way {
  if (req.headers['x-forwarded-for'] === undefined) return 'direct';
  return isFromProxy(trusted)(req) ? 'proxy' : 'unknown-proxy';
}
