import * as z from 'zod/mini';

/**
 * Who may call a route. `verified` is a complete account; `leader` and `moderator` are of the community in the path;
 * `telegram` is the Bot API, by the secret that its webhook was given.
 */
export type Access = 'public' | 'user' | 'verified' | 'member' | 'moderator' | 'leader' | 'ops' | 'admin' | 'telegram';

/**
 * `private` answers may live in the member's own cache partition on the device; `no-store` never. `public` ones are the same for
 * everybody, and anybody may keep them for a minute.
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

/** One declaration per route: routing, client calls, OpenAPI, the access matrix and the bad-input tests derive from it. */
export type Declaration = {
  access: Access;
  /** One line for OpenAPI: what the caller gets done. */
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
   * Instead of `perMinute`: token buckets of requests per address, session and instance, in the process's memory, so
   * that a flood costs the database nothing.
   */
  buckets?: Readonly<Record<'address' | 'session' | 'instance', Bucket>>;
  /** It answers while storage is away: nobody is looked up, and calls are counted in the process's memory. */
  probe?: true;
  /** Time from the last byte of the body to the first of the answer; ANSWER_MS when absent. Asking others takes longer. */
  answerMs?: number;
  /** Largest body; JSON_BODY_BYTES when absent. */
  bodyBytes?: number;
  /**
   * JSON is taken that storage could not keep as it is (NUL, names of prototypes, deep nesting): the feature mends each
   * entry by itself, so that one poisoned entry does not hold up its neighbours.
   */
  lenientBody?: true;
  /**
   * What it cannot make out it passes over, with success: its sender would send it again and again, and nothing else meanwhile.
   */
  passesOver?: true;
  /** The caller must send `Idempotency-Key`; the answer is kept with the effect. */
  idempotent?: true;
  /** Field of the answer that is a secret: kept nowhere, so that a repeat is told 409 `SHOWN_ONCE` instead. */
  shownOnce?: 'key' | 'secret' | 'url';
  /** Page and name of a query: a person whose browser goes to the route is sent back there with the reason of a refusal. */
  backTo?: `/${string}?${string}`;
  /**
   * Other sites may read it (`read`: CORS) or show it in a frame. Nobody is signed in there, whatever cookies come along, so
   * no other site ever sees what is a member's own.
   */
  anySite?: 'read' | 'frame';
  /** A stream that an open screen follows: many are open at once, so they have places of their own. */
  live?: true;
  /** People whose membership was revoked may call it too (sign-out, re-check). */
  allowRevoked?: true;
  /** People whose account is suspended may call it too: what is stored of them is theirs still. */
  allowSuspended?: true;
};
export type RouteKey = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

type Segments<P extends string> = P extends `${infer Head}/${infer Tail}` ? Segments<Head> | Segments<Tail> : P;
type ParamOf<S> = S extends `:${infer Name}` ? Name : never;
/** Names of the `:parameters` in a key such as `GET /api/communities/:communityId`. */
export type ParamNames<K extends string> = ParamOf<Segments<K>>;
