import type { Sql, TransactionSql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { MINI_APP_SESSION_ABSOLUTE_MS, SESSION_ABSOLUTE_MS } from '../../contract/limits.ts';
import type { Key } from '../../contract/routes.ts';
import { isSecure, type SessionKind, sessionCookie } from '../../http/cookies.ts';
import type { Call } from '../../http/handler.ts';
import { hashOf, isSecret } from './secrets.ts';

/** The part of a call that reads and writes cookies. */
export type CookieJar = Pick<Call<Key>, 'runtime' | 'cookies' | 'setCookie' | 'clearCookie'>;

/**
 * Hands a session to the browser. Telegram's web clients show the Mini App in a frame of another site,
 * so its cookie is `SameSite=None` and partitioned; the ordinary one is never sent there.
 */
export function giveSession(jar: CookieJar, kind: SessionKind, token: string): void {
  const name = sessionCookie(jar.runtime.config, kind);
  if (kind === 'web') jar.setCookie(name, token, { maxAgeMs: SESSION_ABSOLUTE_MS, sameSite: 'Lax' });
  else {
    jar.setCookie(name, token, { maxAgeMs: MINI_APP_SESSION_ABSOLUTE_MS, sameSite: 'None', partitioned: true });
  }
}

/** Takes a session's cookie back. A partitioned cookie is deleted only from its own partition. */
export function takeSessionCookie(jar: CookieJar, kind: SessionKind): void {
  const name = sessionCookie(jar.runtime.config, kind);
  if (kind === 'web') jar.clearCookie(name);
  else jar.setCookie(name, '', { maxAgeMs: 0, sameSite: 'None', partitioned: true });
}

/** Ends whatever session of this kind the browser still holds, expired or not. */
export async function endHeldSession(
  sql: Sql | TransactionSql,
  jar: Pick<CookieJar, 'runtime' | 'cookies'>,
  kind: SessionKind,
): Promise<void> {
  const token = jar.cookies[sessionCookie(jar.runtime.config, kind)];
  if (isSecret(token)) await sql`delete from sessions where token_hash = ${hashOf(token)} and kind = ${kind}`;
}

/** Cookie that ties a sign-in to the browser that began it (threat model, row B4). */
export const signInCookie = (runtime: Runtime): string => (isSecure(runtime.config) ? '__Host-signin' : 'signin');
