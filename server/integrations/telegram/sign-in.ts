import { GrammyError, HttpError as TelegramNetworkError } from 'grammy';
import { compactVerify, createRemoteJWKSet } from 'jose';
import * as oidc from 'openid-client';
import type { Logger } from 'pino';
import { HttpError } from '../../base/http-error.ts';
import { isLoopbackHttp } from '../../base/loopback.ts';
import type { Config } from '../../config.ts';
import { SIGN_IN_CLOCK_AHEAD_MS } from '../../contract/limits.ts';
import { codeChallenge } from '../pkce.ts';
import { displayName } from './display-name.ts';
import type { Telegram, TelegramIdentity } from './telegram.ts';

export const PROVIDER_TIMEOUT_S = 5;

/** "Log In With Telegram": OpenID Connect (core.telegram.org/bots/telegram-login). */
export function createSignIn(config: Config, log: Logger): Pick<Telegram, 'authorizationUrl' | 'identity'> {
  const { clientId, clientSecret, oidcIssuer } = config.telegram;
  const provider = lazily(() => discover(oidcIssuer, clientId ?? '', clientSecret ?? ''));
  return {
    async authorizationUrl({ state, codeVerifier, redirectUri }) {
      return oidc.buildAuthorizationUrl((await reach(provider, log)).configuration, {
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid profile',
        state,
        nonce: nonceOf(codeVerifier),
        code_challenge: codeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
    },

    async identity({ callbackUrl, state, codeVerifier }) {
      const given = callbackUrl.searchParams;
      const code = given.get('code');
      const issuer = given.get('iss');
      if (given.get('state') !== state || code === null) throw refused();
      const reached = await reach(provider, log);
      // RFC 9207: an answer that names another issuer was meant for another provider.
      if (issuer !== null && issuer !== reached.configuration.serverMetadata().issuer) throw refused();
      const redirectUri = new URL(callbackUrl.pathname, callbackUrl).href;
      const claims = await exchangeCode(reached, { code, redirectUri, codeVerifier }, log);
      // Telegram's code flow was measured not to echo the nonce (state and PKCE bind the answer); where it does, it must match.
      if (claims['nonce'] !== undefined && claims['nonce'] !== nonceOf(codeVerifier)) throw refused();
      if (!isOfNow(claims, Date.now())) throw refused();
      return identityOf(claims);
    },
  };
}

/** The provider's configuration and its signing keys. */
type Provider = { configuration: oidc.Configuration; keys: ReturnType<typeof createRemoteJWKSet> };

async function discover(issuer: string, clientId: string, clientSecret: string): Promise<Provider> {
  const url = new URL(issuer);
  const configuration = await oidc.discovery(
    url,
    clientId,
    // Its end is judged with the same patience as its beginning.
    { client_secret: clientSecret, [oidc.clockTolerance]: SIGN_IN_CLOCK_AHEAD_MS / 1_000 },
    oidc.ClientSecretBasic(clientSecret),
    { timeout: PROVIDER_TIMEOUT_S, execute: isLoopbackHttp(url) ? [oidc.allowInsecureRequests] : [] },
  );
  const keysUrl = new URL(configuration.serverMetadata().jwks_uri ?? '');
  if (keysUrl.protocol !== 'https:' && !isLoopbackHttp(keysUrl)) throw new Error('the keys are not behind https');
  return { configuration, keys: createRemoteJWKSet(keysUrl, { timeoutDuration: PROVIDER_TIMEOUT_S * 1_000 }) };
}

/** One shared attempt at a time; a failed one is dropped, so the next caller retries. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function reach(provider: () => Promise<Provider>, log: Logger): Promise<Provider> {
  try {
    return await provider();
  } catch (error) {
    log.warn(describe(error), 'the sign-in provider cannot be reached');
    throw away();
  }
}

type Claims = Record<string, unknown>;

/** A token is made for the code that was just exchanged: one from further ahead than clocks differ was not. */
function isOfNow({ iat }: Claims, nowMs: number): boolean {
  return typeof iat === 'number' && iat * 1_000 <= nowMs + SIGN_IN_CLOCK_AHEAD_MS;
}

async function exchangeCode(
  provider: Provider,
  input: { code: string; redirectUri: string; codeVerifier: string },
  log: Logger,
): Promise<Claims> {
  try {
    // The generic grant leaves the nonce to the caller; `authorizationCodeGrant` insists on it always or never.
    const tokens = await oidc.genericGrantRequest(provider.configuration, 'authorization_code', {
      code: input.code,
      redirect_uri: input.redirectUri,
      code_verifier: input.codeVerifier,
    });
    const claims = tokens.claims();
    if (!claims || tokens.id_token === undefined) throw refused();
    await checkSignature(tokens.id_token, provider, log);
    return claims;
  } catch (error) {
    if (error instanceof HttpError) throw error;
    log.warn(describe(error), 'the sign-in code was not exchanged');
    throw isAway(error) ? away() : refused();
  }
}

/**
 * Verifies the id token's signature in addition to TLS. An unknown or changed key is fetched once more, because the
 * code is used up and a retry is impossible.
 */
async function checkSignature(idToken: string, { keys }: Provider, log: Logger): Promise<void> {
  try {
    await compactVerify(idToken, keys);
  } catch {
    await keys.reload().catch((error: unknown) => {
      log.warn(describe(error), 'the keys of the sign-in provider cannot be read');
      throw away();
    });
    await compactVerify(idToken, keys).catch((error: unknown) => {
      log.warn(describe(error), 'the id token is signed by nobody who is known');
      throw refused();
    });
  }
}

/** Network errors, timeouts, 429 and 5xx say nothing about the person. */
function isAway(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.status === 429 || error.status >= 500;
  if (error instanceof oidc.ClientError) {
    const { cause } = error;
    return cause instanceof Response ? cause.status === 429 || cause.status >= 500 : error.code === 'OAUTH_TIMEOUT';
  }
  return !(error instanceof oidc.WWWAuthenticateChallengeError);
}

/** The Telegram user: the claim `id`, never `sub`, which is another number (docs, "id_token"). */
function identityOf(claims: Claims): TelegramIdentity {
  const { id, name, preferred_username: username } = claims;
  const telegramUserId = typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : id;
  if (typeof telegramUserId !== 'string' || !/^[1-9]\d{0,15}$/.test(telegramUserId)) throw refused();
  return {
    telegramUserId,
    username: typeof username === 'string' && /^\w{1,32}$/.test(username) ? username : null,
    displayName: displayName(name, username, telegramUserId),
  };
}

const nonceOf = (codeVerifier: string): string => codeChallenge(`nonce:${codeVerifier}`);

const refused = () =>
  new HttpError(400, 'SIGN_IN_REFUSED', 'Telegram did not confirm this sign-in. Please start again.');
const away = () =>
  new HttpError(503, 'TELEGRAM_UNAVAILABLE', 'Telegram cannot be reached just now. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });

/** Loggable part of a failure: no URL (it contains the bot token) and no token. */
export function describe(error: unknown): { problem: string; errorCode?: number | string } {
  if (error instanceof GrammyError) return { problem: error.description, errorCode: error.error_code };
  if (error instanceof TelegramNetworkError) return { problem: 'network' };
  if (error instanceof oidc.ResponseBodyError) return { problem: error.error, errorCode: error.status };
  if (error instanceof oidc.ClientError) return { problem: error.message, errorCode: error.code ?? 'CLIENT' };
  return { problem: error instanceof Error ? error.name : 'unknown' };
}
