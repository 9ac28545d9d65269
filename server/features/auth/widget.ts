/** Signing in by Telegram's old login widget, for bots that were never switched to OpenID Connect (docs/decisions/telegram.md). */
import { HttpError, notFound } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { LEGACY_LOGIN_MAX_AGE_MS, SIGN_IN_CLOCK_AHEAD_MS } from '../../contract/limits.ts';
import type { OutputOf } from '../../contract/routes.ts';
import type { Call } from '../../http/handler.ts';
import { verifyLegacyLogin } from '../../integrations/telegram/legacy-login.ts';
import { takeAttempt } from './attempts.ts';
import { enterByWeb, signInExpired, takeSignature } from './enter.ts';
import { signInCookie } from './session-cookies.ts';

const RETURN = '/telegram-return';

/**
 * The widget's page. Its script would run as a stranger's code in our page, so the page behind it is opened: it returns
 * to `return_to#tgAuthResult=…`, a fragment that no server or log sees.
 */
export function widgetAddress({ config }: Runtime, state: string): URL {
  const url = new URL('/auth', config.telegram.oidcIssuer);
  url.searchParams.set('bot_id', config.telegram.botToken?.split(':')[0] ?? '');
  url.searchParams.set('origin', config.publicOrigin);
  url.searchParams.set('request_access', 'write');
  url.searchParams.set('return_to', new URL(`${RETURN}?state=${state}`, config.publicOrigin).href);
  return url;
}

/** `POST /api/auth/telegram/callback`: what the page at `RETURN` found in its address. */
export async function finishByWidget(
  call: Call<'POST /api/auth/telegram/callback'>,
): Promise<{ json: OutputOf<'POST /api/auth/telegram/callback'> }> {
  const { runtime, body } = call;
  const { botToken, login } = runtime.config.telegram;
  if (login !== 'widget' || botToken === null) throw notFound('address');
  const now = runtime.now();
  const attempt = await takeAttempt(call.sql, {
    kind: 'telegram',
    state: body.state,
    holder: call.cookies[signInCookie(runtime)],
    userId: null,
    now,
  });
  if (!attempt) throw signInExpired();
  const checked = verifyLegacyLogin(readResult(body.result), botToken, now);
  if (!checked.ok) {
    throw new HttpError(400, 'LOGIN_REFUSED', 'Telegram did not confirm who you are. Sign in once more.', {
      details: { problem: checked.problem },
    });
  }
  const { signature, ...identity } = checked.value;
  const staleAt = new Date(now.getTime() + LEGACY_LOGIN_MAX_AGE_MS + SIGN_IN_CLOCK_AHEAD_MS);
  const { user, cancelled } = await enterByWeb(call, identity, now, async (sql) => {
    if (!(await takeSignature(sql, signature, staleAt))) throw signInExpired();
  });
  return { json: { user, next: cancelled ? '/your-data' : attempt.next } };
}

/** The fields of `tgAuthResult`: one flat JSON object. Whatever is not that has no fields, which no signature fits. */
function readResult(result: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  try {
    const read: unknown = JSON.parse(Buffer.from(result, 'base64url').toString('utf8'));
    if (typeof read !== 'object' || read === null) return fields;
    for (const [name, value] of Object.entries(read)) fields.set(name, typeof value === 'object' ? '' : String(value));
  } catch {
    fields.clear();
  }
  return fields;
}
