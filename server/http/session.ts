import { createHash, randomBytes } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import type { Config } from '../config.ts';
import { MINI_APP_SESSION_ABSOLUTE_MS, SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from '../contract/limits.ts';
import { type SessionKind, sessionCookie } from './cookies.ts';
import type { Actor } from './handler.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const SEEN_EVERY_MS = 60_000;
const USER_AGENT_MAX = 512;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Starts a session. The token (256 random bits, base64url) goes into the cookie and is kept nowhere else:
 * the row holds its SHA-256. A new sign-in makes a new token; end the old session beside it.
 */
export async function createSession(
  sql: Sql | TransactionSql,
  input: { userId: string; kind: SessionKind; userAgent: string | null; now: Date },
): Promise<{ token: string; expiresAt: Date; sessionId: string }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const lifeMs = input.kind === 'web' ? SESSION_ABSOLUTE_MS : MINI_APP_SESSION_ABSOLUTE_MS;
  const expiresAt = new Date(input.now.getTime() + lifeMs);
  const [row] = await sql<{ id: string }[]>`
    insert into sessions (token_hash, user_id, kind, user_agent, telegram_at, created_at, last_seen_at, expires_at)
    values (${hashOf(token)}, ${input.userId}, ${input.kind}, ${input.userAgent?.slice(0, USER_AGENT_MAX) ?? null},
      ${input.now}, ${input.now}, ${input.now}, ${expiresAt})
    returning id`;
  if (!row) throw new Error('the session was not stored');
  return { token, expiresAt, sessionId: row.id };
}

/** Ends one session. Ending one that is gone is no error. */
export async function endSession(sql: Sql | TransactionSql, sessionId: string): Promise<void> {
  await sql`delete from sessions where id = ${sessionId}`;
}

type Row = {
  id: string;
  kind: SessionKind;
  telegramAt: Date;
  lastSeenAt: Date;
  userId: string;
  telegramUserId: string;
  telegramUsername: string | null;
  twitterUsername: string | null;
  displayName: string;
  isVerified: boolean;
  role: Actor['role'];
  membership: Actor['membership'];
  suspended: boolean;
  timeZone: string;
};

/**
 * Who stands behind the request's cookies, or null. A web session goes before a Mini App one.
 * A session ends after `SESSION_IDLE_MS` without a request and at its absolute expiry, whatever the cookie says.
 */
export async function readSession(
  sql: Sql,
  config: Pick<Config, 'publicOrigin'>,
  cookies: ReadonlyMap<string, string>,
  now: Date,
): Promise<Actor | null> {
  for (const kind of ['web', 'mini_app'] as const) {
    const token = cookies.get(sessionCookie(config, kind));
    if (token === undefined || !TOKEN.test(token)) continue;
    const actor = await actorOf(sql, token, kind, now);
    if (actor) return actor;
  }
  return null;
}

async function actorOf(sql: Sql, token: string, kind: SessionKind, now: Date): Promise<Actor | null> {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS);
  const [row] = await sql<Row[]>`
    select s.id, s.kind, s.telegram_at as "telegramAt", s.last_seen_at as "lastSeenAt",
      u.id as "userId", u.telegram_user_id::text as "telegramUserId", u.telegram_username as "telegramUsername",
      u.twitter_username as "twitterUsername", u.display_name as "displayName", u.is_verified as "isVerified",
      u.role, u.membership, u.suspended_at is not null as suspended, u.time_zone as "timeZone"
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${hashOf(token)} and s.kind = ${kind}
      and s.expires_at > ${now} and s.last_seen_at > ${idleSince}`;
  if (!row) return null;
  if (now.getTime() - row.lastSeenAt.getTime() >= SEEN_EVERY_MS) {
    await sql`update sessions set last_seen_at = ${now} where id = ${row.id} and last_seen_at < ${now}`;
  }
  const { id, kind: sessionKind, lastSeenAt: _, ...person } = row;
  return { ...person, sessionId: id, sessionKind };
}
