import * as z from 'zod/mini';
import { ANSWER_LONG_MS } from './limits.ts';

/**
 * Who may call a route. `verified` is a complete account; `leader` and `moderator` are of the community in the path;
 * `telegram` is the Bot API, by the secret of its webhook.
 */
export type Access = 'public' | 'user' | 'verified' | 'member' | 'moderator' | 'leader' | 'ops' | 'admin' | 'telegram';

/**
 * `private` answers may be cached in the member's own partition on the device; `no-store` never. `public` ones are the
 * same for everyone and may be cached for a minute.
 */
export type CacheClass = 'no-store' | 'private' | 'public';

/** What an API key may be made for. A key is its maker's right, in one community, for these routes only. */
export const ApiScope = z.enum([
  'read:board',
  'read:members',
  'read:claims',
  'read:ledger',
  'write:claims',
  'write:points',
]);
export type ApiScope = z.infer<typeof ApiScope>;

type Schema = z.ZodMiniType;

/** `burst` requests at once, `perSecond` of them come back. */
export type Bucket = { readonly burst: number; readonly perSecond: number };

/**
 * One declaration per route: routing, client calls, OpenAPI, the access matrix and the bad-input tests derive from it.
 */
export type Declaration = {
  access: Access;
  /** One line for OpenAPI: what the call does. */
  summary: string;
  query?: Schema;
  body?: Schema;
  /** The body is the bytes of one of these media types, not JSON. */
  bodyTypes?: readonly string[];
  /** Success is a file of one of these media types, not JSON. */
  fileTypes?: readonly string[];
  /** API keys with this scope may call it too. */
  scope?: ApiScope;
  /** Absent: the route answers a file, a redirect, an empty 204 or a stream. */
  output?: Schema;
  /** Media types of an answer that is sent piece by piece. */
  stream?: readonly string[];
  /** Status of success; 200 when absent. */
  status?: 200 | 201 | 202 | 204 | 302;
  cache: CacheClass;
  /** Calls allowed per member (or address, signed out) and minute. */
  perMinute: number;
  /**
   * Instead of `perMinute`: token buckets per address, session and instance, in the process's memory, so a flood costs
   * the database nothing.
   */
  buckets?: Readonly<Record<'address' | 'session' | 'instance', Bucket>>;
  /** It answers while storage is down: the caller is not looked up, and calls are counted in the process's memory. */
  probe?: true;
  /** Time from the last byte of the body to the first of the answer; ANSWER_MS when absent. Asking others takes longer. */
  answerMs?: number;
  /** Largest body; JSON_BODY_BYTES when absent. */
  bodyBytes?: number;
  /**
   * Accepts JSON that storage could not store as it is (NUL, prototype names, deep nesting): the feature repairs each
   * entry, so one malformed entry does not block the others.
   */
  lenientBody?: true;
  /** Malformed input is skipped with success: its sender would repeat it for ever and send nothing else. */
  passesOver?: true;
  /** The caller must send `Idempotency-Key`; the answer is stored with the effect. */
  idempotent?: true;
  /** Field of the answer that is a secret: it is stored nowhere, so a repeat gets 409 `SHOWN_ONCE`. */
  shownOnce?: 'key' | 'secret' | 'url';
  /** Page and name of a query: a person whose browser goes to the route is sent back there with the reason of a refusal. */
  backTo?: `/${string}?${string}`;
  /**
   * Other sites may read it (`read`: CORS) or show it in a frame. Nobody is signed in there, whatever cookies come along, so
   * no other site ever sees what is a member's own.
   */
  anySite?: 'read' | 'frame';
  /** A stream for open screens: many are open at once, so they have their own limits. */
  live?: true;
  /** People whose membership was revoked may call it too (sign-out, re-check). */
  allowRevoked?: true;
  /** Suspended people may call it too: their stored data is still theirs. */
  allowSuspended?: true;
};

type Fields = Omit<Declaration, 'access' | 'summary'>;
/** A generic object may have fields that nobody declared: here a misspelt one is refused. */
type DeclaredOnly<F> = F & Record<Exclude<keyof F, keyof Fields>, never>;

/** A declaration whose caching and limits are its own. */
export const route = <const A extends Access, const F extends Fields>(
  access: A,
  summary: string,
  fields: DeclaredOnly<F>,
) => ({
  access,
  summary,
  ...fields,
});

type Default = Pick<Declaration, 'cache' | 'perMinute'>;
/** Makes the function that declares routes of one sort; what a route says itself goes before what they share. */
const routesWith =
  <D extends Default & Partial<Fields>>(shared: D) =>
  <const A extends Access, const F extends Partial<Fields>>(access: A, summary: string, fields: DeclaredOnly<F>) => ({
    access,
    summary,
    ...shared,
    ...fields,
  });

/** Reads what a device may keep in its member's own partition. */
export const read = routesWith<Default>({ cache: 'private', perMinute: 240 });
/** Changes something, once however often it is sent. */
export const command = routesWith<Default & { idempotent: true }>({
  cache: 'no-store',
  perMinute: 60,
  idempotent: true,
});
/** Answers a file that takes long to write. */
export const download = routesWith<Default & { answerMs: number }>({
  cache: 'no-store',
  perMinute: 10,
  answerMs: ANSWER_LONG_MS,
});

export type RouteKey = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

type Segments<P extends string> = P extends `${infer Head}/${infer Tail}` ? Segments<Head> | Segments<Tail> : P;
type ParamOf<S> = S extends `:${infer Name}` ? Name : never;
/** Names of the `:parameters` in a key such as `GET /api/communities/:communityId`. */
export type ParamNames<K extends string> = ParamOf<Segments<K>>;
