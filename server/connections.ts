import proxyAddress from 'proxy-addr';
import { addressKey } from './http/call-counts.ts';

/** The part of a socket that is looked at. */
type Connection = {
  readonly remoteAddress?: string | undefined;
  destroy(): void;
  once(event: 'close', done: () => void): void;
};

/**
 * Whether an address is a proxy, whose connections belong to the people behind it. Loopback counts: a proxy that is not
 * configured may connect from this machine, as may a local user.
 */
export function proxiesOf(trusted: readonly string[]): (address: string) => boolean {
  const isTrusted = proxyAddress.compile(['loopback', ...trusted]);
  return (address) => isTrusted(address, 0);
}

/** Cuts off each further connection of an address that has `most` open, a proxy's apart. An IPv6 /64 is one address. */
export function connectionLimit(most: number, isProxy: (address: string) => boolean): (socket: Connection) => boolean {
  const open = new Map<string, number>();
  return (socket) => {
    const { remoteAddress } = socket;
    // Over a Unix socket, or gone already.
    if (remoteAddress === undefined || isProxy(remoteAddress)) return true;
    const key = addressKey(remoteAddress);
    const count = (open.get(key) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return false;
    }
    open.set(key, count);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
    return true;
  };
}
