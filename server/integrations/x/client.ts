import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { HttpError } from '../../base/http-error.ts';
import type { Config } from '../../config.ts';
import { codeChallenge } from '../pkce.ts';
import type { X } from './x.ts';

const TIMEOUT_MS = 8_000;
const SCOPES = 'tweet.read users.read';

const Token = z.object({ access_token: z.string().check(z.minLength(1)) });
/** `GET /2/users/me`: the numeric id is the key, the username may change hands. */
const Me = z.object({
  data: z.object({
    id: z.string().check(z.regex(/^\d{1,20}$/)),
    username: z.string().check(z.regex(/^[A-Za-z0-9_]{1,50}$/)),
  }),
});

/** X over the network: OAuth 2.0 Authorization Code with PKCE, `GET /2/users/me` (docs.x.com). No token is kept. */
export function createX(config: Config, log: Logger): X {
  const { clientId, clientSecret, apiRoot, authorizeUrl } = config.x;

  const send = async (path: string, init: RequestInit): Promise<unknown> => {
    let answer: Response;
    try {
      answer = await fetch(new URL(path, apiRoot), {
        ...init,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (answer.ok) return await answer.json();
      await answer.body?.cancel();
    } catch (error) {
      log.warn({ path, problem: error instanceof Error ? error.name : 'unknown' }, 'X did not answer');
      throw away();
    }
    log.warn({ path, status: answer.status }, 'X refused');
    if (answer.status === 429 || answer.status >= 500) throw away();
    throw new HttpError(
      400,
      'X_REFUSED',
      'X did not confirm the link. Its answer is good for 30 seconds only: please start again.',
    );
  };

  /** A confidential client proves itself with Basic, a public one names itself in the body. */
  const tokenRequest = (form: Record<string, string>): RequestInit => {
    const body = new URLSearchParams(form);
    const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
    if (clientSecret === null) body.set('client_id', clientId ?? '');
    else headers.set('authorization', `Basic ${basic(clientId ?? '', clientSecret)}`);
    return { method: 'POST', headers, body: body.toString() };
  };

  return {
    configured: clientId !== null,

    authorizationUrl({ state, codeVerifier, redirectUri }) {
      const url = new URL(authorizeUrl);
      url.searchParams.set('response_type', 'code');
      url.searchParams.set('client_id', clientId ?? '');
      url.searchParams.set('redirect_uri', redirectUri);
      url.searchParams.set('scope', SCOPES);
      url.searchParams.set('state', state);
      url.searchParams.set('code_challenge', codeChallenge(codeVerifier));
      url.searchParams.set('code_challenge_method', 'S256');
      return url;
    },

    async identity({ code, codeVerifier, redirectUri }) {
      const answered = await send(
        '/2/oauth2/token',
        tokenRequest({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: codeVerifier,
        }),
      );
      const token = understood(Token, answered).access_token;
      const me = await send('/2/users/me', { headers: { authorization: `Bearer ${token}` } });
      const { id, username } = understood(Me, me).data;
      // The token has done its work; a failed revocation ends by itself in two hours.
      await send('/2/oauth2/revoke', tokenRequest({ token, token_type_hint: 'access_token' })).catch(() => undefined);
      return { xUserId: id, username };
    },
  };
}

function understood<S extends z.ZodMiniType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw away();
  return parsed.data;
}

/** Each half form-encoded before the colon joins them (RFC 6749, 2.3.1). */
function basic(id: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams({ v: text }).toString().slice(2);
  return Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64');
}

const away = () =>
  new HttpError(503, 'X_UNAVAILABLE', 'X cannot be reached just now. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });
