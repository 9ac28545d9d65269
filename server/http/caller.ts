import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Some proxies name the port too: it is another one for each connection, so that no limit would hold. */
const withoutPort = (named: string): string =>
  /^\[(.+)\](:\d+)?$/.exec(named)?.[1] ?? /^([\d.]+):\d+$/.exec(named)?.[1] ?? named;

/**
 * Reads the address of who asked: that of the connection, or, where it is a trusted proxy's (addresses and networks, as
 * in `10.0.0.0/8`), the last one in `X-Forwarded-For` that is not. What strangers write further ahead counts for nothing.
 */
export function callerReader(trusted: readonly string[]): (req: IncomingMessage) => string {
  const proxies = new BlockList();
  for (const network of trusted) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) proxies.addAddress(address, familyOf(address));
    else proxies.addSubnet(address, Number(bits), familyOf(address));
  }
  return (req) => {
    let caller = req.socket.remoteAddress ?? '';
    const named = req.headers['x-forwarded-for'];
    if (trusted.length === 0 || named === undefined) return caller;
    for (const next of String(named).split(',').reverse()) {
      if (isIP(caller) === 0 || !proxies.check(caller, familyOf(caller))) break;
      caller = withoutPort(next.trim());
    }
    return caller;
  };
}
