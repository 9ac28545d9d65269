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

/** oEmbed (publish.x.com): what X shows of a post to everybody, without a key. */
const Embed = z.object({
  author_url: z.string().check(z.regex(/^https:\/\/(x|twitter)\.com\/\w{1,15}$/)),
  html: z.string(),
});
const EMBED_MAX_BYTES = 64_000;

/** X over the network: OAuth 2.0 Authorization Code with PKCE, `GET /2/users/me` (docs.x.com). No token is kept. */
export function createX(config: Config, log: Logger): X {
  const { clientId, clientSecret, apiRoot, authorizeUrl, oembedUrl } = config.x;

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

    intentUrl: new URL('/intent/post', authorizeUrl),

    async publicPost({ handle, postId }) {
      const url = new URL(oembedUrl);
      url.search = new URLSearchParams({
        url: `https://x.com/${handle}/status/${postId}`,
        omit_script: '1',
        dnt: 'true',
      }).toString();
      let answer: Response;
      try {
        answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
        if (answer.ok) return postIn(understood(Embed, JSON.parse(await firstOf(answer, EMBED_MAX_BYTES))));
        await answer.body?.cancel();
      } catch (error) {
        log.warn({ problem: error instanceof Error ? error.name : 'unknown' }, 'X showed no post');
        throw away();
      }
      // Of posts that are gone, or that only some may see, it says 404 or 403.
      if (answer.status === 404 || answer.status === 403) return null;
      log.warn({ status: answer.status }, 'X showed no post');
      throw away();
    },
  };
}

/** The beginning of a text, and nothing of a longer one: JSON that is cut is none. */
async function firstOf(answer: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    if (bytes > maxBytes) throw away();
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The author as X names them, not as the address does, which X follows whatever name stands in it. */
function postIn({ author_url, html }: z.output<typeof Embed>): { author: string; text: string } {
  const text = html.replace(/<[^>]*>/g, ' ').replace(/&#(\d{1,7});/g, (_, code: string) => charOf(Number(code)));
  return { author: new URL(author_url).pathname.slice(1), text };
}
const charOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');

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
