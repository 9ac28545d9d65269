/** Every request of the page: specification, sections 7 and 8. */
import type { ApiError, FORGOTTEN, MEMBERSHIP_REVOKED, SUSPENDED } from '../../server/contract/errors.ts';
import type { ParamNames } from '../../server/contract/route.ts';
import type { BodyOf, Key, OutputOf, QueryOf, Routes } from '../../server/contract/routes.ts';
import { CACHED_AT_HEADER, CACHED_ONLY_HEADER } from '../../server/contract/sw-messages.ts';
import { isOwnResponse } from '../../worker/own-response.ts';
import { serviceWorkers } from './browser.ts';
import { noteAnswer, noteTime } from './clock.ts';

/** The type alone ties it to the contract: importing the value would bundle the schemas. */
const REVOKED: typeof MEMBERSHIP_REVOKED = 'TELEGRAM_MEMBERSHIP_REVOKED';
const SHUT: typeof SUSPENDED = 'SUSPENDED';
const GONE: typeof FORGOTTEN = 'FORGOTTEN';

/**
 * A server's refusal. Code reads `status` and `reason`; `message` is for people: the answer's `message` field, else its
 * text, else the status text.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  /** Stable code from the API's error envelope. */
  readonly reason: string;
  readonly requestId: string | null;
  readonly details: unknown;
  constructor(answer: {
    status: number;
    reason: string;
    message: string;
    requestId: string | null;
    details?: unknown;
  }) {
    super(answer.message);
    this.status = answer.status;
    this.reason = answer.reason;
    this.requestId = answer.requestId;
    this.details = answer.details;
  }
}

/**
 * An intermediary answered instead of the server. The product treats that as no connection. The message comes from the
 * answer, as for a refusal.
 */
export class ForeignAnswer extends TypeError {
  override readonly name = 'ForeignAnswer';
}

/** The server never answered: no connection, or it broke. Browsers raise a TypeError for both. */
export const isNetworkFailure = (error: unknown): boolean => error instanceof TypeError;
export const statusOf = (error: unknown): number | null => (error instanceof HttpError ? error.status : null);
export const isSuspended = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.status === 403 && error.reason === SHUT;
/**
 * Whether this person may not use the instance now: an authentication error with the marker (specification, section 4),
 * or a suspended account.
 */
export const isShutOut = (error: unknown): boolean =>
  isSuspended(error) ||
  (error instanceof HttpError &&
    (error.status === 401 || error.status === 403) &&
    (error.reason === REVOKED || error.message.includes(REVOKED)));

async function errorOf(response: Response, isOwn: boolean): Promise<HttpError | ForeignAnswer> {
  const text = await response.text();
  const envelope = envelopeIn(text);
  const message = typeof envelope?.message === 'string' ? envelope.message : text || response.statusText;
  if (!isOwn) return new ForeignAnswer(message);
  return new HttpError({
    status: response.status,
    reason: envelope?.reason ?? '',
    message,
    requestId:
      typeof envelope?.requestId === 'string' ? envelope.requestId : (response.headers.get('x-request-id') ?? null),
    details: envelope?.details,
  });
}
function envelopeIn(text: string): Partial<ApiError> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : null;
  } catch {
    return null;
  }
}

/** Reports each request, answered or not, for the page's breadcrumbs. */
export const calls: { onAnswer?: (method: string, url: string, sentAt: number, answer?: Response) => void } = {};

type Extra = { headers?: Record<string, string>; signal?: AbortSignal | undefined };

/**
 * Sends any method to any URL of this origin with an optional JSON body or a file, and returns the checked answer.
 * Cookies always travel; the JSON content type only with a body.
 * @throws {HttpError} for every answer outside 200–299; a TypeError when the server never answered
 */
