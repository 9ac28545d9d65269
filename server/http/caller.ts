import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from 'proxy-addr';

/** An address as proxies write it: some add the port, and brackets where that is of IPv6 (RFC 7239, section 6). */
const addressIn = (text = ''): string =>
  /^\s*(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?\s*$/.exec(text)?.slice(1).find(Boolean) ?? text.trim();

/**
 * Reads the address of who asked: that of the connection, or, where it is a trusted proxy's (addresses and networks, as
 * in `10.0.0.0/8`), the last one in `X-Forwarded-For` that is not. What strangers write further ahead counts for nothing, and
 * where no address stands the proxy's own counts, so that nobody makes up senders.
 * Not Express's `req.ip`: it knows no ports and brackets.
 */
export function callerReader(trusted: readonly string[]): (req: IncomingMessage) => string {
  if (trusted.length === 0) return (req) => req.socket.remoteAddress ?? '';
  const isProxy = proxyAddress.compile([...trusted]);
  return (req) => {
    const way = proxyAddress.all(req, (address, hop) => isProxy(addressIn(address), hop)).map(addressIn);
    return way.findLast((address) => isIP(address) !== 0) ?? '';
  };
}
