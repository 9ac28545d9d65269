import type { ISql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import { API_KEYS_PER_COMMUNITY } from '../../contract/limits.ts';
import type { ApiKey } from '../../contract/rooms.ts';
import type { ApiScope } from '../../contract/route.ts';
import { isId } from '../../domain/ids.ts';
import { line } from '../../domain/text.ts';
import { keyHash, newKey } from '../../http/api-key.ts';
import { audit } from '../audit/audit.ts';

type By = { communityId: string; userId: string; now: Date };
type Row = Omit<ApiKey, 'createdAt' | 'expiresAt' | 'lastUsedAt'> & {
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
};

const DAY_MS = 86_400_000;
/** Enough to tell keys apart, far too little to use one. */
const PREFIX_CHARACTERS = 8;

const columns = (sql: ISql) => sql`
  k.id, k.name, k.scopes, k.prefix, u.display_name as "madeBy", k.created_at as "createdAt",
  k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt"`;

const keyOf = (row: Row): ApiKey => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
});

/** A community's keys, never their secret. */
export async function listKeys(sql: ISql, communityId: string): Promise<ApiKey[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from api_keys k join users u on u.id = k.user_id
    where k.community_id = ${communityId} order by k.created_at, k.id`;
  return rows.map(keyOf);
}

/** Creates a key with its creator's rights. It is returned only here. Throws 409 `API_KEY_LIMIT`. */
export async function makeKey(
  tx: TransactionSql,
  { communityId, userId, now }: By,
  input: { name: string; scopes: readonly ApiScope[]; days?: number | undefined },
): Promise<ApiKey & { key: string }> {
  const name = line('name', input.name);
  // The community's row is the lock: two at once cannot both be the last that fits.
  await tx`select from communities where id = ${communityId} for no key update`;
  const [count] = await tx<[{ all: number }]>`
    select count(*)::int as all from api_keys where community_id = ${communityId}`;
  if (count.all >= API_KEYS_PER_COMMUNITY) {
    throw new HttpError(409, 'API_KEY_LIMIT', `A community has at most ${API_KEYS_PER_COMMUNITY} API keys.`, {
      details: { limit: API_KEYS_PER_COMMUNITY },
    });
  }
  const key = newKey();
  const expiresAt = input.days === undefined ? null : new Date(now.getTime() + input.days * DAY_MS);
  const [row] = await tx<Row[]>`
    with k as (
      insert into api_keys (community_id, user_id, name, scopes, prefix, hash, created_at, expires_at)
      values (${communityId}, ${userId}, ${name}, ${[...new Set(input.scopes)]}, ${key.slice(0, PREFIX_CHARACTERS)},
        ${keyHash(key)}, ${now}, ${expiresAt})
      returning *
    ) select ${columns(tx)} from k join users u on u.id = k.user_id`;
  if (!row) throw new Error('the key was not stored');
  await audit(tx, { communityId, actorId: userId, action: 'api_key.made', subject: name, subjectId: row.id, at: now });
  return { ...keyOf(row), key };
}

/** Ends a key at once. Throws 404 `NOT_FOUND`. */
export async function endKey(tx: TransactionSql, { communityId, userId, now }: By, id: string): Promise<void> {
  const [gone] = isId(id)
    ? await tx<{ name: string }[]>`
        delete from api_keys where id = ${id} and community_id = ${communityId} returning name`
    : [];
  if (!gone) throw notFound('key');
  await audit(tx, {
    communityId,
    actorId: userId,
    action: 'api_key.ended',
    subject: gone.name,
    subjectId: id,
    at: now,
  });
}
