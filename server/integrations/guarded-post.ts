import { lookup as resolve } from 'node:dns';
import { request } from 'node:https';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

const WITHIN_MS = 10_000;
const ANSWER_MAX_BYTES = 4_096;

/** Addresses that are not of the public internet (IANA special-purpose registries). */
const special = new BlockList();
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
  ] as const),
  ...([
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.31.196.0', 24],
    ['192.52.193.0', 24],
    ['192.88.99.0', 24],
  ] as const),
  ...([
    ['192.168.0.0', 16],
    ['192.175.48.0', 24],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
  ] as const),
  ...([
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const),
])
  special.addSubnet(network, bits, 'ipv4');

/** Whether an address is one of the public internet. Of IPv6 only global unicast is, without what wraps IPv4. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  const global = new BlockList();
  global.addSubnet('2000::', 3, 'ipv6');
  const wrapped = new BlockList();
  for (const [network, bits] of [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ] as const)
    wrapped.addSubnet(network, bits, 'ipv6');
  return global.check(address, 'ipv6') && !wrapped.check(address, 'ipv6');
}

export type PostOptions = {
  /** Stands in for `isPublicAddress` where a test has its own server. */
  isAllowed?: (address: string) => boolean;
  /** A certificate to trust beside the usual ones. */
  ca?: string;
};

/**
 * Sends JSON to a URL that a person typed in (threat model, row D1): https, no credentials in the URL, a public address
 * checked as the connection is made, no redirects, ten seconds in all, an answer of 4 kB at most.
 * Throws an `Error` whose message may be shown.
 */
export async function guardedPost(url: string, body: object, options: PostOptions = {}): Promise<void> {
  const target = new URL(url);
  const isAllowed = options.isAllowed ?? isPublicAddress;
  const bare = target.hostname.replace(/^\[|\]$/g, '');
  if (target.protocol !== 'https:' || target.username !== '' || target.password !== '')
    throw new Error('the address must be https, without a name and password in it');
  // A literal address is never looked up, so it is checked here.
  if (isIP(bare) !== 0 && !isAllowed(bare)) throw new Error('the address is not a public one');
  const text = JSON.stringify(body);
  await new Promise<void>((done, fail) => {
    const call = request(
      target,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          'user-agent': 'Muster',
        },
        lookup: guardedLookup(isAllowed),
        agent: false,
        signal: AbortSignal.timeout(WITHIN_MS),
        ...(options.ca === undefined ? {} : { ca: options.ca }),
      },
      (answer) => {
        const status = answer.statusCode ?? 0;
        let size = 0;
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > ANSWER_MAX_BYTES) call.destroy(new Error('it answers more than it should'));
        });
        answer.once('end', () => (status >= 200 && status < 300 ? done() : fail(new Error(`it answered ${status}`))));
        answer.once('error', fail);
      },
    );
    call.once('error', (error: NodeJS.ErrnoException) => fail(new Error(wordsOf(error), { cause: error })));
    call.end(text);
  });
}

function wordsOf(error: NodeJS.ErrnoException): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `no answer within ${WITHIN_MS / 1000} s`;
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') return 'its name is not known';
  return error.code === undefined ? error.message : `the connection failed (${error.code})`;
}

/** The address that was checked is the one that is connected to: a second look-up could answer another one. */
function guardedLookup(isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (!first || allowed.length < addresses.length) {
        return callback(new Error('the address is not a public one'), '', 0);
      }
      if (options.all) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };
}
