import type { Sql, TransactionSql } from 'postgres';
import type { Actor } from '../../base/actor.ts';
import { HttpError } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { ADMIN_LINK_MS } from '../../contract/desk-limits.ts';
import type { User } from '../../contract/user.ts';
import type { Handlers } from '../../http/handler.ts';
import { audit } from '../audit/audit.ts';
import { hashOf, isSecret, newSecret } from './secrets.ts';
import { giveSession, rotateSession } from './session-cookies.ts';

/** The page of a link. The secret is in the fragment, which no server or log sees. */
const LINK_PAGE = '/admin/first';
/** How long a used or expired link is distinguished from an unknown one. */
const LINK_RETENTION_MS = 7 * 24 * 60 * 60_000;

/** Whether anyone can administer this instance now. */
async function hasAdmin(sql: Sql | TransactionSql): Promise<boolean> {
  const [row] = await sql<[{ has: boolean }]>`
    select exists (select from users where role = 'admin' and suspended_at is null) as has`;
  return row.has;
}

/**
 * Creates a link that makes the signed-in person who opens it an administrator, once and within `ADMIN_LINK_MS`.
 * `first`: only valid until there is an administrator. The database stores only its hash.
 */
export async function makeAdminLink(
  sql: Sql | TransactionSql,
  { origin, first, now }: { origin: string; first: boolean; now: Date },
): Promise<string> {
  const token = newSecret();
  await sql`delete from admin_links where created_at < ${new Date(now.getTime() - LINK_RETENTION_MS)}`;
  await sql`
    insert into admin_links (token_hash, first, created_at, expires_at)
    values (${hashOf(token)}, ${first}, ${now}, ${new Date(now.getTime() + ADMIN_LINK_MS)})`;
  return `${origin}${LINK_PAGE}#${token}`;
}

type Opened = { token: string; actor: Actor; now: Date };
type Link = { first: boolean; expiresAt: Date; usedAt: Date | null };

const refused = (reason: string, message: string): HttpError => new HttpError(409, reason, message);
const ANOTHER = 'Print a new one with: npm run muster -- admin link';

/**
 * Takes a link, once across all processes, and makes the person an administrator. A refused link is used up by nothing.
 * Throws 409 `ADMIN_LINK_UNKNOWN`, `ADMIN_LINK_USED`, `ADMIN_LINK_EXPIRED`, `ADMIN_EXISTS`.
 */
async function takeAdminLink(tx: TransactionSql, { token, actor, now }: Opened): Promise<void> {
  // When several first links are opened at the same moment, one wins.
  await tx`select pg_advisory_xact_lock(hashtextextended('first administrator', 16))`;
  const [link] = isSecret(token)
    ? await tx<Link[]>`
        select first, expires_at as "expiresAt", used_at as "usedAt" from admin_links
        where token_hash = ${hashOf(token)} for update`
    : [];
  if (!link) throw refused('ADMIN_LINK_UNKNOWN', `This link is not from this server. Copy all of it. ${ANOTHER}`);
  if (link.usedAt) throw refused('ADMIN_LINK_USED', `This link was already used: it works once. ${ANOTHER}`);
  if (link.expiresAt <= now) throw refused('ADMIN_LINK_EXPIRED', `This link has expired. ${ANOTHER}`);
  if (link.first && (await hasAdmin(tx)))
    throw refused('ADMIN_EXISTS', 'There is already an administrator here. They can give you the role.');
  await tx`update admin_links set used_at = ${now} where token_hash = ${hashOf(token)}`;
  if (actor.role === 'admin') return;
  await tx`update users set role = 'admin' where id = ${actor.userId}`;
  await audit(tx, {
    communityId: null,
    actorId: actor.userId,
    action: 'person.made_admin',
    subject: actor.displayName,
    subjectId: actor.userId,
    reason: 'With a one-time link that was printed on the machine of this instance',
    at: now,
  });
}

/** Makes a person who just signed in an administrator if the configuration names them. */
export async function nameAdmin(tx: TransactionSql, ids: readonly string[], person: User, now: Date): Promise<User> {
  if (person.role === 'admin' || !ids.includes(person.telegramUserId)) return person;
  await nameAdmins(tx, [person.telegramUserId], now);
  return { ...person, role: 'admin' };
}

/** The same for all existing accounts; suspended ones are skipped. */
async function nameAdmins(tx: TransactionSql, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const named = await tx<{ id: string; name: string }[]>`
    update users set role = 'admin'
    where telegram_user_id = any(${[...ids]}::bigint[]) and role <> 'admin' and suspended_at is null
    returning id, display_name as name`;
  for (const { id, name } of named)
    await audit(tx, {
      communityId: null,
      actorId: null,
      via: 'config',
      action: 'person.made_admin',
      subject: name,
      subjectId: id,
      reason: 'Named by ADMIN_TELEGRAM_IDS',
      at: now,
    });
}

/**
 * The text for operators at a start without administrators; null once there is one. Only a terminal is shown a link, which is
 * made for it: what a service prints is stored and passed on. While a link is valid, no other start creates one. Existing
 * accounts that the configuration names become administrators.
 */
export async function firstAdminWords(
  { sql, config, now }: Pick<Runtime, 'sql' | 'config' | 'now'>,
  isTerminal: boolean,
): Promise<string | null> {
  const { adminTelegramIds: ids, publicOrigin: origin } = config;
  await sql.begin((tx) => nameAdmins(tx, ids, now()));
  if (await hasAdmin(sql)) return null;
  if (ids.length > 0)
    return `No administrator yet: ${ids.join(', ')} (ADMIN_TELEGRAM_IDS) become it when they sign in.`;
  if (!isTerminal) return 'No administrator yet. Print a link for the first one with: npm run muster -- admin link';
  const link = await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended('first administrator', 16))`;
    const [good] = await tx`select from admin_links where first and used_at is null and expires_at > ${now()}`;
    return good ? null : makeAdminLink(tx, { origin, first: true, now: now() });
  });
  if (link === null) return `No administrator yet. The link that another start printed is still good. ${ANOTHER}`;
  return `No administrator yet. Open this link within 30 minutes and sign in to become one. It works once:\n${link}`;
}

export const adminLinkHandlers = {
  'POST /api/auth/admin-link': async (call) => {
    const { runtime, actor, body } = call;
    const now = runtime.now();
    // Another token for another standing: a copy of the one before is worth nothing.
    const token = await runtime.sql.begin(async (tx) => {
      await takeAdminLink(tx, { token: body.token, actor, now });
      return rotateSession(tx, call, now);
    });
    giveSession(call, actor.sessionKind, token);
    return { json: { role: 'admin' as const } };
  },
} satisfies Handlers;
