import { SEND_TIMEOUT_MS } from '../server/contract/limits.ts';
import { isOwnWord } from './own-word.ts';
import { isBytes } from './schema.ts';

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
    return await exchange({ method, path, headers, body, credentials, signal: controller.signal });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
};

async function exchange({
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
    body: (await isOwnWord(response)) ? parsed(await response.text()) : undefined,
  };
}

function contentOf(body: unknown): { type: string; content: Blob | ArrayBuffer | string } | null {
  if (body === undefined || body === null) return null;
  if (isBytes(body)) return { type: body.type, content: body.bytes };
  if (body instanceof Blob) return { type: body.type, content: body };
  return { type: 'application/json', content: JSON.stringify(body) };
}
