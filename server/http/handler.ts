import type { Logger } from 'pino';
import type { Sql, TransactionSql } from 'postgres';
import type * as z from 'zod/mini';
import type { Actor } from '../base/actor.ts';
import type { Runtime } from '../base/runtime.ts';
import type { CommunityRole } from '../contract/community.ts';
import type { ParamNames } from '../contract/route.ts';
import type { Key, OutputOf, Routes } from '../contract/routes.ts';
import type { Way } from './caller.ts';
import type { Encoding } from './compress.ts';
import type { CookieOptions, Cookies } from './cookies.ts';

/** Bytes that are no JSON, whole or piece by piece. */
export type FileAnswer<T extends string = string> = {
  type: T;
  content: Buffer | AsyncIterable<string | Buffer>;
  /** File name for a download; null: shown inline. */
  name: string | null;
  /** Content security policy of a page; without one it may load nothing and nobody may frame it. */
  policy?: string;
};
/** JSON that stays the same while the process runs, with its compressed forms. */
export type CachedJson = { etag: string; plain: Buffer; compressed: Readonly<Record<Encoding, Buffer>> };
/** The body of a route that takes bytes. */
export type Bytes<T extends string = string> = { type: T; bytes: Buffer<ArrayBuffer> };

export type Answer<K extends Key> =
  | (OutputOf<K> extends undefined ? never : { json: OutputOf<K> } | { cached: CachedJson })
  | (Routes[K] extends { fileTypes: readonly (infer T extends string)[] } ? { file: FileAnswer<T> } : never)
  | { redirect: string }
  | { empty: true }
  | (Routes[K] extends { stream: readonly string[] } ? Stream : never);

/** An answer sent in pieces. It stops when the caller is gone. */
export type Stream = {
  stream: AsyncIterable<string>;
  type: string;
};

type Parsed<K extends Key, Part extends 'body' | 'query'> =
  Routes[K] extends Record<Part, infer S extends z.ZodMiniType> ? z.output<S> : undefined;
type IsIdempotent<K extends Key> = Routes[K] extends { idempotent: true } ? TransactionSql : Sql;

/**
 * Where a call acts, for whom, and when; with the other ids of the path. A `:userId` is another person, so it is only in `params`.
 */
type Scope<K extends Key> = Record<Exclude<ParamNames<K>, 'communityId' | 'userId'>, string> & {
  userId: Call<K>['actor'] extends Actor ? string : string | null;
  now: Date;
} & (K extends `${string}/:communityId${string}` ? { communityId: string; role: CommunityRole | null } : unknown);

export type Call<K extends Key> = {
  runtime: Runtime;
  /** For idempotent routes: the transaction that also stores the answer. Otherwise the pool. */
  sql: IsIdempotent<K>;
  params: Record<ParamNames<K>, string>;
  body: Routes[K] extends { bodyTypes: readonly (infer T extends string)[] } ? Bytes<T> : Parsed<K, 'body'>;
  query: Parsed<K, 'query'>;
  /** Signed-in person; null only on routes that are not for people who signed in. */
  actor: Routes[K] extends { access: 'public' | 'telegram' } ? Actor | null : Actor;
  /** The community of `:communityId`, resolved from id or slug before the handler runs, with the actor's role. */
  community: K extends `${string}/:communityId${string}`
    ? { id: string; slug: string; role: CommunityRole | null }
    : undefined;
  scope: Scope<K>;
  requestId: string;
  userAgent: string | null;
  ip: string;
  way(): Way;
  log(): Logger;
  /** Raw cookies of the request. */
  cookies: Readonly<Cookies>;
  setCookie(name: string, value: string, options: CookieOptions): void;
  clearCookie(name: string): void;
  setHeader(name: string, value: string): void;
  /** Aborted once the caller hung up. */
  gone: AbortSignal;
  /** `Last-Event-ID` of a stream that a browser resumes. */
  lastEvent: string | undefined;
  /** Overrides the status of the declaration (201 or 200). */
  setStatus(status: number): void;
};

export type Handler<K extends Key> = (call: Call<K>) => Promise<Answer<K>> | Answer<K>;
/** Throws 429 while a feature can take no more. Asked with the token buckets, before anything of the body is read. */
export type Guard = (runtime: Runtime) => void;
/** What takes long and needs no transaction, of a command: done before one begins, it gives the handler of the rest. */
export type Prepare<K extends Key> = (call: Omit<Call<K>, 'sql'>) => Promise<Handler<K>>;
/**
 * Handlers of one feature, by the contract's keys: `const accounts = { 'GET /api/auth/user': async (call) => … } satisfies Handlers`.
 * A route with token buckets may have a guard beside its handler; a command that has much to do before may prepare it.
 */
export type Handlers = {
  [K in Key]?: Handler<K> | { guard: Guard; handle: Handler<K> } | { prepare: Prepare<K> };
};
