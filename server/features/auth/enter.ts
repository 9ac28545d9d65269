import type { Sql, TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { User } from '../../contract/user.ts';
import { createSession } from '../../http/session.ts';
import type { TelegramIdentity } from '../../integrations/telegram/telegram.ts';
import { notifyOfSignIn } from '../notifications/happened.ts';
import { readCancelled } from '../person/erasure.ts';
import { nameAdmin } from './admins.ts';
import { fetchMembership, upsertPerson } from './people.ts';
import { type CookieJar, endHeldSession, giveSession, signInCookie } from './session-cookies.ts';

/** A call that signs in. */
type SignInCall = CookieJar & {
  sql: Sql;
  userAgent: string | null;
  clearCookie(name: string): void;
};

/**
 * Signs in a proven person to this browser: account, membership, and a new session that replaces the browser's old one.
 * `before` is part of the transaction: if it throws, nothing is written. `cancelled`: the sign-in ended a scheduled
 * erasure.
 */
export async function enterByWeb(
  call: SignInCall,
  identity: TelegramIdentity,
  now: Date,
  before: (sql: TransactionSql) => Promise<void> = async () => undefined,
): Promise<{ user: User; cancelled: boolean }> {
  const { runtime } = call;
  const membership = await fetchMembership(runtime, identity.telegramUserId);
  const { user, token, cancelled } = await call.sql.begin(async (sql) => {
    await before(sql);
    const person = await upsertPerson(sql, identity, membership, now);
    const user = await nameAdmin(sql, runtime.config.adminTelegramIds, person, now);
    await endHeldSession(sql, call, 'web');
    await notifyOfSignIn(sql, user.id, now);
    const { token } = await createSession(sql, { userId: user.id, kind: 'web', userAgent: call.userAgent, now });
    return { user, token, cancelled: (await readCancelled(sql, user.id)) !== null };
  });
  call.clearCookie(signInCookie(runtime));
  giveSession(call, 'web', token);
  return { user, cancelled };
}

/** Notes signed data as used, across all processes. False: it was. */
export async function takeSignature(sql: TransactionSql, signature: Buffer, staleAt: Date): Promise<boolean> {
  const [first] = await sql`
    insert into used_signatures (hash, expires_at) values (${signature}, ${staleAt})
    on conflict (hash) do nothing returning 1 as taken`;
  return first !== undefined;
}

export const signInExpired = (): HttpError =>
  new HttpError(400, 'SIGN_IN_EXPIRED', 'This sign-in was used already, is too old, or began in another browser.');
