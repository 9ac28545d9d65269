import { SEND_TIMEOUT_MS } from '../server/contract/limits.ts';
import { isOwnResponse } from './own-response.ts';
import type { DeviceEvent } from './schema.ts';
import { isBytes } from './schema.ts';
import type { DeviceStorage } from './storage/storage.ts';

export type SendRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Sent as JSON, a `Blob` or `Bytes` as they are under their own type; nothing when null or undefined. */
  body: unknown;
  /** `omit` for what belongs to another member than the one signed in. */
  credentials: 'include' | 'omit';
  /** Takes the request off the air before its time-out. */
  signal?: AbortSignal;
};
export type SendAnswer = {
  status: number;
  /** `Retry-After` and `Date` as the server wrote them. */
  retryAfter: string | null;
  date: string | null;
  /** The answer's JSON: null when it has no body, undefined when it is not the server's own or was cut off. */
  body: unknown;
};
/** Rejects when no answer came in time: it is unknown then whether the server processed the request. */
export type Send = (request: SendRequest) => Promise<SendAnswer>;

function parsed(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const sendOverNetwork: Send = async ({ method, path, headers, body, credentials, signal }) => {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, SEND_TIMEOUT_MS);
  signal?.addEventListener('abort', abort);
  try {
    return await fetchAnswer({ method, path, headers, body, credentials, signal: controller.signal });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
};

async function fetchAnswer({
  method,
  path,
  headers,
  body,
  credentials,
  signal,
}: Required<SendRequest>): Promise<SendAnswer> {
  const sent = contentOf(body);
  const response = await fetch(path, {
    method,
    headers: sent ? { ...headers, 'content-type': sent.type } : headers,
    ...(sent ? { body: sent.content } : {}),
    credentials,
    cache: 'no-store',
    // Our API never redirects a mutation, so a redirect comes from a proxy.
    redirect: 'error',
    signal,
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    date: response.headers.get('date'),
    body: (await isOwnResponse(response)) ? parsed(await response.text()) : undefined,
  };
}

function contentOf(body: unknown): { type: string; content: Blob | ArrayBuffer | string } | null {
  if (body === undefined || body === null) return null;
  if (isBytes(body)) return { type: body.type, content: body.bytes };
  if (body instanceof Blob) return { type: body.type, content: body };
  return { type: 'application/json', content: JSON.stringify(body) };
}

/** A request this long without an answer may hang on a connection that is dead already. */
export const SILENT_AFTER_MS = 2_000;

/**
 * Sends requests and broadcasts when one takes long. Once another room has seen the server answer (`giveUp`), requests
 * that are still silent are aborted and sent again at once instead of after their timeout. Every retry of the same
 * request gets twice the time, so a slow server can still answer.
 */
export function impatient(send: Send, broadcast: (event: DeviceEvent) => void): { send: Send; giveUp: () => void } {
  const onAir = new Set<{ silent: boolean; abort: () => void }>();
  const tries = new Map<string, number>();
  return {
    async send(request) {
      const name = request.headers['Idempotency-Key'] ?? request.path;
      const tried = tries.get(name) ?? 0;
      const controller = new AbortController();
      const own = { silent: false, abort: () => controller.abort() };
      const timer = setTimeout(
        () => {
          own.silent = true;
          broadcast({ type: 'NO_ANSWER' });
        },
        SILENT_AFTER_MS * 2 ** tried,
      );
      onAir.add(own);
      tries.set(name, tried + 1);
      try {
        const answer = await send({ ...request, signal: controller.signal });
        tries.delete(name);
        return answer;
      } finally {
        clearTimeout(timer);
        onAir.delete(own);
      }
    },
    giveUp() {
      for (const { silent, abort } of onAir) if (silent) abort();
    },
  };
}

/** Everything that the drain touches, injected: it is the same in the device worker, the service worker and the tests. */
export type DrainPorts = {
  storage: DeviceStorage;
  send: Send;
  /** Epoch milliseconds. */
  now: () => number;
  /** Numbers in [0, 1). */
  random: () => number;
  /**
   * Runs `work` under the lock of its drain. `alone` is false where the browser cannot grant it. Logs have their own
   * lock, so an urgent delivery of logs does not wait for the commands.
   */
  lock: <T>(work: (alone: boolean) => Promise<T>, what: 'actions' | 'logs') => Promise<T>;
  broadcast: (event: DeviceEvent) => void;
  /** Epoch milliseconds before which logs that are all a stranger's breadcrumbs stay where they are. */
  breadcrumbsFrom?: number;
};
