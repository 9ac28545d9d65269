import type { ISql, Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import type { XTokens } from '../../integrations/x/x.ts';
import { seal, unseal } from '../../storage/seal.ts';
import { sealKey } from '../../storage/secrets.ts';

/** An access token is not used in its last minute. */
const SPARE_MS = 60_000;
const RETRY_MS = 10 * 60_000;
/** A week of attempts; then the revocation at X is given up. */
const ATTEMPTS_MAX = (7 * 24 * 60 * 60_000) / RETRY_MS;

/** Keeps, sealed, what X gave for a member who agreed to checks; what was there before is revoked. */
export async function storeTokens(
  sql: ISql,
  { config }: Pick<Runtime, 'config'>,
  { userId, tokens, now }: { userId: string; tokens: XTokens; now: Date },
): Promise<void> {
  await forgetTokens(sql, userId);
  const key = sealKey(config.home);
  await sql`
    insert into x_tokens (user_id, refresh_token, access_token, access_until, since)
    values (${userId}, ${seal(key, userId, tokens.refresh)}, ${seal(key, userId, tokens.access)},
      ${new Date(now.getTime() + tokens.expiresInS * 1_000)}, ${now})`;
}

/** From here on X is not queried as this member. A trigger queues the tokens to revoke at X. */
export async function forgetTokens(sql: ISql, userId: string): Promise<void> {
  await sql`delete from x_tokens where user_id = ${userId}`;
}

/**
 * A token to ask X with as this member; null where there is none, or X takes it no more: then none is kept.
 * Throws 503 `X_UNAVAILABLE`. For the one job that asks: a refresh token works once.
 */
export async function accessToken(runtime: Runtime, userId: string): Promise<string | null> {
  const { sql, config, x, now } = runtime;
  const [row] = await sql<{ refresh: Buffer; access: Buffer; until: Date }[]>`
    select refresh_token as refresh, access_token as access, access_until as until from x_tokens where user_id = ${userId}`;
  if (!row) return null;
  const key = sealKey(config.home);
  const held = unseal(key, userId, row.access);
  if (held !== null && row.until.getTime() - SPARE_MS > now().getTime()) return held;
  const refresh = unseal(key, userId, row.refresh);
  const fresh = refresh === null ? null : await x.refresh(refresh);
  if (fresh === null) {
    await forgetTokens(sql, userId);
    return null;
  }
  await sql`
    update x_tokens set refresh_token = ${seal(key, userId, fresh.refresh)},
      access_token = ${seal(key, userId, fresh.access)},
      access_until = ${new Date(now().getTime() + fresh.expiresInS * 1_000)}
    where user_id = ${userId} and refresh_token = ${row.refresh}`;
  return fresh.access;
}

/** Has X forget the tokens that are not needed any more. X may be away: they wait. A job. */
export async function revokeTokens({ sql, config, x, now, log }: Runtime): Promise<void> {
  const due = await sql<{ id: string; userId: string; token: Buffer }[]>`
    select id::text, user_id as "userId", refresh_token as token from x_revocations
    where next_try_at <= ${now()} order by next_try_at limit 20`;
  for (const { id, userId, token } of due) {
    const refresh = unseal(sealKey(config.home), userId, token);
    try {
      if (refresh !== null) await x.revoke(refresh);
    } catch (error) {
      log.warn({ err: error }, 'a token is still to be revoked at X');
      await postpone(sql, id, now());
      return;
    }
    await sql`delete from x_revocations where id = ${id}`;
  }
}

async function postpone(sql: Sql, id: string, now: Date): Promise<void> {
  await sql`
    update x_revocations set attempts = attempts + 1, next_try_at = ${new Date(now.getTime() + RETRY_MS)} where id = ${id}`;
  await sql`delete from x_revocations where id = ${id} and attempts >= ${ATTEMPTS_MAX}`;
}
