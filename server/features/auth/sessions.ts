import type { Sql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import { SESSION_IDLE_MS } from '../../contract/limits.ts';
import type { Handlers } from '../../http/handler.ts';
import { userOf } from './people.ts';
import { endHeldSession, takeSessionCookie } from './session-cookies.ts';

type Row = {
  id: string;
  kind: 'web' | 'mini_app';
  createdAt: Date;
  lastSeenAt: Date;
  userAgent: string | null;
};

export const sessionHandlers = {
  'GET /api/auth/user': (call) => ({ json: userOf(call.actor) }),

  async 'POST /api/auth/logout'(call) {
    for (const kind of ['web', 'mini_app'] as const) {
      await endHeldSession(call.sql, call, kind);
      takeSessionCookie(call, kind);
    }
    // "cache" empties the HTTP cache, where answers marked `private` may lie. The shell lives in CacheStorage and unsent
    // work in IndexedDB: those are "storage", which is left alone (threat model, row G1).
    call.setHeader('Clear-Site-Data', '"cache", "cookies"');
    return { json: { ok: true } };
  },

  async 'GET /api/auth/sessions'(call) {
    const now = call.runtime.now();
    const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
    const rows = await call.sql<Row[]>`
      select id, kind, created_at as "createdAt", last_seen_at as "lastSeenAt", user_agent as "userAgent"
      from sessions
      where user_id = ${call.actor.userId} and expires_at > ${now} and last_seen_at > ${idleSince}
      order by last_seen_at desc, id`;
    return {
      json: rows.map((row) => ({
        ...row,
        current: row.id === call.actor.sessionId,
        createdAt: row.createdAt.toISOString(),
        lastSeenAt: row.lastSeenAt.toISOString(),
      })),
    };
  },

  async 'DELETE /api/auth/sessions/:sessionId'(call) {
    const { sessionId } = call.params;
    const [ended] = await call.sql`
      delete from sessions where id = ${sessionId} and user_id = ${call.actor.userId} returning id`;
    if (!ended) throw notFound('session');
    if (sessionId === call.actor.sessionId) takeSessionCookie(call, call.actor.sessionKind);
    return { json: { ok: true } };
  },
} satisfies Handlers;

/** Deletes sessions that are over, and what sign-ins and proofs left behind. */
export async function sweepSessions(sql: Sql, now: Date): Promise<void> {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  await sql`delete from sessions where expires_at <= ${now} or last_seen_at <= ${idleSince}`;
  await sql`delete from sign_in_attempts where expires_at <= ${now}`;
  await sql`delete from used_signatures where expires_at <= ${now}`;
  await sql`delete from x_proof_codes where expires_at <= ${now}`;
}
