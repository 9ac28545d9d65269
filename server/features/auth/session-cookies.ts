import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import type { Actor } from '../../base/actor.ts';
import { HttpError } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import type { Key } from '../../contract/routes.ts';
import { signedInCookie } from '../../contract/sw-messages.ts';
import { isSecure, OF_SESSION, type SessionKind, sessionCookie } from '../../http/cookies.ts';
import type { Call } from '../../http/handler.ts';
import { createSession, endSession } from '../../http/session.ts';
import { hashOf, isSecret } from './secrets.ts';

/** The part of a call that reads and writes cookies. */
export type CookieJar = Pick<Call<Key>, 'runtime' | 'cookies' | 'setCookie'>;

/** Gives a session to the browser, and a readable cookie with a new value for its pages. */
export function giveSession(jar: CookieJar, kind: SessionKind, token: string): void {
  jar.setCookie(sessionCookie(jar.runtime.config, kind), token, OF_SESSION[kind]);
  jar.setCookie(signedInCookie(isSecure(jar.runtime.config)), randomUUID(), { ...OF_SESSION[kind], readable: true });
}

/** Takes a session's cookies back. A partitioned cookie is deleted only from its own partition. */
export function takeSessionCookie(jar: CookieJar, kind: SessionKind): void {
  const gone = { ...OF_SESSION[kind], maxAgeMs: 0 };
  jar.setCookie(sessionCookie(jar.runtime.config, kind), '', gone);
  jar.setCookie(signedInCookie(isSecure(jar.runtime.config)), '', { ...gone, readable: true });
}

/** Ends the browser's session of this kind, expired or not. */
export async function endHeldSession(
  sql: Sql | TransactionSql,
  jar: Pick<CookieJar, 'runtime' | 'cookies'>,
  kind: SessionKind,
): Promise<void> {
  const token = jar.cookies[sessionCookie(jar.runtime.config, kind)];
  if (isSecret(token)) await sql`delete from sessions where token_hash = ${hashOf(token)} and kind = ${kind}`;
}

/** A new token for a person whose standing changed; its Telegram proof and its end stay those of the old session. */
export async function rotateSession(
  sql: TransactionSql,
  call: { actor: Actor; userAgent: string | null },
  now: Date,
): Promise<string> {
  const { actor } = call;
  const session = await createSession(sql, {
    userId: actor.userId,
    kind: actor.sessionKind,
    userAgent: call.userAgent,
    now,
  });
  const [live] = await sql`
    update sessions s set telegram_at = old.telegram_at, created_at = old.created_at, expires_at = old.expires_at
    from sessions old where old.id = ${actor.sessionId} and s.id = ${session.sessionId} returning s.id`;
  if (!live) throw new HttpError(401, 'NOT_SIGNED_IN', 'Sign in with Telegram to go on.');
  // It is still the same browser, so its push subscription stays.
  await sql`update push_subscriptions set session_id = ${session.sessionId} where session_id = ${actor.sessionId}`;
  await endSession(sql, actor.sessionId);
  return session.token;
}

/** Cookie that ties a sign-in to the browser that began it (threat model, row B4). */
export const signInCookie = (runtime: Runtime): string => (isSecure(runtime.config) ? '__Host-signin' : 'signin');
