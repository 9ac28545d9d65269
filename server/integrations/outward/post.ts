import { lookup as resolve } from 'node:dns';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isGlobal } from './addresses.ts';

/** Why nothing came back. */
export type Failure = { error: 'ADDRESS' | 'TIMEOUT' | 'TLS' | 'CONNECTION' };
/** `status`: the HTTP status that came back. */
export type Outcome = { status: number } | Failure;

export type Posting = {
  url: URL;
  body: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Ends it early. */
  signal?: AbortSignal;
};

/** Tests replace the public internet by this. */
export type World = {
  resolve?: LookupFunction;
  isAllowed?(address: string): boolean;
  port?: number;
  ca?: string;
};

/** Only this much of an answer is read. */
const READ_BYTES = 4_096;

/** Names that never lead into the open internet (RFC 6761, 6762 and 8375; `internal` is reserved by ICANN). */
const AT_HOME = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/;

class NotAllowed extends Error {}

/** Sends a body; of the answer only its status is of interest. */
export async function post(posting: Posting, world: World = {}): Promise<Outcome> {
  const answer = await sendOutward({ ...posting, method: 'POST', readBytes: READ_BYTES }, world);
  return 'error' in answer ? answer : { status: answer.status };
}

type OutwardRequest = Posting & { method: 'GET' | 'POST'; readBytes: number };
type Answer = { status: number; read: Buffer; isWhole: boolean };

/**
 * The only way in which this server calls an address that a member typed: HTTPS on port 443, to a public address,
 * checked in the lookup whose result is connected to, so DNS cannot change in between. Redirects are not followed. At
 * most `readBytes` of the answer are read.
 */
export function sendOutward(asked: OutwardRequest, world: World): Promise<Answer | Failure> {
  const { url, method, body, headers, timeoutMs, readBytes } = asked;
  const isAllowed = world.isAllowed ?? isGlobal;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!isHttps(url) || (isIP(host) !== 0 && !isAllowed(host))) return Promise.resolve({ error: 'ADDRESS' });
  const late = AbortSignal.timeout(timeoutMs);
  return new Promise((done) => {
    const sent = request({
      host,
      port: world.port ?? 443,
      method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.hostname, 'content-length': Buffer.byteLength(body) },
      // A separate connection, closed afterwards and never shared.
      agent: false,
      lookup: guarded(world.resolve ?? resolve, isAllowed),
      signal: asked.signal ? AbortSignal.any([late, asked.signal]) : late,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(world.ca === undefined ? {} : { ca: world.ca }),
    });
    const failed = (error: NodeJS.ErrnoException) => done({ error: late.aborted ? 'TIMEOUT' : wordFor(error) });
    sent.on('error', failed);
    // Without a listener Node closes such a connection silently, and even the time limit would not fire.
    sent.on('upgrade', (answer, socket) => {
      socket.destroy();
      done({ status: answer.statusCode ?? 0, read: Buffer.alloc(0), isWhole: true });
    });
    sent.on('response', (answer) => {
      const chunks: Buffer[] = [];
      let read = 0;
      const end = (isWhole: boolean) => {
        done({ status: answer.statusCode ?? 0, read: Buffer.concat(chunks), isWhole });
        sent.destroy();
      };
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        read += chunk.length;
        if (read >= readBytes) end(false);
      });
      answer.on('end', () => end(true));
      answer.on('error', failed);
    });
    sent.end(body);
  });
}

/** Whether an address may be called, as far as can be told before the DNS lookup. */
export function mayBeCalled(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!isHttps(url) || url.hash !== '') return false;
  return isIP(host) === 0 ? host.includes('.') && !AT_HOME.test(host) : isGlobal(host);
}

/** Port 443 is left out of an `https:` address. */
const isHttps = (url: URL): boolean =>
  url.protocol === 'https:' && url.port === '' && url.username === '' && url.password === '';

/** A lookup in which every address must be allowed: one private address reveals the name's purpose. */
export function guarded(lookup: LookupFunction, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      if (error) callback(error, found, family);
      else if (addresses.length > 0 && addresses.every(isAllowed)) callback(null, found, family);
      else callback(new NotAllowed('the name leads to an address that is not of the open internet'), '', 0);
    });
}

/** The failure as one word. */
export function wordFor(error: NodeJS.ErrnoException): 'ADDRESS' | 'TLS' | 'CONNECTION' {
  if (error instanceof NotAllowed) return 'ADDRESS';
  const code = error.code ?? '';
  return /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code) ? 'TLS' : 'CONNECTION';
}
