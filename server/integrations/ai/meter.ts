import { QUESTION_BYTES_MAX, QUESTION_CALLS_MAX } from '../../contract/limits.ts';

/** Usage of a model's service: calls, bytes of prompts, bytes of text in answers. */
export type Spent = { calls: number; sent: number; received: number };
/**
 * Measures the cost of one question by the bytes sent and read here. The usage that a service reports is not trusted.
 */
export type Meter = {
  spent(): Readonly<Spent>;
  /** Bytes that this question may still use. */
  left(): number;
  callsLeft(): number;
  /** Counts words of an answer; what lies beyond the limit is not read, and so not counted. */
  hear(bytes: number): void;
  /**
   * `fetch` that counts each call. It follows no redirect: a prompt goes to the service that the operator named.
   * @throws TypeError where the question has no calls or bytes left for it; else as `fetch`
   */
  fetch: typeof fetch;
};

export const bytesOf = (text: string): number => Buffer.byteLength(text);

/** A service wraps each word in some hundred bytes; more than this is not an answer. */
const ANSWER_BYTES_MAX = 4_000_000;

export function createMeter(): Meter {
  const spent = { calls: 0, sent: 0, received: 0 };
  const left = () => Math.max(0, QUESTION_BYTES_MAX - spent.sent - spent.received);
  const callsLeft = () => QUESTION_CALLS_MAX - spent.calls;
  return {
    spent: () => spent,
    left,
    callsLeft,
    hear(bytes) {
      spent.received += Math.min(bytes, left());
    },
    async fetch(url, init) {
      const bytes = bytesOf(String(init?.body ?? ''));
      if (callsLeft() < 1 || left() < bytes) throw new TypeError('one question may cost no more');
      spent.calls += 1;
      spent.sent += bytes;
      try {
        return short(await fetch(url, { ...init, redirect: 'manual' }));
      } catch (error) {
        if (neverReached(error)) {
          spent.calls -= 1;
          spent.sent -= bytes;
        }
        throw error;
      }
    },
  };
}

/**
 * Whether no connection was made. When one breaks later, the service may have read everything, so it counts as if it
 * had.
 */
export function neverReached(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverReached);
  const { syscall, code = '' } = error as NodeJS.ErrnoException;
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  return (
    /^(UND_ERR_CONNECT_TIMEOUT|CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code) ||
    neverReached(error.cause)
  );
}

/** A response that breaks off where it is longer than any answer. */
function short(response: Response): Response {
  if (!response.body) return response;
  let length = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, to) {
      length += piece.byteLength;
      if (length > ANSWER_BYTES_MAX) throw new TypeError('longer than any answer');
      to.enqueue(piece);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}
