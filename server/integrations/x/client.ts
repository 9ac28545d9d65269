import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { HttpError } from '../../base/http-error.ts';
import type { Config } from '../../config.ts';
import { codeChallenge } from '../pkce.ts';
import { apiCaller, away, bearer, TIMEOUT_MS, understood, xId } from './ask.ts';
import { createLooks } from './looks.ts';
import { textOfPost } from './post-text.ts';
import type { X, XTokens } from './x.ts';

const SCOPES = 'tweet.read users.read';
/** Scopes for checking tasks, also while the member is offline. */
const CHECK_SCOPES = `${SCOPES} like.read follows.read offline.access`;

const secret = z.string().check(z.minLength(1));
const Token = z.object({
  access_token: secret,
  refresh_token: z.optional(secret),
  expires_in: z.optional(z.number()),
});
/** X's access tokens live two hours. */
const ACCESS_LIVES_S = 7_200;
/** `GET /2/users/me`: the numeric id is the key, the username may change hands. */
const Me = z.object({
  data: z.object({
    id: xId,
    username: z.string().check(z.regex(/^[A-Za-z0-9_]{1,50}$/)),
  }),
});

/** oEmbed (publish.x.com): a post's public content, without a key. */
const Embed = z.object({
  author_url: z.string().check(z.regex(/^https:\/\/(x|twitter)\.com\/\w{1,15}$/)),
  html: z.string(),
});
const EMBED_MAX_BYTES = 64_000;

/** X over the network: OAuth 2.0 Authorization Code with PKCE, its API v2, and oEmbed (docs.x.com). */
export function createX(config: Config, log: Logger): X {
  const { clientId, clientSecret, apiRoot, authorizeUrl, oembedUrl } = config.x;
  const callApi = apiCaller(apiRoot, log);
  const intent = (name: string): string => new URL(`/intent/${name}`, authorizeUrl).href;

  /** Like `ask`, but an error status throws. */
  const send = async (path: string, init: RequestInit): Promise<unknown> => {
    const answer = await callApi(path, init);
    if ('json' in answer) return answer.json;
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

  const revoke = async (token: string, hint: 'access_token' | 'refresh_token'): Promise<void> => {
    await callApi('/2/oauth2/revoke', tokenRequest({ token, token_type_hint: hint }));
  };

  return {
    configured: clientId !== null,

    authorizationUrl({ state, codeVerifier, redirectUri, checks }) {
      const url = new URL(authorizeUrl);
      url.searchParams.set('response_type', 'code');
      url.searchParams.set('client_id', clientId ?? '');
      url.searchParams.set('redirect_uri', redirectUri);
      url.searchParams.set('scope', checks ? CHECK_SCOPES : SCOPES);
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
      const given = understood(Token, answered);
      const me = await send('/2/users/me', bearer(given.access_token));
      const { id, username } = understood(Me, me).data;
      const tokens = tokensOf(given);
      // Without checks the token is no longer needed. If revoking fails, it expires in two hours.
      if (tokens === null) await revoke(given.access_token, 'access_token').catch(() => undefined);
      return { xUserId: id, username, tokens };
    },

    async refresh(refreshToken) {
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      const answer = await callApi('/2/oauth2/token', tokenRequest(form));
      return 'refused' in answer ? null : tokensOf(understood(Token, answer.json));
    },

    revoke: (token) => revoke(token, 'refresh_token'),

    ...createLooks(callApi),

    intents: { post: intent('post'), follow: intent('follow'), like: intent('like'), repost: intent('retweet') },

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
      // 404 or 403: the post is deleted or not public.
      if (answer.status === 404 || answer.status === 403) return null;
      log.warn({ status: answer.status }, 'X showed no post');
      throw away();
    },
  };
}

/** Reads at most `maxBytes`; null for a longer text, because cut JSON is useless. */
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

/** The author as X names them: X follows a post's URL whatever name is in it. */
function postIn({ author_url, html }: z.output<typeof Embed>): { author: string; text: string } {
  return { author: new URL(author_url).pathname.slice(1), text: textOfPost(html) };
}

function tokensOf(given: z.output<typeof Token>): XTokens | null {
  const { access_token: access, refresh_token: refresh, expires_in: expiresInS = ACCESS_LIVES_S } = given;
  return refresh === undefined ? null : { access, refresh, expiresInS };
}

/** Each half form-encoded before the colon joins them (RFC 6749, 2.3.1). */
function basic(id: string, secret: string): string {
  const encode = (text: string) => new URLSearchParams({ v: text }).toString().slice(2);
  return Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64');
}
