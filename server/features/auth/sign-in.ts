import { HttpError } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { INIT_DATA_MAX_AGE_MS, SIGN_IN_ATTEMPT_MS, SIGN_IN_CLOCK_AHEAD_MS } from '../../contract/limits.ts';
import type { Call, Handlers } from '../../http/handler.ts';
import { createSession } from '../../http/session.ts';
import { type InitDataProof, verifyInitData } from '../../integrations/telegram/init-data.ts';
import { nameAdmin } from './admins.ts';
import { beginAttempt, takeAttempt } from './attempts.ts';
import { enterByWeb, signInExpired, takeSignature } from './enter.ts';
import { fetchMembership, upsertPerson } from './people.ts';
import { safeNext } from './safe-next.ts';
import { isSecret, newSecret } from './secrets.ts';
import { endHeldSession, giveSession, signInCookie } from './session-cookies.ts';
import { finishByWidget, widgetAddress } from './widget.ts';

const callbackAddress = (runtime: Runtime): string =>
  new URL('/api/auth/telegram/callback', runtime.config.publicOrigin).href;

async function start(call: Call<'GET /api/auth/telegram/start'>): Promise<{ redirect: string }> {
  const { runtime } = call;
  if (!runtime.telegram.configured) {
    throw new HttpError(
      503,
      'TELEGRAM_NOT_CONFIGURED',
      'Sign-in is not set up here yet. Ask the people who run this place.',
    );
  }
  // Two tabs may sign in at once: the browser keeps its nonce until one succeeds.
  const held = call.cookies[signInCookie(runtime)];
  const browser = isSecret(held) ? held : newSecret();
  const next = safeNext(call.query.next);
  const { state, codeVerifier } = await beginAttempt(call.sql, {
    kind: 'telegram',
    holder: browser,
    userId: null,
    next,
    now: runtime.now(),
  });
  const url =
    runtime.config.telegram.login === 'widget'
      ? widgetAddress(runtime, state)
      : await runtime.telegram.authorizationUrl({ state, codeVerifier, redirectUri: callbackAddress(runtime) });
  call.setCookie(signInCookie(runtime), browser, { maxAgeMs: SIGN_IN_ATTEMPT_MS, sameSite: 'Lax' });
  return { redirect: url.href };
}

async function callback(call: Call<'GET /api/auth/telegram/callback'>): Promise<{ redirect: string }> {
  const { runtime, query } = call;
  const now = runtime.now();
  const attempt = await takeAttempt(call.sql, {
    kind: 'telegram',
    state: query.state,
    holder: call.cookies[signInCookie(runtime)],
    userId: null,
    now,
  });
  if (!attempt || query.state === undefined) {
    throw signInExpired();
  }
  if (query.error === 'access_denied') throw new HttpError(400, 'SIGN_IN_CANCELLED', 'The sign-in was cancelled.');
  const callbackUrl = new URL(callbackAddress(runtime));
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) callbackUrl.searchParams.set(name, value);
  }
  const identity = await runtime.telegram.identity({
    callbackUrl,
    state: query.state,
    codeVerifier: attempt.codeVerifier,
  });
  const { cancelled } = await enterByWeb(call, identity, now);
  // A person who cancelled an erasure by signing in reads that first.
  return { redirect: cancelled ? '/your-data' : attempt.next };
}

/** The bot's token proves its own Mini App; without one, Telegram's signature for the bot's id does. */
function proofOf(runtime: Runtime): InitDataProof {
  const { botToken, clientId } = runtime.config.telegram;
  if (botToken !== null) return { botToken };
  if (clientId !== null && /^\d+$/.test(clientId)) return { botId: clientId, environment: 'production' };
  throw new HttpError(
    503,
    'TELEGRAM_NOT_CONFIGURED',
    'Sign-in is not set up here yet. Ask the people who run this place.',
  );
}

export const signInHandlers = {
  'GET /api/auth/telegram/start': start,
  'GET /api/auth/telegram/callback': callback,
  'POST /api/auth/telegram/callback': finishByWidget,

  async 'POST /api/auth/telegram/mini-app'(call) {
    const { runtime } = call;
    const now = runtime.now();
    const checked = verifyInitData(call.body.initData, proofOf(runtime), now);
    if (!checked.ok) {
      throw new HttpError(
        400,
        'INIT_DATA_REFUSED',
        'Telegram did not confirm who you are. Close the app and open it again.',
        {
          details: { problem: checked.problem },
        },
      );
    }
    const { signature, authDate, ...identity } = checked.value;
    const staleAt = new Date(authDate.getTime() + INIT_DATA_MAX_AGE_MS + SIGN_IN_CLOCK_AHEAD_MS);
    const membership = await fetchMembership(runtime, identity.telegramUserId);
    const { user, token } = await call.sql.begin(async (sql) => {
      if (!(await takeSignature(sql, signature, staleAt))) {
        throw new HttpError(400, 'INIT_DATA_USED', 'This sign-in was used already. Close the app and open it again.');
      }
      const person = await upsertPerson(sql, identity, membership, now);
      const user = await nameAdmin(sql, runtime.config.adminTelegramIds, person, now);
      await endHeldSession(sql, call, 'mini_app');
      const session = await createSession(sql, { userId: user.id, kind: 'mini_app', userAgent: call.userAgent, now });
      return { user, token: session.token };
    });
    giveSession(call, 'mini_app', token);
    return { json: user };
  },
} satisfies Handlers;
