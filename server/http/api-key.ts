import { createHash, randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import type { Actor } from '../base/actor.ts';
import { HttpError } from '../base/http-error.ts';
import type { ErrorDetails } from '../contract/refusals.ts';
import type { ApiScope, Declaration } from '../contract/route.ts';
import { zonesOf } from '../storage/zone.ts';
import type { PathCommunity } from './access.ts';

/** What a request's API key is for. */
export type HeldKey = { id: string; communityId: string; scopes: ApiScope[] };

const KEY = /^mk_[A-Za-z0-9_-]{43}$/;
const BEARER = /^Bearer +(\S+)$/i;
const USED_EVERY_MS = 60_000;

/** 256 random bits. The database stores only a digest. */
export const newKey = (): string => `mk_${randomBytes(32).toString('base64url')}`;
export const keyHash = (key: string): Buffer => createHash('sha256').update(key).digest();

/** The bearer token of an `Authorization` header; null where there is none. */
export const bearerOf = (header: string | undefined): string | null => BEARER.exec(header ?? '')?.[1] ?? null;

type Row = Omit<Actor, 'sessionId' | 'sessionKind' | 'telegramAt'> & HeldKey & { lastUsedAt: Date | null };

/**
 * Resolves an API key to the member who created it. A key proves nothing to Telegram and is no session, so routes that
 * need either are not open to keys. Throws 401 `KEY_UNKNOWN` for an ended or unknown key.
 */
export async function readKey(sql: Sql, bearer: string, now: Date): Promise<{ actor: Actor; key: HeldKey }> {
  const [row] = KEY.test(bearer)
    ? await sql<Row[]>`
        select k.id, k.community_id as "communityId", k.scopes, k.last_used_at as "lastUsedAt",
          u.id as "userId", u.telegram_user_id::text as "telegramUserId", u.telegram_username as "telegramUsername",
          u.twitter_username as "twitterUsername", u.display_name as "displayName", u.is_verified as "isVerified",
          u.role, u.membership, u.suspended_at is not null as suspended, u.suspended_until as "suspendedUntil",
          u.suspended_reason as "suspendedReason", ${zonesOf(sql, now)}
        from api_keys k join users u on u.id = k.user_id
        where k.hash = ${keyHash(bearer)} and (k.expires_at is null or k.expires_at > ${now})`
    : [];
  if (!row) throw new HttpError(401, 'KEY_UNKNOWN', 'This API key is unknown here, or it ended.');
  const { id, communityId, scopes, lastUsedAt, ...person } = row;
  if (now.getTime() - (lastUsedAt?.getTime() ?? 0) >= USED_EVERY_MS) {
    await sql`update api_keys set last_used_at = ${now} where id = ${id}`;
  }
  const actor: Actor = { ...person, sessionId: id, sessionKind: 'web', telegramAt: new Date(0) };
  return { actor, key: { id, communityId, scopes } };
}

/** Refuses a key where no key may go, or not this one. */
export function admitKey({ scope }: Declaration, key: HeldKey): void {
  if (scope !== undefined && key.scopes.includes(scope)) return;
  throw new HttpError(403, 'NOT_FOR_KEYS', 'This API key is not made for that.');
}

/** Refuses a key in another community than its own, and one whose maker leads there no longer. */
export function admitKeyTo(community: PathCommunity | undefined, key: HeldKey): void {
  if (community?.id !== key.communityId) {
    throw new HttpError(403, 'NOT_FOR_KEYS', 'This API key is made for another community.');
  }
  if (community.role !== 'leader') {
    throw new HttpError(403, 'NOT_ALLOWED', 'The maker of this API key no longer leads this community.', {
      details: { needs: 'leader' } satisfies ErrorDetails['NOT_ALLOWED'],
    });
  }
}
