import postgres, { type TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { X_RELINK_LOCK_MS } from '../../contract/limits.ts';
import type { Call, Handlers } from '../../http/handler.ts';
import { keepFormerNames } from '../people/former-names.ts';
import { beginAttempt, takeAttempt } from './attempts.ts';
import { userOf } from './people.ts';
import { safeNext } from './safe-next.ts';
import { giveSession, rotateSession } from './session-cookies.ts';

/** Linking another X account needs a session this young: whoever found an open phone cannot move the points away. */
const FRESH_TELEGRAM_MS = 15 * 60_000;
const UNIQUE_VIOLATION = '23505';

const returnAddress = (runtime: Runtime): string => new URL('/twitter-return', runtime.config.publicOrigin).href;

type Linked = { xUserId: string | null; linkedAt: Date | null };

/** Refuses to replace a linked account within 30 days, or without a Telegram sign-in of the last 15 minutes. */
function checkRelink(linked: Linked, telegramAt: Date, now: Date): void {
  if (linked.xUserId === null) return;
  const allowedAt = (linked.linkedAt?.getTime() ?? 0) + X_RELINK_LOCK_MS;
  if (allowedAt > now.getTime()) {
    const at = new Date(allowedAt).toISOString();
    throw new HttpError(409, 'X_RELINK_LOCKED', `Another X account can be linked from ${at.slice(0, 10)} on.`, {
      details: { allowedAt: at },
    });
  }
  if (now.getTime() - telegramAt.getTime() > FRESH_TELEGRAM_MS) {
    throw new HttpError(
      403,
      'TELEGRAM_SIGN_IN_TOO_OLD',
      'Sign in with Telegram again before you link another X account.',
    );
  }
}

async function start(call: Call<'GET /api/auth/x/start'>): Promise<{ redirect: string }> {
  const { runtime, actor } = call;
  if (!runtime.x.configured) throw new HttpError(503, 'X_NOT_CONFIGURED', 'Linking X is not set up here.');
  const now = runtime.now();
  const [linked] = await call.sql<Linked[]>`
    select x_user_id as "xUserId", x_linked_at as "linkedAt" from users where id = ${actor.userId}`;
  if (linked) checkRelink(linked, actor.telegramAt, now);
  const { state, codeVerifier } = await beginAttempt(call.sql, {
    kind: 'x',
    holder: actor.sessionId,
    userId: actor.userId,
    next: safeNext(call.query.next),
    now,
  });
  return { redirect: runtime.x.authorizationUrl({ state, codeVerifier, redirectUri: returnAddress(runtime) }).href };
}

/** Writes the link; the numeric id is unique, handles may change hands (threat model, row C4). */
async function link(
  sql: TransactionSql,
  call: Call<'POST /api/auth/x/complete'>,
  proven: { xUserId: string; username: string },
  now: Date,
): Promise<void> {
  const [linked] = await sql<Linked[]>`
    select x_user_id as "xUserId", x_linked_at as "linkedAt" from users where id = ${call.actor.userId} for update`;
  if (!linked) throw new HttpError(401, 'NOT_SIGNED_IN', 'Sign in with Telegram to go on.');
  const isSame = linked.xUserId === proven.xUserId;
  if (!isSame) checkRelink(linked, call.actor.telegramAt, now);
  await sql`
    update users set x_user_id = ${proven.xUserId}, twitter_username = ${proven.username},
      x_linked_at = ${isSame ? linked.linkedAt : now}, is_verified = true
    where id = ${call.actor.userId}`;
  const { userId, twitterUsername } = call.actor;
  await keepFormerNames(sql, { userId, before: { x: twitterUsername }, after: { x: proven.username }, now });
}

export const xLinkHandlers = {
  'GET /api/auth/x/start': start,

  async 'POST /api/auth/x/complete'(call) {
    const { runtime, actor } = call;
    const attempt = await takeAttempt(call.sql, {
      kind: 'x',
      state: call.body.state,
      holder: actor.sessionId,
      userId: actor.userId,
      now: runtime.now(),
    });
    if (!attempt) {
      throw new HttpError(
        400,
        'X_STATE_UNKNOWN',
        'This link was used already, is too old, or began in another session.',
      );
    }
    const proven = await runtime.x.identity({
      code: call.body.code,
      codeVerifier: attempt.codeVerifier,
      redirectUri: returnAddress(runtime),
    });
    const now = runtime.now();
    try {
      const token = await call.sql.begin(async (sql) => {
        await link(sql, call, proven, now);
        return rotateSession(sql, call, now);
      });
      giveSession(call, actor.sessionKind, token);
    } catch (error) {
      if (error instanceof postgres.PostgresError && error.code === UNIQUE_VIOLATION) {
        throw new HttpError(409, 'X_ACCOUNT_TAKEN', `@${proven.username} is linked to another member already.`);
      }
      throw error;
    }
    return {
      json: {
        user: { ...userOf(actor), twitterUsername: proven.username, isVerified: true },
        next: attempt.next,
      },
    };
  },
} satisfies Handlers;