export async function request(method: string, url: string, body?: unknown, extra: Extra = {}): Promise<Response> {
  const sentAt = Date.now();
  const response = await fetch(url, {
    method,
    credentials: 'include',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': body instanceof Blob ? body.type : 'application/json' }),
      ...extra.headers,
    },
    ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(extra.signal && { signal: extra.signal }),
  }).catch((error) => {
    // The caller who aborted it knows why.
    if (!extra.signal?.aborted) calls.onAnswer?.(method, url, sentAt);
    throw error;
  });
  calls.onAnswer?.(method, url, sentAt, response);
  const isOwn = await isOwnResponse(response);
  if (!isOwn || !response.ok) {
    const refused = await errorOf(response, isOwn);
    // The session's person asked to be erased: this device deletes their data.
    if ('reason' in refused && refused.reason === GONE)
      void import('./forget-person.ts').then((part) => part.forgetPerson(refused.details));
    throw refused;
  }
  if (ageOf(response) === null) {
    noteAnswer();
    noteTime(response, sentAt);
  }
  if (method === 'GET') noteAge(url, response, sentAt);
  return response;
}

/**
 * For the last answer to a GET of each URL: when the server gave it, if it came from the device, and the time that it
 * is at least as new as.
 */
const ages = new Map<string, { copied: number | null; from: number }>();
/** When the server gave this answer, epoch ms, if it came from the device; else null. */
export function ageOf(response: Response): number | null {
  const at = Number(response.headers.get(CACHED_AT_HEADER) ?? Number.NaN);
  return Number.isFinite(at) ? at : null;
}
/** Records the age of the answer for this URL. `sentAt`: when the request was sent, epoch ms. */
export function noteAge(url: string, response: Response, sentAt = 0): void {
  const copied = ageOf(response);
  ages.set(url, { copied, from: copied ?? sentAt });
}
/** The device's copy of a GET, or null. It costs the server no request, and needs a service worker. */
export async function cachedCopy(url: string): Promise<Response | null> {
  if (!serviceWorkers()?.controller) return null;
  const response = await fetch(url, {
    credentials: 'include',
    headers: { accept: 'application/json', [CACHED_ONLY_HEADER]: '1' },
  });
  return response.status === 200 ? response : null;
}
/** When the server gave the last answer to a GET of this URL, epoch ms, if it came from the device; else null. */
export const cachedAtOf = (url: string): number | null => ages.get(url)?.copied ?? null;
/**
 * The time, epoch ms by the device's clock, that the last answer to a GET of this URL is at least as new as: it
 * contains what the server had committed before. Null without an answer.
 */
export const shownFrom = (url: string): number | null => ages.get(url)?.from ?? null;

export type ParamsOf<K extends Key> = [ParamNames<K>] extends [never] ? undefined : Record<ParamNames<K>, string>;
type Need<Name extends string, T> = undefined extends T ? { [P in Name]?: T | undefined } : { [P in Name]: T };
/** The body of a route that takes a file is its bytes. */
type SentOf<K extends Key> = Routes[K] extends { bodyTypes: readonly string[] } ? Blob : BodyOf<K>;
export type CallOptions<K extends Key> = Need<'params', ParamsOf<K>> &
  Need<'body', SentOf<K>> & { query?: QueryOf<K> | undefined; signal?: AbortSignal | undefined } & (Routes[K] extends {
    idempotent: true;
  }
    ? { idempotencyKey: string }
    : { idempotencyKey?: undefined });

type Rest<K extends Key> =
  Record<never, never> extends CallOptions<K> ? [options?: CallOptions<K>] : [options: CallOptions<K>];

/** Method and path of a route with its parameters filled in (encoded) and its query appended. */
export function addressOf(
  key: Key,
  params?: Record<string, string>,
  query?: Record<string, string | undefined>,
): { method: string; path: string } {
  const [method = 'GET', pattern = ''] = key.split(' ');
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, value);
  return { method, path: search.size > 0 ? `${path}?${search}` : path };
}

/**
 * Calls a route of the contract and reads its JSON; the key gives the types of parameters, query, body and answer.
 * @throws as `request`
 */
export async function call<K extends Key>(key: K, ...[options]: Rest<K>): Promise<OutputOf<K>> {
  const given = (options ?? {}) as {
    params?: Record<string, string>;
    query?: Record<string, string | undefined>;
    body?: unknown;
    idempotencyKey?: string;
    signal?: AbortSignal;
  };
  const { method, path } = addressOf(key, given.params, given.query);
  const response = await request(method, path, given.body, {
    ...(given.idempotencyKey && { headers: { 'idempotency-key': given.idempotencyKey } }),
    signal: given.signal,
  });
  return (response.status === 204 ? undefined : await response.json()) as OutputOf<K>;
}
