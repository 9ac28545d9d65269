import { createHash, timingSafeEqual } from 'node:crypto';
import type { Sql } from 'postgres';
import type { Actor } from '../base/actor.ts';
import { HttpError, notFound } from '../base/http-error.ts';
import type { CommunityRole } from '../contract/community.ts';
import { MEMBERSHIP_REVOKED, SUSPENDED } from '../contract/errors.ts';
import type { ErrorDetails } from '../contract/refusals.ts';
import type { Access, Declaration } from '../contract/route.ts';
import { outOfChat } from '../domain/chat-gate.ts';
import { demandRole } from '../domain/roles.ts';
import { mayJoin } from '../rules/completion.ts';

/** The community of a path, with the asker's role there. */
export type PathCommunity = {
  id: string;
  slug: string;
  role: CommunityRole | null;
  /** The Telegram chat that a member must be in, and that Telegram says they are not in. */
  outOf?: OutOf | null;
};
type OutOf = { title: string; sort: string; joinUrl: string | null };
/** With what decides who may see it. */
export type FoundCommunity = PathCommunity & {
  visibility: string;
  status: string;
  suspendedUntil: Date | null;
  suspendedReason: string | null;
};

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const SLUG = /^[a-z0-9-]{1,64}$/;

/** What a path calls a community by; null: by nothing that one could have. */
export const namedBy = (idOrSlug: string): 'id' | 'slug' | null =>
  UUID.test(idOrSlug) ? 'id' : SLUG.test(idOrSlug) ? 'slug' : null;

/** Whether the member left the required channel. `unknown` does not count: an error of Telegram's revokes nobody. */
export const isRevoked = (actor: Pick<Actor, 'membership'>, requiredChannel: string | null): boolean =>
  requiredChannel !== null && (actor.membership === 'left' || actor.membership === 'kicked');

/** The request has no session, or one that ended. */
export const notSignedIn = (): HttpError => new HttpError(401, 'NOT_SIGNED_IN', 'Sign in with Telegram to go on.');

type Suspended = { suspendedUntil?: Date | null; suspendedReason?: string | null };

/** Why and until when, in the words that who is refused reads; `details`: `{ until, reason }`. */
function suspended(what: string, code: string, { suspendedUntil, suspendedReason }: Suspended): HttpError {
  const until = suspendedUntil ? ` until ${suspendedUntil.toISOString().slice(0, 16).replace('T', ' ')} UTC` : '';
  const reason = suspendedReason ? ` ${suspendedReason}` : '';
  return new HttpError(403, code, `This ${what} is suspended${until}.${reason} Ask the people who run this place.`, {
    details: {
      until: suspendedUntil?.toISOString() ?? null,
      reason: suspendedReason ?? null,
    } satisfies ErrorDetails['SUSPENDED'],
  });
}

/**
 * Refuses who may not call the route as a person, before anything of the path is looked at:
 * 401 signed out, 403 suspended, revoked, not staff, not verified. Roles in a community come after, see `admitRole`.
 */
export function admitPerson(
  actor: Actor | null,
  { access, allowRevoked, allowSuspended }: Pick<Declaration, 'access' | 'allowRevoked' | 'allowSuspended'>,
  requiredChannel: string | null,
): void {
  if (access === 'public') return;
  if (!actor) throw notSignedIn();
  if (actor.suspended && !allowSuspended) throw suspended('account', SUSPENDED, actor);
  if (!allowRevoked && isRevoked(actor, requiredChannel)) {
    throw new HttpError(
      403,
      MEMBERSHIP_REVOKED,
      `${MEMBERSHIP_REVOKED}: you are no longer in the required Telegram channel.`,
    );
  }
  if (access === 'user' || access === 'member' || access === 'moderator' || access === 'leader') return;
  if (access === 'verified') {
    if (mayJoin(actor)) return;
    throw new HttpError(403, 'NOT_VERIFIED', 'Link your X account first: this needs a verified account.');
  }
  admitStaff(actor, access);
}

/** Rejects callers that do not know the secret of the bot's webhook: 401. */
export function admitTelegram(given: string | undefined, secret: string | null): void {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (secret !== null && given !== undefined && timingSafeEqual(digest(given), digest(secret))) return;
  throw new HttpError(401, 'NOT_TELEGRAM', 'This is for Telegram alone.');
}

function admitStaff(actor: Actor, access: Access): void {
  if (actor.sessionKind !== 'web') {
    throw new HttpError(403, 'WEB_SESSION_ONLY', 'Open this in a browser: staff pages do not work inside Telegram.');
  }
  const mayOps = actor.role === 'ops' || actor.role === 'admin';
  if (access === 'ops' && mayOps) return;
  if (access === 'admin' && actor.role === 'admin') return;
  // Everything that no line above lets through, kinds of access yet to come included.
  throw new HttpError(403, 'NOT_STAFF', 'This is for the people who run this place.');
}

/**
 * Column `outOf` for the member row `m`: a required chat that Telegram says the member is not in. Leaders and
 * moderators are exempt, because they must be able to fix the requirement.
 */
export const OUT_OF = `case when m.role = 'member' then (
  select jsonb_build_object('title', g.title, 'sort', g.sort,
    'joinUrl', coalesce(g.invite_link, 'https://t.me/' || g.username))
  from community_chats g join chat_members cm on cm.connection_id = g.id and cm.user_id = m.user_id
  where g.community_id = m.community_id and g.gate = 'enter' and g.unverifiable_at is null and cm.state in ('left', 'kicked')
  limit 1) end as "outOf"`;

/** Refuses whose role in the community does not reach the route's. Staff of the instance hold no role by that alone. */
export function admitRole(access: Access, community: PathCommunity): void {
  if (access !== 'member' && access !== 'moderator' && access !== 'leader') return;
  if (access === 'member' && community.outOf) throw outOfChat(community.outOf);
  demandRole(community.role, access);
}

/**
 * Finds the community of a path by id or slug. Throws 404 when the caller may not know of one: for strangers, and for
 * those who lost access, a private or suspended community does not exist.
 */
export async function findCommunity(sql: Sql, idOrSlug: string, asker: Actor | null): Promise<PathCommunity> {
  const by = namedBy(idOrSlug);
  const [row] = by
    ? await sql<FoundCommunity[]>`
        select c.id, c.slug, c.visibility, c.status, c.suspended_until as "suspendedUntil",
          c.suspended_reason as "suspendedReason", m.role, ${sql.unsafe(OUT_OF)}
        from communities c
        left join community_members m on m.community_id = c.id and m.user_id = ${asker?.userId ?? null}
        where ${by === 'id' ? sql`c.id = ${idOrSlug}` : sql`c.slug = ${idOrSlug}`}`
    : [];
  return visibleTo(asker, row ?? null);
}

/** Applies the same rules to a row that was read already. `role` is the actor's. */
export function visibleTo(asker: Actor | null, row: FoundCommunity | null): PathCommunity {
  const role = asker && row ? row.role : null;
  if (!row || (role === null && (row.visibility !== 'public' || row.status !== 'active'))) {
    throw notFound('community');
  }
  if (row.status !== 'active') throw suspended('community', 'COMMUNITY_SUSPENDED', row);
  return { id: row.id, slug: row.slug, role, ...(row.outOf && role !== null && { outOf: row.outOf }) };
}
