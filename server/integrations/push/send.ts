import { lookup as resolve } from 'node:dns';
import { Agent, request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { PUSH_RETRY_AFTER_MAX_MS, PUSH_THROTTLED_REST_MS, PUSH_TIMEOUT_MS } from '../../contract/limits.ts';
import { isGlobal } from '../outward/addresses.ts';
import { guarded, wordFor } from '../outward/post.ts';
import { judgeEndpoint } from './hosts.ts';
import { type Content, messageFor } from './message.ts';

/** One message for many subscriptions, as plain data for a thread. */
export type Batch = Content & {
  targets: readonly Target[];
  /** `Authorization` by the index that a target names. */
  authorizations: readonly string[];
  /** Push services that asked for a pause: nothing is sent there. */
  resting: readonly string[];
};
export type Target = { id: string; endpoint: string; p256dh: Uint8Array; auth: Uint8Array; authorization: number };

/** `held`: not sent, because its push service asked for a pause. */
export type Result = { id: string } & (
  | { status: number; retryAfterMs: number | null }
  | { error: 'ADDRESS' | 'TIMEOUT' | 'TLS' | 'CONNECTION' | 'KEYS' | 'HELD' }
);

/** Replaces the public internet in tests and benchmarks (threads get only `through` and `ca`). */
export type PushWorld = {
  resolve?: LookupFunction;
  isAllowed?(address: string): boolean;
  /** Every connection goes there instead of to the address of the name. */
  through?: { host: string; port: number };
  port?: number;
  ca?: string;
};
export type SenderOptions = { hosts: readonly string[]; world?: PushWorld };
export type Sender = { send(batch: Batch): Promise<Result[]>; close(): void };

/** On the way at once, of one batch. */
const AT_ONCE = 32;
const CONNECTIONS_PER_SERVICE = 24;
/** Only this much of an answer is read. */
const READ_BYTES = 4_096;

/**
 * The only way in which this server calls a push endpoint: HTTPS to a known push service at a public address, checked
 * in the lookup whose result is connected to (threat model, row D1). Connections are reused; a long or slow answer
 * costs its own connection and at most ten seconds.
 */
export function createSender({ hosts, world = {} }: SenderOptions): Sender {
  const isAllowed = world.isAllowed ?? isGlobal;
  const common = { keepAlive: true, maxSockets: CONNECTIONS_PER_SERVICE, ...(world.ca ? { ca: world.ca } : {}) };
  const open = new Agent({ ...common, lookup: guarded(world.resolve ?? resolve, isAllowed) });
  // A service that the operator configured with a port may have any address.
  const own = new Agent(common);

  function deliver(url: URL, isOwn: boolean, batch: Batch, target: Target): Promise<Result> {
    const { id } = target;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (!isOwn && isIP(host) !== 0 && !isAllowed(host)) return Promise.resolve({ id, error: 'ADDRESS' });
    const authorization = batch.authorizations[target.authorization] ?? '';
    let message: ReturnType<typeof messageFor>;
    try {
      message = messageFor(target, batch, authorization);
    } catch {
      return Promise.resolve({ id, error: 'KEYS' });
    }
    return new Promise((done) => {
      const { through } = world;
      const sent = request({
        agent: isOwn ? own : open,
        host: through?.host ?? host,
        port: through?.port ?? world.port ?? (url.port || 443),
        method: 'POST',
        path: url.pathname + url.search,
        headers: { ...message.headers, host: url.host },
        ...(isIP(host) === 0 ? { servername: host } : {}),
      });
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        sent.destroy();
        failed(new Error('late'));
      }, PUSH_TIMEOUT_MS);
      let isDone = false;
      const finish = (result: Result) => {
        if (isDone) return;
        isDone = true;
        clearTimeout(late);
        done(result);
      };
      const failed = (error: NodeJS.ErrnoException) => finish({ id, error: isLate ? 'TIMEOUT' : wordFor(error) });
      sent.on('error', failed);
      sent.on('response', (answer) => {
        let read = 0;
        const end = () =>
          finish({
            id,
            status: answer.statusCode ?? 0,
            retryAfterMs: restOf(answer.headers['retry-after'], Date.now()),
          });
        answer.on('data', (chunk: Buffer) => {
          read += chunk.length;
          if (read < READ_BYTES) return;
          end();
          sent.destroy();
        });
        answer.on('end', end);
        answer.on('error', failed);
        answer.on('close', () => failed(new Error('cut')));
      });
      sent.end(message.body);
    });
  }

  return {
    async send(batch) {
      const resting = new Set(batch.resting);
      const results: Result[] = [];
      let next = 0;
      const work = async () => {
        for (let target = batch.targets[next++]; target; target = batch.targets[next++]) {
          const judged = judgeEndpoint(target.endpoint, hosts);
          const { id } = target;
          if (!judged) results.push({ id, error: 'ADDRESS' });
          else if (resting.has(judged.url.origin)) results.push({ id, error: 'HELD' });
          else {
            const result = await deliver(judged.url, judged.own, batch, target);
            // It applies to the whole service, also for the rest of this batch.
            if (restFor(result) !== null) resting.add(judged.url.origin);
            results.push(result);
          }
        }
      };
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, batch.targets.length) }, work));
      return results;
    },
    close() {
      open.destroy();
      own.destroy();
    },
  };
}

/** WNS limits senders with 406, and names no time (learn.microsoft.com, "Push notification service request headers"). */
const THROTTLED = 406;

/**
 * How long a push service wants no requests, in ms: 429 or 5xx with a time, and 406. Null: no limit. Applies to the
 * whole service.
 */
export function restFor(result: Result): number | null {
  if (!('status' in result)) return null;
  const { status, retryAfterMs } = result;
  if (status === THROTTLED) return retryAfterMs ?? PUSH_THROTTLED_REST_MS;
  return status === 429 || status >= 500 ? retryAfterMs : null;
}

/** `Retry-After` in milliseconds, from seconds or a date (RFC 9110); null when absent or invalid. */
export function restOf(header: string | undefined, now: number): number | null {
  const value = header?.trim() ?? '';
  if (value === '') return null;
  const date = value.endsWith(' GMT') ? Date.parse(value) : Number.NaN;
  const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : date - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), PUSH_RETRY_AFTER_MAX_MS);
}
