import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';
import { HttpError } from '../base/http-error.ts';
import type { Config } from '../config.ts';
import { FORGOTTEN } from '../contract/errors.ts';
import { type Cookies, sessionCookie } from './cookies.ts';

/**
 * The error response for a device whose session ended because its member was erased: it names the member whose data the
 * device must delete. Null where the cookies belong to no such session.
 */
export async function forgottenBy(
  sql: Sql,
  config: Pick<Config, 'publicOrigin'>,
  cookies: Readonly<Cookies>,
): Promise<HttpError | null> {
  const [web, miniApp] = (['web', 'mini_app'] as const).map((kind) => digestOf(cookies[sessionCookie(config, kind)]));
  if (!web && !miniApp) return null;
  const [row] = await sql<{ userId: string }[]>`
    select user_id as "userId" from forgotten_sessions where token_hash in (${web ?? null}, ${miniApp ?? null}) limit 1`;
  return row
    ? new HttpError(401, FORGOTTEN, 'This account is being erased. Sign in again to keep it.', { details: row })
    : null;
}

const digestOf = (token: string | undefined): Buffer | null =>
  token === undefined ? null : createHash('sha256').update(token).digest();
