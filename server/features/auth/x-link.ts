import { HttpError } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import type { Call, Handlers } from '../../http/handler.ts';
import { checkRelink, type LinkedX, linkX, unlinkX } from '../people/x-identity.ts';
import { forgetTokens, storeTokens } from '../x/tokens.ts';
import { beginAttempt, takeAttempt } from './attempts.ts';
import { userOf } from './people.ts';
import { safeNext } from './safe-next.ts';
import { giveSession, rotateSession } from './session-cookies.ts';

const returnAddress = (runtime: Runtime): string => new URL('/twitter-return', runtime.config.publicOrigin).href;

async function start(call: Call<'GET /api/auth/x/start'>): Promise<{ redirect: string }> {
  const { runtime, actor, query } = call;
  if (!runtime.x.configured) throw new HttpError(503, 'X_NOT_CONFIGURED', 'Linking X is not set up here.');
  const now = runtime.now();
  const [linked] = await call.sql<LinkedX[]>`
    select x_user_id as "xUserId", twitter_username as username, x_linked_at as "linkedAt"
    from users where id = ${actor.userId}`;
  // The same account may be proven again: its name changed, or X checks are permitted now. Another account is refused
  // at the end.
  if (linked && query.again === undefined) checkRelink(linked, actor.telegramAt, now);
  const { state, codeVerifier } = await beginAttempt(call.sql, {
    kind: 'x',
    holder: actor.sessionId,
    userId: actor.userId,
    next: safeNext(query.next),
    now,
  });
  const checks = query.again === 'checks';
  const redirectUri = returnAddress(runtime);
  return { redirect: runtime.x.authorizationUrl({ state, codeVerifier, redirectUri, checks }).href };
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
    const { xUserId, username, tokens } = await runtime.x.identity({
      code: call.body.code,
      codeVerifier: attempt.codeVerifier,
      redirectUri: returnAddress(runtime),
    });
    const now = runtime.now();
    const { userId, telegramAt } = actor;
    try {
      const session = await call.sql.begin(async (tx) => {
        await linkX(tx, { userId, proven: { xUserId, username, by: 'oauth' }, telegramAt, now });
        if (tokens !== null) await storeTokens(tx, runtime, { userId, tokens, now });
        return rotateSession(tx, call, now);
      });
      giveSession(call, actor.sessionKind, session);
    } catch (error) {
      // The link failed, so nobody has consented to checks.
      if (tokens !== null) await runtime.x.revoke(tokens.refresh).catch(() => undefined);
      throw error;
    }
    return { json: { user: { ...userOf(actor), twitterUsername: username, isVerified: true }, next: attempt.next } };
  },

  async 'GET /api/auth/x'({ runtime, sql, actor }) {
    const [row] = await sql<{ provenBy: 'oauth' | 'post' | 'admin' | null; since: Date | null }[]>`
      select case when u.twitter_username is not null then coalesce(u.x_linked_by, 'oauth') end as "provenBy", t.since
      from users u left join x_tokens t on t.user_id = u.id where u.id = ${actor.userId}`;
    return {
      json: {
        configured: runtime.x.configured,
        provenBy: row?.provenBy ?? null,
        checksSince: row?.since?.toISOString() ?? null,
      },
    };
  },

  async 'DELETE /api/auth/x'({ runtime, sql, actor }) {
    const now = runtime.now();
    await sql.begin((tx) => unlinkX(tx, { userId: actor.userId, telegramAt: actor.telegramAt, now }));
    return { json: { user: { ...userOf(actor), twitterUsername: null, isVerified: false } } };
  },

  async 'DELETE /api/auth/x/checks'({ sql, actor }) {
    await forgetTokens(sql, actor.userId);
    return { json: { ok: true } };
  },
} satisfies Handlers;
