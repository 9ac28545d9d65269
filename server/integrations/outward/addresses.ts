import { BlockList, isIP } from 'node:net';

/** Addresses that a member's URL must not reach (IANA's registries of special-purpose addresses). */
const NOT_GLOBAL = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  NOT_GLOBAL.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  NOT_GLOBAL.addSubnet(network, bits, 'ipv6');
}
/** The only allocated part of IPv6; ranges that map or translate IPv4 lie outside of it. */
const GIVEN_OUT = new BlockList();
GIVEN_OUT.addSubnet('2000::', 3, 'ipv6');

/** Whether an address, in canonical form, is on the public internet. */
export function isGlobal(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !NOT_GLOBAL.check(address, 'ipv4');
  return family === 6 && GIVEN_OUT.check(address, 'ipv6') && !NOT_GLOBAL.check(address, 'ipv6');
}
