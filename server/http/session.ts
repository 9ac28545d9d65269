import { createHash, randomBytes } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import type { Actor } from '../base/actor.ts';
import type { Config } from '../config.ts';
import {
  MINI_APP_SESSION_ABSOLUTE_MS,
  SESSION_ABSOLUTE_MS,
  SESSION_IDLE_MS,
  SESSIONS_PER_PERSON,
} from '../contract/limits.ts';
import { zonesText } from '../storage/zone.ts';
import { type FoundCommunity, namedBy, OUT_OF } from './access.ts';
import { type Call, checkCount, countCall, countedAs, countOf } from './call-counts.ts';
import { type Cookies, type SessionKind, sessionCookie } from './cookies.ts';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const SEEN_EVERY_MS = 60_000;
const USER_AGENT_MAX = 512;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Starts a session. The token (256 random bits, base64url) is only in the cookie; the row stores its SHA-256. A new
 * sign-in creates a new token; end the old session yourself. The oldest over `SESSIONS_PER_PERSON` ends.
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
  await endOldest(sql, input);
  return { token, expiresAt, sessionId: row.id };
}

/** Ends a person's oldest sessions over the limit. */
async function endOldest(sql: Sql | TransactionSql, { userId, now }: { userId: string; now: Date }): Promise<void> {
  await sql`
    delete from sessions where id in (
      select id from sessions
      where user_id = ${userId} and expires_at > ${now} and last_seen_at > ${new Date(now.getTime() - SESSION_IDLE_MS)}
      order by created_at desc, id desc offset ${SESSIONS_PER_PERSON})`;
}

/** Ends one session. Ending one that is gone is no error. */
export async function endSession(sql: Sql | TransactionSql, sessionId: string): Promise<void> {
  await sql`delete from sessions where id = ${sessionId}`;
}

type Row = { id: string; lastSeenAt: Date } & Omit<Actor, 'sessionId'>;

/** A session that lives, with its person, as a statement; a web session goes before a Mini App one. */
const ASKER = (web: string, miniApp: string, now: string, idleSince: string) => `
  select s.id, s.kind as "sessionKind", s.telegram_at as "telegramAt", s.last_seen_at as "lastSeenAt",
    u.id as "userId", u.telegram_user_id::text as "telegramUserId", u.telegram_username as "telegramUsername",
    u.twitter_username as "twitterUsername", u.display_name as "displayName", u.is_verified as "isVerified",
    u.role, u.membership, u.suspended_at is not null as suspended, u.suspended_until as "suspendedUntil",
    u.suspended_reason as "suspendedReason", ${zonesText(now)}
  from sessions s join users u on u.id = s.user_id
  where s.token_hash in (${web}::bytea, ${miniApp}::bytea)
    and (s.token_hash = ${web}::bytea and s.kind = 'web' or s.token_hash = ${miniApp}::bytea and s.kind = 'mini_app')
    and s.expires_at > ${now}::timestamptz and s.last_seen_at > ${idleSince}::timestamptz
  order by s.kind = 'web' desc limit 1`;
const ALONE = ASKER('$1', '$2', '$3', '$4');
/** Also counts the call for the person, or for a stranger's address, and reads the community of the path. */
const counted = (columns: string, from: string) => `
  with asker as materialized (${ASKER('$4', '$5', '$6', '$7')}
  ), counted as (${countOf(`coalesce((select "userId"::text from asker), $1::text)`)}
  ) select counted.count, asker.*${columns} from counted left join asker on true ${from}`;
const joined = (at: string) => `
  left join communities c on ${at}
  left join community_members m on m.community_id = c.id and m.user_id = asker."userId"`;
const COMMUNITY_COLUMNS = `, c.id as "communityRowId", c.slug, c.visibility, c.status, c.suspended_until as "communityUntil",
  c.suspended_reason as "communityReason", m.role as "roleThere", ${OUT_OF}`;
const COUNTED = {
  nowhere: counted('', ''),
  id: counted(COMMUNITY_COLUMNS, joined('c.id = $8::uuid')),
  slug: counted(COMMUNITY_COLUMNS, joined('c.slug = $8::text')),
};
/** A community that was read with its caller; the caller's columns have the shorter names. */
export type CommunityRow = Pick<FoundCommunity, 'slug' | 'visibility' | 'status' | 'outOf'> & {
  communityRowId: string | null;
  communityUntil: Date | null;
  communityReason: string | null;
  roleThere: FoundCommunity['role'];
};

/** Who calls, and the path's community: null where there is none, undefined where it was not read. */
export type Caller = { actor: Actor | null; found?: FoundCommunity | null | undefined };

/**
 * The actor of the request's cookies, or null. A session ends after `SESSION_IDLE_MS` without a request and at its
 * absolute expiry, whatever the cookie says.
 */
export async function readSession(
  sql: Sql,
  config: Pick<Config, 'publicOrigin'>,
  cookies: Readonly<Cookies>,
  now: Date,
): Promise<Actor | null> {
  const held = heldIn(config, cookies, now);
  if (!held) return null;
  const [row] = await sql.unsafe<Row[]>(ALONE, held, { prepare: true });
  return row ? actorOf(sql, row, now) : null;
}

/** The same with the community of the path, and the call is counted, all in one statement. Throws 429, see `checkCount`. */
export async function readCaller(
  sql: Sql,
  config: Pick<Config, 'publicOrigin'>,
  cookies: Readonly<Cookies>,
  { address, call, idOrSlug }: { address: string; call: Call; idOrSlug: string | undefined },
): Promise<Caller> {
  const held = heldIn(config, cookies, call.now);
  if (!held) {
    await countCall(sql, address, call);
    return { actor: null };
  }
  const by = idOrSlug === undefined ? null : namedBy(idOrSlug);
  const parameters = [address, ...countedAs(call), ...held, ...(by && idOrSlug ? [idOrSlug] : [])];
  const text = COUNTED[by ?? 'nowhere'];
  const [read] = await sql.unsafe<((Row | { id: null }) & CommunityRow & { count: number })[]>(text, parameters, {
    prepare: true,
  });
  if (!read) throw new Error('a call was not counted');
  const { count, communityRowId, slug, visibility, status, communityUntil, communityReason, roleThere, outOf, ...row } =
    read;
  checkCount(count, call);
  const suspension = { suspendedUntil: communityUntil, suspendedReason: communityReason, outOf: outOf ?? null };
  const found =
    communityRowId === null ? null : { id: communityRowId, slug, visibility, status, role: roleThere, ...suspension };
  return {
    actor: row.id === null ? null : await actorOf(sql, row, call.now),
    found: by ? found : undefined,
  };
}

/** Parameters of `ASKER`: token digests and times; null without a cookie that could be a session's. */
function heldIn(config: Pick<Config, 'publicOrigin'>, cookies: Readonly<Cookies>, now: Date) {
  const [web, miniApp] = (['web', 'mini_app'] as const).map((kind) => {
    const token = cookies[sessionCookie(config, kind)];
    return token !== undefined && TOKEN.test(token) ? hashOf(token) : null;
  });
  if (!web && !miniApp) return null;
  return [web ?? null, miniApp ?? null, now, new Date(now.getTime() - SESSION_IDLE_MS)];
}

async function actorOf(sql: Sql, { id, lastSeenAt, ...person }: Row, now: Date): Promise<Actor> {
  if (now.getTime() - lastSeenAt.getTime() >= SEEN_EVERY_MS) {
    await sql`update sessions set last_seen_at = ${now} where id = ${id} and last_seen_at < ${now}`;
  }
  return { ...person, sessionId: id };
}
